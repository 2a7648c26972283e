/* gbcast_scatterv(). Only the root knows the counts, so the plan is that of blocks of 64 KiB. First the byte
 * counts go down the trees, eight bytes for each rank in each, and right behind them the blocks: nobody waits
 * for an answer in between. */
#include "mpi/args.h"
#include "mpi/blocks.h"
#include "mpi/cuts.h"
#include "mpi/error.h"
#include "mpi/scatter.h"
#include "mpi/types.h"
#include <gbcast/gbcast.h>
#include <limits.h>
#include <stdlib.h>

typedef struct root_args {
  const void *buf;
  const MPI_Count *count; /* of each rank */
  const MPI_Aint *place;
  MPI_Datatype type;
} root_args;

#if MPI_VERSION >= 4
static int own_scatterv(const root_args *s, const gb_receive *r, int root, MPI_Comm comm, int size) {
  (void)size;
  return PMPI_Scatterv_c(s->buf, s->count, s->place, s->type, r->buf, r->count, r->type, root, comm);
}
#else
/* Counts and places that fit an int; size: of the group that receives, 0 where the counts mean nothing. */
static int own_scatterv(const root_args *s, const gb_receive *r, int root, MPI_Comm comm, int size) {
  if (r->count > INT_MAX)
    return MPI_ERR_COUNT;
  int *count = malloc(sizeof *count * ((size_t)size * 2 + 1));
  if (count == NULL)
    return MPI_ERR_NO_MEM;
  int *place = count + size, rc = MPI_SUCCESS;
  for (int i = 0; i < size; i++) {
    if (s->count[i] > INT_MAX || s->place[i] > INT_MAX || s->place[i] < INT_MIN)
      rc = MPI_ERR_COUNT;
    count[i] = (int)s->count[i];
    place[i] = (int)s->place[i];
  }
  if (rc == MPI_SUCCESS)
    rc = PMPI_Scatterv(s->buf, count, place, s->type, r->buf, (int)r->count, r->type, root, comm);
  free(count);
  return rc;
}
#endif

/* Ranks whose counts this process has to give, on a communicator that is MPI's. */
static int receivers(MPI_Comm comm, int root, int *size) {
  int inter, rank, rc = MPI_Comm_test_inter(comm, &inter);
  *size = 0;
  if (rc == MPI_SUCCESS && inter)
    return root == MPI_ROOT ? MPI_Comm_remote_size(comm, size) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_rank(comm, &rank);
  return rc == MPI_SUCCESS && rank == root ? MPI_Comm_size(comm, size) : rc;
}

/* Checks the root's arguments; the bytes for each rank, and where its first element lies from the buffer's
 * address. */
static int measure(const gb_comm *c, const root_args *s, uint64_t *bytes, ptrdiff_t *place) {
  if (s->count == NULL || s->place == NULL)
    return MPI_ERR_ARG;
  if (s->type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  MPI_Count lower, extent;
  int rc = MPI_Type_get_extent_x(s->type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < c->size; i++) {
    size_t one = 0;
    rc = gb_check_buffer(s->buf, s->count[i], s->type, &one);
    bytes[i] = one;
    place[i] = (ptrdiff_t)(s->place[i] * extent);
  }
  return rc;
}

/* Replaces places in the user's buffer by places in a packed copy, which is returned through *packed. */
static int pack_all(const gb_comm *c, const root_args *s, const uint64_t *bytes, ptrdiff_t *place,
                    char **packed) {
  size_t total = 0;
  for (int i = 0; i < c->size; i++)
    total += bytes[i];
  *packed = malloc(total + 1);
  int rc = *packed == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  size_t at = 0;
  for (int i = 0; rc == MPI_SUCCESS && i < c->size; i++) {
    const void *from = place[i] == 0 ? s->buf : (const char *)s->buf + place[i];
    rc = gb_pack(from, s->count[i], s->type, *packed + at, bytes[i], c->dup);
    place[i] = (ptrdiff_t)at;
    at += bytes[i];
  }
  return rc;
}

/* The counts go down every tree. bytes: of each rank, or NULL where they are received into `length`. */
static int scatter_counts(gb_comm *c, gb_role *role, const uint64_t *bytes, uint64_t *const *length) {
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  char *data[GB_TREES_MOST] = {NULL};
  gb_source source = {(const char *)bytes, NULL, sizeof *bytes};
  for (uint32_t t = 0; t < role->tree_count; t++) {
    blocks[t] = (gb_blocks){.part = sizeof *bytes};
    data[t] = (char *)length[t];
  }
  bool root = bytes != NULL;
  return gb_blocks_scatter(c, role, GB_NOMINAL_BLOCK, blocks, root ? &source : NULL, root ? NULL : data);
}

static int send_blocks(gb_comm *c, gb_role *role, const uint64_t *bytes, const gb_source *source) {
  gb_cuts x = {0};
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  int rc = gb_cuts_new(role, &x);
  if (rc == MPI_SUCCESS) {
    for (uint32_t t = 0; t < role->tree_count; t++)
      for (uint32_t i = 0; i < gb_subtree(role, t); i++)
        x.length[t][i] = bytes[role->tree[t].order[i]];
    gb_cuts_make(role, &x, blocks);
    rc = scatter_counts(c, role, bytes, x.length);
  }
  if (rc == MPI_SUCCESS)
    rc = gb_blocks_scatter(c, role, GB_NOMINAL_BLOCK, blocks, source, NULL);
  gb_cuts_free(&x);
  return rc;
}

static int send_all(gb_comm *c, gb_role *role, const root_args *s, const gb_receive *r, size_t receive_bytes,
                    uint64_t *bytes, ptrdiff_t *place) {
  char *packed = NULL;
  bool contiguous;
  int rc = gb_type_is_contiguous(s->type, &contiguous);
  if (rc == MPI_SUCCESS && !contiguous)
    rc = pack_all(c, s, bytes, place, &packed);
  gb_source data = {packed != NULL ? packed : s->buf, place, 0};
  if (rc == MPI_SUCCESS)
    rc = send_blocks(c, role, bytes, &data);
  if (rc == MPI_SUCCESS && r->buf != MPI_IN_PLACE)
    rc = receive_bytes < bytes[c->rank]
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(r, data.base + place[c->rank], bytes[c->rank], c->dup);
  free(packed);
  return rc;
}

static int scatterv_root(gb_comm *c, gb_role *role, const root_args *s, const gb_receive *r,
                         size_t receive_bytes) {
  uint64_t *bytes = malloc(sizeof *bytes * (size_t)c->size);
  ptrdiff_t *place = malloc(sizeof *place * (size_t)c->size);
  int rc = bytes == NULL || place == NULL ? MPI_ERR_NO_MEM : measure(c, s, bytes, place);
  if (rc == MPI_SUCCESS)
    rc = send_all(c, role, s, r, receive_bytes, bytes, place);
  free(bytes);
  free(place);
  return rc;
}

/* The blocks, once their lengths are known. A block that is too large for me is received and forgotten: those
 * below need theirs. */
static int receive_blocks(gb_comm *c, gb_role *role, const gb_receive *r, size_t receive_bytes, gb_cuts *x) {
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  char *data[GB_TREES_MOST] = {NULL};
  size_t mine = x->length[0][gb_subtree(role, 0) - 1];
  bool contiguous, fits = mine <= receive_bytes;
  int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  gb_cuts_make(role, x, blocks);
  bool in_place = contiguous && fits;
  size_t used = in_place ? 0 : mine, room = used;
  for (uint32_t t = 0; t < role->tree_count; t++)
    room += gb_subtree(role, t) > 1 ? x->start[t][gb_subtree(role, t)] : 0;
  char *buffer = malloc(room + 1), *own = in_place ? r->buf : buffer;
  if (buffer == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < x->trees; t++) {
    uint32_t last = gb_subtree(role, t) - 1;
    data[t] = last > 0 ? buffer + used : mine > 0 ? own + x->skips[t][last] : NULL;
    used += last > 0 ? x->start[t][last + 1] : 0;
  }
  rc = gb_blocks_scatter(c, role, GB_NOMINAL_BLOCK, blocks, NULL, data);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < x->trees; t++) {
    uint32_t last = gb_subtree(role, t) - 1;
    size_t part = x->start[t][last + 1] - x->start[t][last];
    if (last > 0 && part > 0)
      rc = gb_copy(own + x->skips[t][last], data[t] + x->start[t][last], part, c->dup);
  }
  if (rc == MPI_SUCCESS && !fits)
    rc = MPI_ERR_TRUNCATE;
  if (rc == MPI_SUCCESS && !contiguous && mine > 0)
    rc = gb_unpack(own, mine, r->buf, r->count, r->type, c->dup);
  free(buffer);
  return rc;
}

static int scatterv_other(gb_comm *c, gb_role *role, const gb_receive *r, size_t receive_bytes) {
  gb_cuts x = {0};
  int rc = gb_cuts_new(role, &x);
  if (rc == MPI_SUCCESS)
    rc = scatter_counts(c, role, NULL, x.length);
  if (rc == MPI_SUCCESS)
    rc = receive_blocks(c, role, r, receive_bytes, &x);
  gb_cuts_free(&x);
  return rc;
}

static int scatterv(gb_comm *c, const root_args *s, const gb_receive *r, int root) {
  size_t receive_bytes = 0;
  int rc = gb_check_root(c, root);
  if (rc == MPI_SUCCESS && !(c->rank == root && r->buf == MPI_IN_PLACE))
    rc = gb_check_buffer(r->buf, r->count, r->type, &receive_bytes);
  if (rc != MPI_SUCCESS)
    return rc;
  uint64_t end = c->sequence + 2;
  gb_role *role;
  if ((rc = gb_cache_role(c, GBCAST_SCATTER, GB_NOMINAL_BLOCK, root, &role)) != MPI_SUCCESS)
    return rc == MPI_ERR_NO_MEM ? gb_engine_settle(c, end, rc) : rc;
#if MPI_VERSION >= 4 /* before, counts in int are not enough, and only the root knows */
  if (role->native)
    return own_scatterv(s, r, root, c->dup, c->size);
#endif
  rc = c->rank == root ? scatterv_root(c, role, s, r, receive_bytes)
                       : scatterv_other(c, role, r, receive_bytes);
  return gb_engine_settle(c, end, rc);
}

int gbcast_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm) {
  root_args s = {sendbuf, sendcounts, displs, sendtype};
  gb_receive r = {recvbuf, recvcount, recvtype};
  gb_comm *c;
  int rc = gb_comm_of(comm, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c != NULL)
    return gb_raise(comm, scatterv(c, &s, &r, root));
  int size;
  rc = receivers(comm, root, &size);
  return rc == MPI_SUCCESS ? own_scatterv(&s, &r, root, comm, size) : rc;
}
