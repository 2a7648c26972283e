/* MPI_Alltoall() and MPI_Alltoall_c(). */
#include "mpi/pmpi/call.h"
#include <gbcast/gbcast.h>

static gb_call begin(MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  gb_call call = gb_call_begin(GB_CALL_ALLTOALL, comm);
  gb_call_decide(&call, recvcount, recvtype, 0);
  return call;
}

GBCAST_API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  gb_call call = begin(recvcount, recvtype, comm);
  return gb_call_end(
      &call, call.taken ? gbcast_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
                        : PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

#if MPI_VERSION >= 4
GBCAST_API int MPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  gb_call call = begin(recvcount, recvtype, comm);
  return gb_call_end(
      &call, call.taken ? gbcast_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
                        : PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
#endif
