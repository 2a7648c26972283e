/* gbcast_allreduce(). */
#include "mpi/api/reducing.h"

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  return gb_reducing_check(what, c, a, sizes);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  gb_mpi_count n;
  if (!gb_count_for_mpi(t->receive.count, &n))
    return MPI_ERR_COUNT;
  return gb_handle_native(&x->h,
                          GB_NATIVE(request, GB_LARGE(PMPI_Allreduce), GB_LARGE(PMPI_Iallreduce), t->send.buf,
                                    t->receive.buf, n, gb_reducing_type(t), t->op, x->h.comm));
}

const gb_collective gb_api_allreduce = {.kind = GB_CALL_allreduce,
                                        .operation = GBCAST_ALLREDUCE,
                                        .name = "an allreduce",
                                        .flow = GB_EACH_TO_ALL,
                                        .runs = 1,
                                        .check = check,
                                        .begin = gb_reducing_begin,
                                        .end = gb_reducing_end,
                                        .native = native};
