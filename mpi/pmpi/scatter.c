/* MPI_Scatter() and MPI_Scatter_c(). */
#include "mpi/pmpi/call.h"
#include <gbcast/gbcast.h>

/* What is received matters but at the root, which may receive in place. */
static gb_call begin(MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm) {
  gb_call call = gb_call_begin(GB_CALL_SCATTER, comm);
  if (gb_call_is_root(&call, root, comm))
    gb_call_decide(&call, sendcount, sendtype, root);
  else
    gb_call_decide(&call, recvcount, recvtype, root);
  return call;
}

GBCAST_API int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  gb_call call = begin(sendcount, sendtype, recvcount, recvtype, root, comm);
  return gb_call_end(
      &call, call.taken
                 ? gbcast_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
                 : PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

#if MPI_VERSION >= 4
GBCAST_API int MPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  gb_call call = begin(sendcount, sendtype, recvcount, recvtype, root, comm);
  return gb_call_end(
      &call, call.taken
                 ? gbcast_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
                 : PMPI_Scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}
#endif
