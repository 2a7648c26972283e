/* gbcast_bcast(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
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
    rc = gb_exec_run(&c->wire, role, bytes, flow);
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
  int rc = root ? gb_pack(buf, count, type, packed, bytes, c->wire.local) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = run_bcast(c, role, packed, bytes);
  if (rc == MPI_SUCCESS && !root)
    rc = gb_unpack(packed, bytes, buf, count, type, c->wire.local);
  free(packed);
  return rc;
}

/* GBCAST_CHECK, behind the data, whatever has become of these here: `rc`. raised: NULL, or MPI's own
 * broadcast is run, and this says whether it has called the error handler. */
static int verify(gb_comm *c, gb_role *role, bool *raised, const gb_receive *data, size_t bytes, int rc) {
  const int root = role->root;
  const bool is_root = c->rank == root;
  uint64_t sent = 0, found = 0;
  int told = is_root ? gb_verify_sums(c, data->buf, data->count, data->type, bytes, 1, &sent) : MPI_SUCCESS;
  if (raised != NULL) {
    int own = PMPI_Bcast(&sent, (int)sizeof sent, MPI_BYTE, root, c->user);
    *raised = own != MPI_SUCCESS;
    told = told == MPI_SUCCESS ? own : told;
  } else if (told == MPI_SUCCESS) {
    told = run_bcast(c, role, (char *)&sent, sizeof sent);
  }
  rc = rc == MPI_SUCCESS ? told : rc;
  if (rc == MPI_SUCCESS && !is_root)
    rc = gb_verify_sums(c, data->buf, data->count, data->type, bytes, 1, &found);
  return rc == MPI_SUCCESS && !is_root ? gb_verify_arrived(c, "a broadcast", root, bytes, sent, found) : rc;
}

/* By MPI's own broadcast, which calls the error handler itself. */
static int native(gb_comm *c, gb_role *role, const gb_receive *data, size_t bytes, int root) {
  int rc = own_bcast(data->buf, data->count, data->type, root, c->user);
  bool raised = rc != MPI_SUCCESS;
  if (rc == MPI_SUCCESS && role != NULL && c->check && bytes > 0)
    rc = verify(c, role, &raised, data, bytes, rc);
  return raised ? rc : gb_raise(c->user, rc);
}

/* By the plan. */
static int planned(gb_comm *c, gb_role *role, const gb_receive *data, size_t bytes) {
  const bool checked = c->check && bytes > 0;
  const uint64_t end = c->wire.sequence + 1 + checked;
  if (bytes > 0 && gb_watch_look(c, role->root))
    gb_exec_offer(&c->wire, role->root);
  bool contiguous;
  int rc = gb_type_is_contiguous(data->type, &contiguous);
  if (rc == MPI_SUCCESS)
    rc = contiguous ? run_bcast(c, role, data->buf, bytes)
                    : run_packed(c, role, data->buf, data->count, data->type, bytes);
  if (checked)
    rc = verify(c, role, NULL, data, bytes, rc);
  return gb_exec_abandon(&c->wire, end, rc);
}

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  const gb_receive data = {buf, count, type};
  gb_comm *c;
  size_t bytes = 0;
  int rc = gb_comm_find(comm, NULL, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL)
    return own_bcast(buf, count, type, root, comm);
  gb_role *role = NULL;
  rc = gb_check_bcast(c, buf, count, type, root, &bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_comm_enter(c);
  if (rc == MPI_SUCCESS && c->left == GB_LEFT_NOTHING)
    rc = gb_api_schedule(c, GBCAST_BCAST, bytes, root, &role);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  return role != NULL && gb_api_planned(c, role, bytes) ? gb_raise(comm, planned(c, role, &data, bytes))
                                                        : native(c, role, &data, bytes, root);
}
