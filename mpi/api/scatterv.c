/* gbcast_scatterv(). Only the root knows the counts, so the schedule is that of blocks of 64 KiB. First the
 * byte counts go down the trees, eight bytes for each rank in each, and right behind them the blocks: nobody
 * waits for an answer in between. */
#include "mpi/api/collective.h"
#include "mpi/api/scattering.h"
#include <limits.h>
#include <stdlib.h>

enum { NOMINAL_BLOCK = 65536 };

/* Of a call that is under way. */
typedef struct gb_lengths {
  uint64_t *block; /* bytes of each, in the order of the streams */
  /* at the root */
  uint64_t *of_rank; /* bytes, */
  ptrdiff_t *place;  /* and where the block lies in what is sent from */
  int *counts;       /* what MPI before version 4 reads, until its call is over */
} gb_lengths;

void gb_lengths_free(gb_lengths *lengths) {
  if (lengths == NULL)
    return;
  free(lengths->block);
  free(lengths->of_rank);
  free(lengths->place);
  free(lengths->counts);
  free(lengths);
}

static int check_each(const gb_comm *c, const gb_buffer *s, int root, size_t *block) {
  int rc = MPI_SUCCESS;
  if (s->counts == NULL || s->places == NULL)
    return MPI_ERR_ARG;
  if (s->type == MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  for (int i = 0; rc == MPI_SUCCESS && i < c->wire.size; i++) {
    size_t bytes = 0;
    rc = gb_check_buffer(c, s->buf, s->counts[i], s->type, &bytes);
    if (i == root)
      *block = bytes;
  }
  return rc;
}

static int check(const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const bool is_root = c->wire.rank == a->root, receives = !is_root || a->receive.buf != MPI_IN_PLACE;
  const gb_buffer *s = &a->send, *r = &a->receive;
  int rc = gb_check_root(c, a->root);
  if (rc == MPI_SUCCESS && receives)
    rc = gb_check_buffer(c, r->buf, r->count, r->type, &sizes->room);
  sizes->block = sizes->room;
  if (rc == MPI_SUCCESS && is_root)
    rc = check_each(c, s, a->root, &sizes->block);
  if (rc == MPI_SUCCESS && is_root && receives && s->counts[a->root] > 0) {
    MPI_Count lower, extent;
    rc = MPI_Type_get_extent_x(s->type, &lower, &extent);
    if (rc == MPI_SUCCESS)
      rc = gb_check_apart((const char *)s->buf + s->places[a->root] * extent, s->type, r);
  }
  sizes->planned = NOMINAL_BLOCK;
  sizes->sends = is_root ? c->wire.size : 0;
  sizes->receives = receives;
  return rc;
}

/* At the root: the lengths of all blocks and their places, in the caller's buffer or in a packed copy. */
static int measure(gb_api_call *x, gb_transfer *t) {
  const gb_wire *w = &x->h.c->wire;
  const gb_buffer *s = &t->send;
  gb_lengths *l = t->lengths;
  MPI_Count lower, extent;
  size_t total = 0, at = 0;
  bool contiguous = true;
  l->of_rank = malloc((size_t)w->size * sizeof *l->of_rank);
  l->place = malloc((size_t)w->size * sizeof *l->place);
  if (l->of_rank == NULL || l->place == NULL)
    return MPI_ERR_NO_MEM;
  int rc = MPI_Type_get_extent_x(s->type, &lower, &extent);
  if (rc == MPI_SUCCESS)
    rc = gb_type_is_contiguous(s->type, &contiguous);
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++) {
    size_t bytes = 0;
    rc = gb_type_bytes(s->counts[i], s->type, &bytes);
    l->of_rank[i] = bytes;
    l->place[i] = (ptrdiff_t)(s->places[i] * extent);
    total += bytes;
  }
  if (rc != MPI_SUCCESS || contiguous)
    return rc;
  t->packed = gb_handle_stage(&x->h, total);
  rc = t->packed == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (int i = 0; rc == MPI_SUCCESS && i < w->size; i++) {
    rc = gb_pack(gb_block_at(s, extent, i), s->counts[i], s->type, t->packed + at, l->of_rank[i], w->local);
    l->place[i] = (ptrdiff_t)at;
    at += l->of_rank[i];
  }
  return rc;
}

/* Sends the lengths of all blocks; each rank receives those of its subtrees. */
static int run_lengths(gb_api_call *x, gb_transfer *t) {
  const gb_rank_schedule *schedule = x->h.schedule;
  const bool is_root = gb_is_root(x);
  gb_lengths *l = t->lengths = calloc(1, sizeof *l);
  uint64_t *next = l != NULL ? malloc(gb_all_subtrees(schedule) * sizeof *next) : NULL;
  if (next == NULL)
    return MPI_ERR_NO_MEM;
  l->block = next;
  const int rc = is_root ? measure(x, t) : MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && is_root && i < schedule->tree_count; i++)
    for (uint32_t k = 0; k < gb_subtree(schedule, i); k++)
      *next++ = l->of_rank[schedule->tree[i].order[k]];
  t->scattering = gb_scattering_new(schedule, sizeof *l->of_rank, NULL, true);
  if (rc != MPI_SUCCESS || t->scattering == NULL)
    return rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
  return is_root ? gb_scattering_send(&x->h, t->scattering, (const char *)l->of_rank, NULL)
                 : gb_scattering_receive(&x->h, t->scattering, NULL, (char *)l->block);
}

static int begin(gb_api_call *x, gb_transfer *t, unsigned run) {
  if (run == 0)
    return run_lengths(x, t);
  const gb_lengths *l = t->lengths;
  gb_scattering_free(t->scattering);
  t->scattering = gb_scattering_new(x->h.schedule, 0, l->block, false);
  t->block = l->block[gb_subtree(x->h.schedule, 0) - 1]; /* this rank's */
  return t->scattering == NULL ? MPI_ERR_NO_MEM
                               : gb_scatter_run(x, t, t->packed != NULL ? t->packed : t->send.buf, l->place);
}

#if MPI_VERSION >= 4
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  const int root = x->h.root;
  return gb_handle_native(&x->h, request == NULL
                                     ? PMPI_Scatterv_c(s->buf, s->counts, s->places, s->type, r->buf,
                                                       r->count, r->type, root, x->h.comm)
                                     : PMPI_Iscatterv_c(s->buf, s->counts, s->places, s->type, r->buf,
                                                        r->count, r->type, root, x->h.comm, request));
}
#else
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  const int root = x->h.root, size = x->sizes.sends;
  if (r->count > INT_MAX)
    return MPI_ERR_COUNT;
  gb_lengths *l = t->lengths = calloc(1, sizeof *l);
  int *count = l != NULL ? malloc(sizeof *count * ((size_t)size * 2 + 1)) : NULL;
  if (count == NULL)
    return MPI_ERR_NO_MEM;
  int *place = count + size;
  l->counts = count;
  for (int i = 0; i < size; i++) {
    if (s->counts[i] > INT_MAX || s->places[i] > INT_MAX || s->places[i] < INT_MIN)
      return MPI_ERR_COUNT;
    count[i] = (int)s->counts[i];
    place[i] = (int)s->places[i];
  }
  return gb_handle_native(&x->h, request == NULL
                                     ? PMPI_Scatterv(s->buf, count, place, s->type, r->buf, (int)r->count,
                                                     r->type, root, x->h.comm)
                                     : PMPI_Iscatterv(s->buf, count, place, s->type, r->buf, (int)r->count,
                                                      r->type, root, x->h.comm, request));
}
#endif

/* Counts in int may not be enough for the root's. */
const gb_collective gb_api_scatterv = {.operation = GBCAST_SCATTER,
                                       .name = "a scatterv",
                                       .rooted = true,
                                       .never_native = MPI_VERSION < 4,
                                       .runs = 2,
                                       .sums = &gb_api_scatter,
                                       .check = check,
                                       .begin = begin,
                                       .end = gb_scatter_end,
                                       .native = native};
