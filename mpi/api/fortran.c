/* The functions that gbcast.f90 calls. Handles are Fortran's integers, which only MPICH and its derivatives
 * use in C as well. They are converted to handles of the program's MPI library and passed on as words. */
#include "mpi/api/exported.h"
#include <gbcast/gbcast.h>

static gb_word type_of(MPI_Fint type) {
  return gb_library_is_ours() ? (gb_word)MPI_Type_f2c(type) : gb_foreign_type(type);
}

static gb_word comm_of(MPI_Fint comm) {
  return gb_library_is_ours() ? (gb_word)MPI_Comm_f2c(comm) : gb_foreign_comm(comm);
}

GBCAST_API int gbcast_f(void *buf, size_t n, int root, MPI_Fint comm) {
  return gb_exported_gbcast(buf, n, root, comm_of(comm));
}

GBCAST_API int gbcast_bcast_f(void *buf, MPI_Count count, MPI_Fint type, int root, MPI_Fint comm) {
  return gb_exported_bcast(buf, count, type_of(type), root, comm_of(comm));
}

GBCAST_API int gbcast_scatter_f(const void *sendbuf, MPI_Count sendcount, MPI_Fint sendtype, void *recvbuf,
                                MPI_Count recvcount, MPI_Fint recvtype, int root, MPI_Fint comm) {
  return gb_exported_scatter(sendbuf, sendcount, type_of(sendtype), recvbuf, recvcount, type_of(recvtype),
                             root, comm_of(comm));
}

GBCAST_API int gbcast_scatterv_f(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                                 MPI_Fint sendtype, void *recvbuf, MPI_Count recvcount, MPI_Fint recvtype,
                                 int root, MPI_Fint comm) {
  return gb_exported_scatterv(sendbuf, sendcounts, displs, type_of(sendtype), recvbuf, recvcount,
                              type_of(recvtype), root, comm_of(comm));
}

GBCAST_API int gbcast_alltoall_f(const void *sendbuf, MPI_Count sendcount, MPI_Fint sendtype, void *recvbuf,
                                 MPI_Count recvcount, MPI_Fint recvtype, MPI_Fint comm) {
  return gb_exported_alltoall(sendbuf, sendcount, type_of(sendtype), recvbuf, recvcount, type_of(recvtype),
                              comm_of(comm));
}

GBCAST_API int gbcast_setup_f(MPI_Fint comm, const char *hosts_path, MPI_Fint info) {
  return gb_library_is_ours() ? gbcast_setup(MPI_Comm_f2c(comm), hosts_path, MPI_Info_f2c(info))
                              : MPI_SUCCESS;
}

GBCAST_API int gbcast_refresh_f(MPI_Fint comm) {
  return gb_library_is_ours() ? gbcast_refresh(MPI_Comm_f2c(comm)) : MPI_SUCCESS;
}
