/* gbcast_reduce(). */
#include "mpi/api/reducing.h"

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const int rc = gb_check_root(c, a->root);
  return rc == MPI_SUCCESS ? gb_reducing_check(what, c, a, sizes) : rc;
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  gb_mpi_count n;
  if (!gb_count_for_mpi(t->receive.count, &n))
    return MPI_ERR_COUNT;
  return gb_handle_native(&x->h,
                          GB_NATIVE(request, GB_LARGE(PMPI_Reduce), GB_LARGE(PMPI_Ireduce), t->send.buf,
                                    t->receive.buf, n, gb_reducing_type(t), t->op, x->h.root, x->h.comm));
}

const gb_collective gb_api_reduce = {.kind = GB_CALL_reduce,
                                     .operation = GBCAST_REDUCE,
                                     .name = "a reduction",
                                     .flow = GB_ALL_TO_ROOT,
                                     .runs = 1,
                                     .check = check,
                                     .begin = gb_reducing_begin,
                                     .end = gb_reducing_end,
                                     .native = native};
