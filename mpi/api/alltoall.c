/* gbcast_alltoall(). */
#include "mpi/api/collective.h"

/* What is sent in place is copied, too, as blocks come before all others have gone. */
static int begin(gb_api_call *x, gb_transfer *t) {
  const bool in_place = t->send.buf == MPI_IN_PLACE;
  char *send, *receive;
  int rc = gb_pack_sent(x, t, in_place ? &t->receive : &t->send, in_place, &send);
  if (rc == MPI_SUCCESS)
    rc = gb_place_received(x, t, t->block * (size_t)x->h.c->wire.size, false, &receive);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  return rc == MPI_SUCCESS ? gb_run_exchange(x->h.run, &(gb_block_list){send, t->block, NULL, NULL},
                                             &(gb_block_list){receive, t->block, NULL, NULL})
                           : rc;
}

static int end(gb_api_call *x, gb_transfer *t) {
  return gb_unpack_received(x, t, t->block * (size_t)x->h.c->wire.size);
}

static int native(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                  const gb_counted *receive, MPI_Request *request) {
  return GB_NATIVE(request, PMPI_Alltoall, PMPI_Ialltoall, t->send.buf, send->count, send->type,
                   t->receive.buf, receive->count, receive->type, x->h.comm);
}

const gb_collective gb_api_alltoall = {.kind = GB_CALL_alltoall,
                                       .operation = GBCAST_ALLTOALL,
                                       .name = "an all-to-all",
                                       .runs = 1,
                                       .sums = &gb_api_alltoall,
                                       .check = gb_check_blocks,
                                       .begin = begin,
                                       .end = end,
                                       .native_counted = native};
