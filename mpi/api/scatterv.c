/* gbcast_scatterv(). Only the root knows the counts, so the plan is that of blocks of 64 KiB. First the byte
 * counts go down the trees, eight bytes for each rank in each, and right behind them the blocks: nobody waits
 * for an answer in between. */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/blocks.h"
#include "mpi/api/buffers.h"
#include "mpi/api/displacements.h"
#include "mpi/api/own_scatterv.h"
#include "mpi/api/verify.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
#include <stdlib.h>

/* At the root: what the arguments come to. */
typedef struct measures {
  uint64_t *bytes;  /* for each rank, */
  ptrdiff_t *place; /* and where its first element lies from the buffer's address; */
  uint64_t *sum;    /* GBCAST_CHECK: the checksum of its block */
} measures;

static void release(measures *m) {
  free(m->bytes);
  free(m->place);
  free(m->sum);
}

/* Where the block of rank i begins; MPI_BOTTOM stays what it is. */
static const void *block_at(const gb_send_blocks *s, const ptrdiff_t *place, int i) {
  return place[i] == 0 ? s->buf : (const char *)s->buf + place[i];
}

static int measure(const gb_comm *c, const gb_send_blocks *s, measures *m) {
  MPI_Count lower, extent;
  m->bytes = calloc((size_t)c->wire.size, sizeof *m->bytes);
  m->place = calloc((size_t)c->wire.size, sizeof *m->place);
  m->sum = c->check ? malloc(sizeof *m->sum * (size_t)c->wire.size) : NULL;
  if (m->bytes == NULL || m->place == NULL || (c->check && m->sum == NULL))
    return MPI_ERR_NO_MEM;
  int rc = MPI_Type_get_extent_x(s->type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < c->wire.size; i++) {
    size_t one = 0;
    rc = gb_type_bytes(s->count[i], s->type, &one);
    m->bytes[i] = one;
    m->place[i] = (ptrdiff_t)(s->place[i] * extent);
    if (rc == MPI_SUCCESS && c->check)
      rc = gb_checksums(block_at(s, m->place, i), s->count[i], s->type, one, 1, c->wire.local, &m->sum[i]);
  }
  return rc;
}

/* Replaces places in the user's buffer by places in a packed copy, which is returned through *packed. */
static int pack_all(const gb_comm *c, const gb_send_blocks *s, const uint64_t *bytes, ptrdiff_t *place,
                    char **packed) {
  size_t total = 0;
  for (int i = 0; i < c->wire.size; i++)
    total += bytes[i];
  *packed = malloc(total + 1);
  int rc = *packed == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  size_t at = 0;
  for (int i = 0; rc == MPI_SUCCESS && i < c->wire.size; i++) {
    rc = gb_pack(block_at(s, place, i), s->count[i], s->type, *packed + at, bytes[i], c->wire.local);
    place[i] = (ptrdiff_t)at;
    at += bytes[i];
  }
  return rc;
}

/* A value for each rank goes down every tree, of those in its subtree: the counts, and the checksums. value:
 * of each rank, or NULL where they are received into `room`. */
static int scatter_values(gb_comm *c, gb_rank_schedule *schedule, const uint64_t *value,
                          uint64_t *const *room) {
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  char *data[GB_TREES_MOST] = {NULL};
  gb_block_source source = {(const char *)value, NULL, sizeof *value};
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    blocks[t] = (gb_blocks){.part = sizeof *value};
    data[t] = (char *)room[t];
  }
  bool root = value != NULL;
  return gb_blocks_scatter(c, schedule, GB_NOMINAL_BLOCK, blocks, root ? &source : NULL, root ? NULL : data);
}

static int send_blocks(gb_comm *c, gb_rank_schedule *schedule, const measures *m,
                       const gb_block_source *source) {
  gb_displacements x = {0};
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  int rc = gb_displacements_new(schedule, &x);
  if (rc == MPI_SUCCESS) {
    for (uint32_t t = 0; t < schedule->tree_count; t++)
      for (uint32_t i = 0; i < gb_subtree(schedule, t); i++)
        x.length[t][i] = m->bytes[schedule->tree[t].order[i]];
    gb_displacements_make(schedule, &x, blocks);
    rc = scatter_values(c, schedule, m->bytes, x.length);
  }
  if (rc == MPI_SUCCESS)
    rc = gb_blocks_scatter(c, schedule, GB_NOMINAL_BLOCK, blocks, source, NULL);
  if (rc == MPI_SUCCESS && m->sum != NULL)
    rc = scatter_values(c, schedule, m->sum, x.length);
  gb_displacements_free(&x);
  return rc;
}

static int scatterv_root(gb_comm *c, gb_rank_schedule *schedule, const gb_send_blocks *s,
                         const gb_receive_buffer *r, size_t receive_bytes, const measures *m) {
  char *packed = NULL;
  bool contiguous;
  int rc = gb_type_is_contiguous(s->type, &contiguous);
  if (rc == MPI_SUCCESS && !contiguous)
    rc = pack_all(c, s, m->bytes, m->place, &packed);
  gb_block_source data = {packed != NULL ? packed : s->buf, m->place, 0};
  if (rc == MPI_SUCCESS)
    rc = send_blocks(c, schedule, m, &data);
  if (rc == MPI_SUCCESS && r->buf != MPI_IN_PLACE)
    rc = receive_bytes < m->bytes[c->wire.rank]
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(r, data.base + m->place[c->wire.rank], m->bytes[c->wire.rank], c->wire.local);
  free(packed);
  return rc;
}

/* The blocks, once their lengths are known. A block that is too large for me is received and forgotten: those
 * below need theirs. */
static int receive_blocks(gb_comm *c, gb_rank_schedule *schedule, const gb_receive_buffer *r,
                          size_t receive_bytes, gb_displacements *x) {
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  char *data[GB_TREES_MOST] = {NULL};
  size_t mine = x->length[0][gb_subtree(schedule, 0) - 1];
  bool contiguous, fits = mine <= receive_bytes;
  int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  gb_displacements_make(schedule, x, blocks);
  bool in_place = contiguous && fits;
  size_t used = in_place ? 0 : mine, room = used;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    room += gb_subtree(schedule, t) > 1 ? x->start[t][gb_subtree(schedule, t)] : 0;
  char *buffer = malloc(room + 1), *own = in_place ? r->buf : buffer;
  if (buffer == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < x->trees; t++) {
    uint32_t last = gb_subtree(schedule, t) - 1;
    data[t] = last > 0 ? buffer + used : mine > 0 ? own + x->skips[t][last] : NULL;
    used += last > 0 ? x->start[t][last + 1] : 0;
  }
  rc = gb_blocks_scatter(c, schedule, GB_NOMINAL_BLOCK, blocks, NULL, data);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < x->trees; t++) {
    uint32_t last = gb_subtree(schedule, t) - 1;
    size_t part = x->start[t][last + 1] - x->start[t][last];
    if (last > 0 && part > 0)
      rc = gb_copy(own + x->skips[t][last], data[t] + x->start[t][last], part, c->wire.local);
  }
  if (rc == MPI_SUCCESS && !fits)
    rc = MPI_ERR_TRUNCATE;
  if (rc == MPI_SUCCESS && !contiguous && mine > 0)
    rc = gb_unpack(own, mine, r->buf, r->count, r->type, c->wire.local);
  free(buffer);
  return rc;
}

/* GBCAST_CHECK: of my block, which had the checksum `sent` at the root. */
static int verify(const gb_comm *c, const gb_receive_buffer *r, size_t bytes, int root, uint64_t sent) {
  uint64_t found;
  int rc = gb_checksums(r->buf, r->count, r->type, bytes, 1, c->wire.local, &found);
  return rc == MPI_SUCCESS ? gb_verify_arrived(c, "a scatterv", root, bytes, sent, found) : rc;
}

static int scatterv_other(gb_comm *c, gb_rank_schedule *schedule, const gb_receive_buffer *r,
                          size_t receive_bytes) {
  gb_displacements x = {0};
  const uint32_t last = gb_subtree(schedule, 0) - 1;
  uint64_t mine = 0;
  int rc = gb_displacements_new(schedule, &x);
  if (rc == MPI_SUCCESS)
    rc = scatter_values(c, schedule, NULL, x.length);
  if (rc == MPI_SUCCESS) {
    mine = x.length[0][last];
    rc = receive_blocks(c, schedule, r, receive_bytes, &x);
    int checked = c->check ? scatter_values(c, schedule, NULL, x.length) : MPI_SUCCESS;
    rc = rc == MPI_SUCCESS ? checked : rc;
  }
  if (rc == MPI_SUCCESS && c->check)
    rc = verify(c, r, mine, schedule->root, x.length[0][last]);
  gb_displacements_free(&x);
  return rc;
}

/* Before MPI 4 counts in int are not enough for MPI's own scatterv, and only the root knows them. */
static bool is_native(const gb_rank_schedule *schedule) {
  return MPI_VERSION >= 4 && schedule->native;
}

/* By MPI's own scatterv, which calls the error handler itself. */
static int native(const gb_comm *c, const gb_rank_schedule *schedule, const gb_send_blocks *s,
                  const gb_receive_buffer *r, int root, size_t receive_bytes) {
  uint64_t sent = 0;
  measures m = {0};
  int rc = gb_own_scatterv(s, r, root, c->user, c->wire.size);
  if (schedule == NULL || !c->check || rc != MPI_SUCCESS)
    return rc;
  if (c->wire.rank == root && (rc = measure(c, s, &m)) != MPI_SUCCESS) {
    release(&m);
    return gb_raise(c->user, rc);
  }
  rc = PMPI_Scatter(m.sum, (int)sizeof sent, MPI_BYTE, &sent, (int)sizeof sent, MPI_BYTE, root, c->user);
  release(&m);
  return rc == MPI_SUCCESS && c->wire.rank != root
             ? gb_raise(c->user, verify(c, r, receive_bytes, root, sent))
             : rc;
}

/* By the plan. */
static int planned(gb_comm *c, gb_rank_schedule *schedule, const gb_send_blocks *s,
                   const gb_receive_buffer *r, int root, size_t receive_bytes) {
  const uint64_t end = c->wire.sequence + gb_scatterv_calls(c);
  measures m = {0};
  int rc = MPI_SUCCESS;
  if (c->wire.rank != root)
    rc = scatterv_other(c, schedule, r, receive_bytes);
  else if ((rc = measure(c, s, &m)) == MPI_SUCCESS)
    rc = scatterv_root(c, schedule, s, r, receive_bytes, &m);
  release(&m);
  return gb_exec_abandon(&c->wire, end, rc);
}

int gb_api_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm) {
  gb_send_blocks s = {sendbuf, sendcounts, displs, sendtype};
  gb_receive_buffer r = {recvbuf, recvcount, recvtype};
  gb_comm *c;
  size_t receive_bytes = 0;
  int receivers, rc = gb_comm_find(comm, NULL, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL) {
    rc = gb_scatterv_receivers(comm, root, &receivers);
    return rc == MPI_SUCCESS ? gb_own_scatterv(&s, &r, root, comm, receivers) : rc;
  }
  gb_rank_schedule *schedule = NULL;
  rc = gb_check_scatterv(c, &s, &r, root, &receive_bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_comm_enter(c);
  if (rc == MPI_SUCCESS && c->left == GB_LEFT_NOTHING)
    rc = gb_api_schedule(c, GBCAST_SCATTER, GB_NOMINAL_BLOCK, root, &schedule);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  return schedule != NULL && !is_native(schedule) && gb_api_planned(c, schedule, SIZE_MAX)
             ? gb_raise(comm, planned(c, schedule, &s, &r, root, receive_bytes))
             : native(c, schedule, &s, &r, root, receive_bytes);
}
