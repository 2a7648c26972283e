/* gbcast_allgather(). */
#include "mpi/api/blocks.h"
#include "mpi/api/collective.h"

static int begin(gb_api_call *x, gb_transfer *t) {
  char *base = NULL;
  const int rc = gb_place_received(x, t, t->block * (size_t)x->h.c->wire.size, false, &base);
  return rc == MPI_SUCCESS ? gb_allgather_run(x, t, base) : rc;
}

static int end(gb_api_call *x, gb_transfer *t) {
  const int rc = gb_allgather_take(t);
  return rc == MPI_SUCCESS ? gb_unpack_received(x, t, t->block * (size_t)x->sizes.receives) : rc;
}

static int native(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                  const gb_counted *receive, MPI_Request *request) {
  return GB_NATIVE(request, PMPI_Allgather, PMPI_Iallgather, t->send.buf, send->count, send->type,
                   t->receive.buf, receive->count, receive->type, x->h.comm);
}

const gb_collective gb_api_allgather = {.kind = GB_CALL_allgather,
                                        .operation = GBCAST_ALLGATHER,
                                        .name = "an allgather",
                                        .flow = GB_EACH_TO_ALL,
                                        .runs = 1,
                                        .sums = &gb_api_allgather,
                                        .check = gb_check_blocks,
                                        .begin = begin,
                                        .end = end,
                                        .native_counted = native};
