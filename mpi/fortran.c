/* What gbcast.f90 calls: handles are Fortran's integers here, which only MPICH uses in C, too. */
#include <gbcast/gbcast.h>

GBCAST_API int gbcast_f(void *buf, size_t n, int root, MPI_Fint comm) {
  return gbcast(buf, n, root, MPI_Comm_f2c(comm));
}

GBCAST_API int gbcast_bcast_f(void *buf, MPI_Count count, MPI_Fint type, int root, MPI_Fint comm) {
  return gbcast_bcast(buf, count, MPI_Type_f2c(type), root, MPI_Comm_f2c(comm));
}

GBCAST_API int gbcast_scatter_f(const void *sendbuf, MPI_Count sendcount, MPI_Fint sendtype, void *recvbuf,
                                MPI_Count recvcount, MPI_Fint recvtype, int root, MPI_Fint comm) {
  return gbcast_scatter(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount,
                        MPI_Type_f2c(recvtype), root, MPI_Comm_f2c(comm));
}

GBCAST_API int gbcast_scatterv_f(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                                 MPI_Fint sendtype, void *recvbuf, MPI_Count recvcount, MPI_Fint recvtype,
                                 int root, MPI_Fint comm) {
  return gbcast_scatterv(sendbuf, sendcounts, displs, MPI_Type_f2c(sendtype), recvbuf, recvcount,
                         MPI_Type_f2c(recvtype), root, MPI_Comm_f2c(comm));
}

GBCAST_API int gbcast_alltoall_f(const void *sendbuf, MPI_Count sendcount, MPI_Fint sendtype, void *recvbuf,
                                 MPI_Count recvcount, MPI_Fint recvtype, MPI_Fint comm) {
  return gbcast_alltoall(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount,
                         MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

GBCAST_API int gbcast_setup_f(MPI_Fint comm, const char *hosts_path, MPI_Fint info) {
  return gbcast_setup(MPI_Comm_f2c(comm), hosts_path, MPI_Info_f2c(info));
}

GBCAST_API int gbcast_refresh_f(MPI_Fint comm) {
  return gbcast_refresh(MPI_Comm_f2c(comm));
}
