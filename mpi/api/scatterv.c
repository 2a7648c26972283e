/* gbcast_scatterv(). Only the root knows the counts, so the schedule is that of blocks of 64 KiB. First the
 * byte counts go down the trees, eight bytes for each rank in each, and right behind them the blocks: nobody
 * waits for an answer in between. */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"
#include <stdlib.h>

/* Sends the lengths of all blocks; each rank receives those of its subtrees. */
static int run_lengths(gb_api_call *x, gb_transfer *t) {
  int rc = gb_lengths_new(x, t, gb_is_root(x) ? &t->send : NULL, &t->packed);
  if (rc == MPI_SUCCESS && t->packed != NULL)
    rc = gb_lengths_pack(x, &t->send, t->lengths, t->packed);
  if (rc == MPI_SUCCESS && gb_is_root(x))
    gb_lengths_order(x, t->lengths);
  if (rc != MPI_SUCCESS)
    return rc;
  t->blocks = gb_blocks_new(&x->h, sizeof *t->lengths->block, NULL, true);
  if (t->blocks == NULL)
    return MPI_ERR_NO_MEM;
  if (gb_is_root(x))
    gb_blocks_at_root(t->blocks, (const char *)t->lengths->of_rank, NULL);
  return gb_blocks_run(&x->h, t->blocks, (char *)t->lengths->block);
}

static int begin(gb_api_call *x, gb_transfer *t) {
  if (x->h.part == 1) /* the first run */
    return run_lengths(x, t);
  t->block = t->lengths->block[x->h.schedule->tree->own_at]; /* this rank's */
  return gb_scatter_run(x, t, t->packed != NULL ? t->packed : t->send.buf);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  gb_mpi_lengths n;
  const int rc = gb_lengths_for_mpi(t, s, x->sizes.sends, r->count, &n);
  return rc != MPI_SUCCESS
             ? rc
             : gb_handle_native(&x->h, GB_NATIVE(request, GB_LARGE(PMPI_Scatterv), GB_LARGE(PMPI_Iscatterv),
                                                 s->buf, n.count, n.place, s->type, r->buf, n.other, r->type,
                                                 x->h.root, x->h.comm));
}

/* Counts in int may not be enough for the root's. */
const gb_collective gb_api_scatterv = {.kind = GB_CALL_scatterv,
                                       .operation = GBCAST_SCATTER,
                                       .name = "a scatterv",
                                       .flow = GB_ROOT_TO_ALL,
                                       .lengths = true,
                                       .nominal = GB_NOMINAL_BLOCK,
                                       .never_native = MPI_VERSION < 4,
                                       .runs = 2,
                                       .sums = &gb_api_scatter,
                                       .check = gb_check_blocks,
                                       .begin = begin,
                                       .end = gb_scatter_end,
                                       .native = native};
