/* MPI_Scatter(), MPI_Scatter_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

int gb_pmpi_scatter(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                    gb_word recvtype, int root, gb_word comm) {
  const gb_arguments a =
      gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin(GB_CALL_SCATTER, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->scatter(sendbuf, sendcount, sendtype, recvbuf,
                                                                    recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatter(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, int root, gb_word comm, void *request) {
  const gb_arguments a =
      gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_ISCATTER, &a, request);
  return call.taken
             ? gb_request_take(&call, &a, NULL, request)
             : gb_call_end(&call, gb_next_in_line()->iscatter(sendbuf, sendcount, sendtype, recvbuf,
                                                              recvcount, recvtype, root, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_scatter_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                      MPI_Count recvcount, gb_word recvtype, int root, gb_word comm) {
  const gb_arguments a =
      gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin(GB_CALL_SCATTER, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->scatter_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                      recvcount, recvtype, root, comm));
}

int gb_pmpi_iscatter_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, int root, gb_word comm, void *request) {
  const gb_arguments a =
      gb_scatter_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_ISCATTER, &a, request);
  return call.taken
             ? gb_request_take(&call, &a, NULL, request)
             : gb_call_end(&call, gb_next_in_line()->iscatter_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                recvcount, recvtype, root, comm, request));
}
#endif
