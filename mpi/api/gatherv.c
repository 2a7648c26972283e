/* gbcast_gatherv(). Each rank knows the count of its own block, and only the root those of all, so the
 * schedule is that of blocks of 64 KiB. First the byte counts go up the trees, eight bytes for each rank in
 * each, and right behind them the blocks. The root compares the counts with its own. */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"
#include <stdlib.h>

/* Elsewhere than at the root: this rank's length, in the stream of each tree. */
static void set_own_length(const gb_api_call *x, const gb_transfer *t) {
  const gb_rank_schedule *schedule = x->h.schedule;
  uint64_t *stream = t->lengths->block;
  for (uint32_t i = 0; i < schedule->tree_count; i++) {
    stream[schedule->tree[i].own_at] = t->block;
    stream += schedule->tree[i].subtree;
  }
}

/* Sends the lengths of all blocks to the root; each rank receives those of its subtrees. */
static int run_lengths(gb_api_call *x, gb_transfer *t) {
  int rc = gb_lengths_new(x, t, gb_is_root(x) ? &t->receive : NULL, &t->unpacked);
  gb_lengths *l = t->lengths;
  t->blocks = gb_blocks_new(&x->h, sizeof *l->block, NULL, true);
  if (rc != MPI_SUCCESS || t->blocks == NULL)
    return rc != MPI_SUCCESS ? rc : MPI_ERR_NO_MEM;
  if (!gb_is_root(x)) {
    set_own_length(x, t);
    return gb_blocks_run(&x->h, t->blocks, (char *)l->block);
  }
  l->told = malloc((size_t)x->h.c->wire.size * sizeof *l->told);
  if (l->told == NULL)
    return MPI_ERR_NO_MEM;
  gb_blocks_at_root(t->blocks, (const char *)l->told, NULL);
  t->staged = gb_get_staging(&x->h, gb_blocks_room(t->blocks));
  return t->staged != NULL ? gb_blocks_run(&x->h, t->blocks, t->staged) : MPI_ERR_NO_MEM;
}

/* At the root, where some ranks give other lengths than it expects: all blocks go to memory of this call, so
 * that nothing that was sent stays behind; and the call fails. An error class. */
static int accept_lengths(const gb_api_call *x, gb_transfer *t) {
  gb_lengths *l = t->lengths;
  size_t total = 0;
  l->told[x->h.root] = l->of_rank[x->h.root];
  for (int r = 0; r < x->h.c->wire.size; r++)
    l->differ = l->differ || l->told[r] != l->of_rank[r];
  if (!l->differ)
    return MPI_SUCCESS;
  for (int r = 0; r < x->h.c->wire.size; r++) {
    l->of_rank[r] = l->told[r];
    l->place[r] = (ptrdiff_t)total;
    total += l->told[r];
  }
  gb_end_staging(&x->h, &t->unpacked);
  t->unpacked = gb_get_staging(&x->h, total);
  return t->unpacked != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int begin(gb_api_call *x, gb_transfer *t) {
  if (x->h.part == 1) /* the first run */
    return run_lengths(x, t);
  const int rc = gb_is_root(x) ? accept_lengths(x, t) : MPI_SUCCESS;
  if (rc != MPI_SUCCESS)
    return rc;
  if (gb_is_root(x))
    gb_lengths_order(x, t->lengths);
  gb_end_staging(&x->h, &t->staged);
  return gb_gather_run(x, t, t->unpacked != NULL ? t->unpacked : t->receive.buf);
}

/* At the root: out of the copy of all blocks, if there is one. */
static int end(gb_api_call *x, gb_transfer *t) {
  return t->lengths->differ ? MPI_ERR_TRUNCATE : gb_lengths_unpack(x, t);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  gb_mpi_lengths n;
  const int rc = gb_lengths_for_mpi(t, r, x->sizes.receives, s->count, &n);
  return rc != MPI_SUCCESS
             ? rc
             : gb_handle_native(&x->h, GB_NATIVE(request, GB_LARGE(PMPI_Gatherv), GB_LARGE(PMPI_Igatherv),
                                                 s->buf, n.other, s->type, r->buf, n.count, n.place, r->type,
                                                 x->h.root, x->h.comm));
}

/* Counts in int may not be enough for the root's. */
const gb_collective gb_api_gatherv = {.kind = GB_CALL_gatherv,
                                      .operation = GBCAST_GATHER,
                                      .name = "a gatherv",
                                      .flow = GB_ALL_TO_ROOT,
                                      .lengths = true,
                                      .nominal = GB_NOMINAL_BLOCK,
                                      .never_native = MPI_VERSION < 4,
                                      .runs = 2,
                                      .sums = &gb_api_gather,
                                      .check = gb_check_blocks,
                                      .begin = begin,
                                      .end = end,
                                      .native = native};
