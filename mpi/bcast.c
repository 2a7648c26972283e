/* gbcast() and gbcast_bcast(). */
#include "mpi/args.h"
#include "mpi/engine.h"
#include "mpi/error.h"
#include "mpi/scatter.h"
#include "mpi/types.h"
#include "mpi/verify.h"
#include "mpi/watch.h"
#include <gbcast/gbcast.h>
#include <limits.h>
#include <stdlib.h>

/* MPI's own, on any communicator. */
static int own_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_counted counted;
  int rc = gb_counted_make(count, type, &counted);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = PMPI_Bcast(buf, counted.count, counted.type, root, comm);
  gb_counted_release(&counted);
  return rc;
}

/* Broadcasts bytes that lie in one piece. */
static int run_bcast(gb_comm *c, gb_role *role, char *data, size_t bytes) {
  size_t outs = 0, used = 0;
  gb_flow flow_one[1], *flow = flow_one;
  gb_out out_few[16], *out = out_few;
  for (uint32_t t = 0; t < role->tree_count; t++)
    outs += role->tree[t].child_count;
  if (role->tree_count > 1)
    flow = malloc(sizeof *flow * role->tree_count);
  if (outs > sizeof out_few / sizeof *out_few)
    out = malloc(sizeof *out * outs);
  int rc = flow == NULL || out == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < role->tree_count; t++) {
    const gb_role_tree *tree = &role->tree[t];
    size_t begin, length = gb_role_share(role, t, bytes, &begin);
    flow[t] = (gb_flow){.tree = tree, .data = data + begin, .length = length, .out = out + used};
    for (uint32_t i = 0; i < tree->child_count; i++)
      out[used++] = (gb_out){.offset = 0, .length = length, .direct = data + begin};
  }
  if (rc == MPI_SUCCESS)
    rc = gb_engine(c, role, bytes, flow);
  if (flow != flow_one)
    free(flow);
  if (out != out_few)
    free(out);
  return rc;
}

/* Through a packed copy, for data that does not lie in one piece. */
static int run_packed(gb_comm *c, gb_role *role, void *buf, MPI_Count count, MPI_Datatype type,
                      size_t bytes) {
  char *packed = malloc(bytes + 1);
  if (packed == NULL)
    return MPI_ERR_NO_MEM;
  bool root = c->rank == role->root;
  int rc = root ? gb_pack(buf, count, type, packed, bytes, c->dup) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = run_bcast(c, role, packed, bytes);
  if (rc == MPI_SUCCESS && !root)
    rc = gb_unpack(packed, bytes, buf, count, type, c->dup);
  free(packed);
  return rc;
}

/* GBCAST_CHECK, behind the data, whatever has become of these here: `rc`. */
static int verify(gb_comm *c, gb_role *role, bool native, const gb_receive *data, size_t bytes, int rc) {
  const bool is_root = c->rank == role->root;
  uint64_t sent = 0, found = 0;
  int told = is_root ? gb_verify_sums(c, data->buf, data->count, data->type, bytes, 1, &sent) : MPI_SUCCESS;
  if (native) {
    int own = PMPI_Bcast(&sent, (int)sizeof sent, MPI_BYTE, role->root, c->dup);
    told = told == MPI_SUCCESS ? own : told;
  } else if (told == MPI_SUCCESS) {
    told = run_bcast(c, role, (char *)&sent, sizeof sent);
  }
  rc = rc == MPI_SUCCESS ? told : rc;
  if (rc == MPI_SUCCESS && !is_root)
    rc = gb_verify_sums(c, data->buf, data->count, data->type, bytes, 1, &found);
  return rc == MPI_SUCCESS && !is_root ? gb_verify_arrived(c, "a broadcast", role->root, bytes, sent, found)
                                       : rc;
}

static int broadcast(gb_comm *c, void *buf, MPI_Count count, MPI_Datatype type, int root) {
  size_t bytes = 0;
  int rc = gb_check_buffer(c, buf, count, type, &bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_check_root(c, root);
  if (rc != MPI_SUCCESS)
    return rc;
  const gb_receive data = {buf, count, type};
  const bool checked = c->check && bytes > 0;
  const uint64_t end = c->sequence + 1 + checked;
  gb_role *role;
  if ((rc = gb_cache_role(c, GBCAST_BCAST, bytes, root, &role)) != MPI_SUCCESS)
    return rc == MPI_ERR_NO_MEM ? gb_engine_settle(c, end, rc) : rc;
  if (role->native && bytes <= INT_MAX) { /* all ranks see the same bytes, so no count is larger anywhere */
    rc = own_bcast(buf, count, type, root, c->dup);
    return checked ? verify(c, role, true, &data, bytes, rc) : rc;
  }
  if (bytes > 0)
    gb_watch_look(c, root);
  bool contiguous;
  if ((rc = gb_type_is_contiguous(type, &contiguous)) == MPI_SUCCESS)
    rc = contiguous ? run_bcast(c, role, buf, bytes) : run_packed(c, role, buf, count, type, bytes);
  if (checked)
    rc = verify(c, role, false, &data, bytes, rc);
  return gb_engine_settle(c, end, rc);
}

int gbcast_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_comm *c;
  int rc = gb_comm_of(comm, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL)
    return own_bcast(buf, count, type, root, comm);
  return gb_raise(comm, broadcast(c, buf, count, type, root));
}

int gbcast(void *buf, size_t n, int root, MPI_Comm comm) {
  if (n > PTRDIFF_MAX)
    return gb_raise(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, MPI_ERR_COUNT);
  return gbcast_bcast(buf, (MPI_Count)n, MPI_BYTE, root, comm);
}
