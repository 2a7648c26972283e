/* MPI_Alltoall(), MPI_Alltoall_c() and their non-blocking forms. */
#include "mpi/api/api.h"
#include "mpi/pmpi/call.h"
#include "mpi/pmpi/request.h"

int gb_pmpi_alltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, gb_word comm) {
  const gb_arguments a =
      gb_alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  const gb_call call = gb_call_begin(GB_CALL_ALLTOALL, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->alltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                                     recvcount, recvtype, comm));
}

int gb_pmpi_ialltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                      gb_word recvtype, gb_word comm, void *request) {
  const gb_arguments a =
      gb_alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_IALLTOALL, &a, request);
  return call.taken ? gb_request_take(&call, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ialltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                                      recvcount, recvtype, comm, request));
}

#if MPI_VERSION >= 4
int gb_pmpi_alltoall_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, gb_word comm) {
  const gb_arguments a =
      gb_alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  const gb_call call = gb_call_begin(GB_CALL_ALLTOALL, &a);
  return gb_call_end(&call, call.taken ? gb_call_take(&call, &a)
                                       : gb_next_in_line()->alltoall_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                       recvcount, recvtype, comm));
}

int gb_pmpi_ialltoall_c(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                        MPI_Count recvcount, gb_word recvtype, gb_word comm, void *request) {
  const gb_arguments a =
      gb_alltoall_arguments(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  const gb_call call = gb_call_begin_at_once(GB_CALL_IALLTOALL, &a, request);
  return call.taken ? gb_request_take(&call, &a, NULL, request)
                    : gb_call_end(&call, gb_next_in_line()->ialltoall_c(sendbuf, sendcount, sendtype, recvbuf,
                                                                        recvcount, recvtype, comm, request));
}
#endif
