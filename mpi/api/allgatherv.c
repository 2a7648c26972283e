/* gbcast_allgatherv(). All ranks know the counts of all blocks, so the call is planned for what they sum to.
 */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"

static int begin(gb_api_call *x, gb_transfer *t) {
  const int rc = gb_lengths_new(x, t, &t->receive, &t->unpacked);
  if (rc != MPI_SUCCESS)
    return rc;
  gb_lengths_order(x, t->lengths);
  return gb_allgather_run(x, t, t->unpacked != NULL ? t->unpacked : t->receive.buf);
}

static int end(gb_api_call *x, gb_transfer *t) {
  const int rc = gb_allgather_take(t);
  return rc == MPI_SUCCESS ? gb_lengths_unpack(x, t) : rc;
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  gb_mpi_lengths n;
  const int rc = gb_lengths_for_mpi(t, r, x->sizes.receives, s->count, &n);
  return rc != MPI_SUCCESS
             ? rc
             : gb_handle_native(&x->h, GB_NATIVE(request, GB_LARGE(PMPI_Allgatherv),
                                                 GB_LARGE(PMPI_Iallgatherv), s->buf, n.other, s->type, r->buf,
                                                 n.count, n.place, r->type, x->h.comm));
}

const gb_collective gb_api_allgatherv = {.kind = GB_CALL_allgatherv,
                                         .operation = GBCAST_ALLGATHER,
                                         .name = "an allgatherv",
                                         .flow = GB_EACH_TO_ALL,
                                         .lengths = true,
                                         .never_native = MPI_VERSION < 4,
                                         .runs = 1,
                                         .sums = &gb_api_allgather,
                                         .check = gb_check_blocks,
                                         .begin = begin,
                                         .end = end,
                                         .native = native};
