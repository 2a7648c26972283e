/* gbcast_allreduce(). */
#include "mpi/api/reducing.h"
#include <limits.h>

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  return gb_reducing_check(what, c, a, sizes);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const void *send = t->send.buf;
  void *receive = t->receive.buf;
  const MPI_Datatype type = gb_reducing_type(t);
#if MPI_VERSION >= 4
  const MPI_Count count = t->receive.count;
  const int rc = request == NULL ? PMPI_Allreduce_c(send, receive, count, type, t->op, x->h.comm)
                                 : PMPI_Iallreduce_c(send, receive, count, type, t->op, x->h.comm, request);
#else
  if (t->receive.count > INT_MAX)
    return MPI_ERR_COUNT;
  const int count = (int)t->receive.count;
  const int rc = request == NULL ? PMPI_Allreduce(send, receive, count, type, t->op, x->h.comm)
                                 : PMPI_Iallreduce(send, receive, count, type, t->op, x->h.comm, request);
#endif
  return gb_handle_native(&x->h, rc);
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
