/* gbcast_scatterv(). Only the root knows the counts, so the plan is that of blocks of 64 KiB. First the byte
 * counts go down the tree, eight bytes for each rank, and right behind them the blocks: nobody waits for an
 * answer in between. */
#include "mpi/args.h"
#include "mpi/blocks.h"
#include "mpi/error.h"
#include "mpi/scatter.h"
#include "mpi/types.h"
#include <gbcast/gbcast.h>
#include <limits.h>
#include <stdlib.h>

enum { nominal_block = 65536 };

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

/* Where each block of my subtree begins in the stream, from their lengths in the same order; to be freed. */
static size_t *starts(const uint64_t *length, uint32_t count) {
  size_t *start = malloc(sizeof *start * ((size_t)count + 1));
  if (start == NULL)
    return NULL;
  start[0] = 0;
  for (uint32_t i = 0; i < count; i++)
    start[i + 1] = start[i] + length[i];
  return start;
}

static int send_all(gb_comm *c, gb_role *role, const root_args *s, const gb_receive *r, size_t receive_bytes,
                    uint64_t *bytes, ptrdiff_t *place) {
  char *packed = NULL;
  bool contiguous;
  int rc = gb_type_is_contiguous(s->type, &contiguous);
  if (rc == MPI_SUCCESS && !contiguous)
    rc = pack_all(c, s, bytes, place, &packed);
  uint32_t count = gb_subtree(role);
  uint64_t *ordered = malloc(sizeof *ordered * count);
  for (uint32_t i = 0; ordered != NULL && i < count; i++)
    ordered[i] = bytes[role->tree[0].order[i]];
  size_t *start = ordered != NULL ? starts(ordered, count) : NULL;
  if (rc == MPI_SUCCESS && start == NULL)
    rc = MPI_ERR_NO_MEM;
  gb_source counts = {(const char *)bytes, NULL}, data = {packed != NULL ? packed : s->buf, place};
  if (rc == MPI_SUCCESS)
    rc = gb_blocks_scatter(c, role, nominal_block, &(gb_blocks){sizeof *bytes, NULL}, &counts, NULL);
  if (rc == MPI_SUCCESS)
    rc = gb_blocks_scatter(c, role, nominal_block, &(gb_blocks){0, start}, &data, NULL);
  if (rc == MPI_SUCCESS && r->buf != MPI_IN_PLACE)
    rc = receive_bytes < bytes[c->rank]
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(r, data.base + place[c->rank], bytes[c->rank], c->dup);
  free(start);
  free(ordered);
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
static int receive_blocks(gb_comm *c, gb_role *role, const gb_receive *r, size_t receive_bytes,
                          const size_t *start) {
  uint32_t count = gb_subtree(role);
  size_t mine = start[count] - start[count - 1];
  bool contiguous, fits = mine <= receive_bytes;
  int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  bool straight = contiguous && fits && count == 1;
  char *data = straight ? r->buf : malloc(start[count] + 1);
  if (data == NULL && start[count] > 0)
    return MPI_ERR_NO_MEM;
  rc = gb_blocks_scatter(c, role, nominal_block, &(gb_blocks){0, start}, NULL, data);
  if (rc == MPI_SUCCESS)
    rc = fits ? gb_receive_keep(r, data + start[count - 1], mine, c->dup) : MPI_ERR_TRUNCATE;
  if (!straight)
    free(data);
  return rc;
}

static int scatterv_other(gb_comm *c, gb_role *role, const gb_receive *r, size_t receive_bytes) {
  uint32_t count = gb_subtree(role);
  uint64_t *length = malloc(sizeof *length * count);
  if (length == NULL)
    return MPI_ERR_NO_MEM;
  int rc =
      gb_blocks_scatter(c, role, nominal_block, &(gb_blocks){sizeof *length, NULL}, NULL, (char *)length);
  if (rc == MPI_SUCCESS) {
    size_t *start = starts(length, count);
    rc = start == NULL ? MPI_ERR_NO_MEM : receive_blocks(c, role, r, receive_bytes, start);
    free(start);
  }
  free(length);
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
  if ((rc = gb_cache_role(c, GBCAST_SCATTER, nominal_block, root, &role)) != MPI_SUCCESS)
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
