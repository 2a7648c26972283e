/* Calls of a program that runs with another MPI library. */
#include "mpi/api/foreign.h"
#include <limits.h>
#include <stdlib.h>

/* MPI's functions as the dynamic linker finds them for the program, declared without types of mpi.h. */
int foreign_bcast(void *buf, int count, gb_word type, int root, gb_word comm) __asm__("MPI_Bcast");
int foreign_scatter(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                    gb_word recvtype, int root, gb_word comm) __asm__("MPI_Scatter");
int foreign_scatterv(const void *sendbuf, const int *sendcounts, const int *displs, gb_word sendtype,
                     void *recvbuf, int recvcount, gb_word recvtype, int root,
                     gb_word comm) __asm__("MPI_Scatterv");
int foreign_gather(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                   gb_word recvtype, int root, gb_word comm) __asm__("MPI_Gather");
int foreign_gatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                    const int *recvcounts, const int *displs, gb_word recvtype, int root,
                    gb_word comm) __asm__("MPI_Gatherv");
int foreign_allgather(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                      gb_word recvtype, gb_word comm) __asm__("MPI_Allgather");
int foreign_allgatherv(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf,
                       const int *recvcounts, const int *displs, gb_word recvtype,
                       gb_word comm) __asm__("MPI_Allgatherv");
int foreign_alltoall(const void *sendbuf, int sendcount, gb_word sendtype, void *recvbuf, int recvcount,
                     gb_word recvtype, gb_word comm) __asm__("MPI_Alltoall");
int foreign_alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, gb_word sendtype,
                      void *recvbuf, const int *recvcounts, const int *rdispls, gb_word recvtype,
                      gb_word comm) __asm__("MPI_Alltoallv");
int foreign_reduce(const void *sendbuf, void *recvbuf, int count, gb_word type, gb_word op, int root,
                   gb_word comm) __asm__("MPI_Reduce");
int foreign_allreduce(const void *sendbuf, void *recvbuf, int count, gb_word type, gb_word op,
                      gb_word comm) __asm__("MPI_Allreduce");
int foreign_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, gb_word type, gb_word op,
                                 gb_word comm) __asm__("MPI_Reduce_scatter_block");
int foreign_barrier(gb_word comm) __asm__("MPI_Barrier");
int foreign_rank(gb_word comm, int *rank) __asm__("PMPI_Comm_rank");
int foreign_size(gb_word comm, int *size) __asm__("PMPI_Comm_size");

static bool fits(MPI_Count count) {
  return count >= INT_MIN && count <= INT_MAX;
}

int gb_foreign_bcast(GB_PARAMETERS_bcast(MPI_Count, MPI_Aint, gb_word)) {
  return fits(count) ? foreign_bcast(buf, (int)count, type, root, comm) : MPI_ERR_COUNT;
}

int gb_foreign_scatter(GB_PARAMETERS_scatter(MPI_Count, MPI_Aint, gb_word)) {
  return fits(sendcount) && fits(recvcount) ? foreign_scatter(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                              (int)recvcount, recvtype, root, comm)
                                            : MPI_ERR_COUNT;
}

int gb_foreign_gather(GB_PARAMETERS_gather(MPI_Count, MPI_Aint, gb_word)) {
  return fits(sendcount) && fits(recvcount) ? foreign_gather(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                             (int)recvcount, recvtype, root, comm)
                                            : MPI_ERR_COUNT;
}

int gb_foreign_allgather(GB_PARAMETERS_allgather(MPI_Count, MPI_Aint, gb_word)) {
  return fits(sendcount) && fits(recvcount)
             ? foreign_allgather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm)
             : MPI_ERR_COUNT;
}

int gb_foreign_alltoall(GB_PARAMETERS_alltoall(MPI_Count, MPI_Aint, gb_word)) {
  return fits(sendcount) && fits(recvcount)
             ? foreign_alltoall(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm)
             : MPI_ERR_COUNT;
}

int gb_foreign_barrier(GB_PARAMETERS_barrier(MPI_Count, MPI_Aint, gb_word)) {
  return foreign_barrier(comm);
}

int gb_foreign_reduce(GB_PARAMETERS_reduce(MPI_Count, MPI_Aint, gb_word)) {
  return fits(count) ? foreign_reduce(sendbuf, recvbuf, (int)count, type, op, root, comm) : MPI_ERR_COUNT;
}

int gb_foreign_allreduce(GB_PARAMETERS_allreduce(MPI_Count, MPI_Aint, gb_word)) {
  return fits(count) ? foreign_allreduce(sendbuf, recvbuf, (int)count, type, op, comm) : MPI_ERR_COUNT;
}

int gb_foreign_reduce_scatter_block(GB_PARAMETERS_reduce_scatter_block(MPI_Count, MPI_Aint, gb_word)) {
  return fits(recvcount) ? foreign_reduce_scatter_block(sendbuf, recvbuf, (int)recvcount, type, op, comm)
                         : MPI_ERR_COUNT;
}

/* The counts and places of rank `root`, or with ALL of each rank, in int: *count, to be freed, and behind
 * them *place. An error class. */
enum { ALL = -1 };
static int convert(const MPI_Count *counts, const MPI_Aint *displs, int root, gb_word comm, int **count,
                   int **place) {
  int rank, size, rc = foreign_rank(comm, &rank);
  bool fit = true;
  if (rc == MPI_SUCCESS)
    rc = foreign_size(comm, &size);
  *count = rc == MPI_SUCCESS ? malloc(2 * sizeof **count * (size_t)size) : NULL;
  if (*count == NULL)
    return rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
  *place = *count + size;
  for (int i = 0; (rank == root || root == ALL) && i < size; i++) {
    fit = fit && fits(counts[i]) && fits(displs[i]);
    (*count)[i] = (int)counts[i];
    (*place)[i] = (int)displs[i];
  }
  return fit ? MPI_SUCCESS : MPI_ERR_COUNT;
}

int gb_foreign_scatterv(GB_PARAMETERS_scatterv(MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(sendcounts, displs, root, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(recvcount) ? foreign_scatterv(sendbuf, count, place, sendtype, recvbuf, (int)recvcount,
                                            recvtype, root, comm)
                         : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_gatherv(GB_PARAMETERS_gatherv(MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(recvcounts, displs, root, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(sendcount)
             ? foreign_gatherv(sendbuf, (int)sendcount, sendtype, recvbuf, count, place, recvtype, root, comm)
             : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_allgatherv(GB_PARAMETERS_allgatherv(MPI_Count, MPI_Aint, gb_word)) {
  int *count, *place, rc = convert(recvcounts, displs, ALL, comm, &count, &place);
  if (rc == MPI_SUCCESS)
    rc = fits(sendcount)
             ? foreign_allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, count, place, recvtype, comm)
             : MPI_ERR_COUNT;
  free(count);
  return rc;
}

int gb_foreign_alltoallv(GB_PARAMETERS_alltoallv(MPI_Count, MPI_Aint, gb_word)) {
  int *count[2] = {NULL, NULL}, *place[2] = {NULL, NULL}, rc = MPI_SUCCESS;
  if (sendcounts != NULL && sdispls != NULL) /* they may be missing where data are sent in place */
    rc = convert(sendcounts, sdispls, ALL, comm, &count[0], &place[0]);
  if (rc == MPI_SUCCESS)
    rc = convert(recvcounts, rdispls, ALL, comm, &count[1], &place[1]);
  if (rc == MPI_SUCCESS)
    rc =
        foreign_alltoallv(sendbuf, count[0], place[0], sendtype, recvbuf, count[1], place[1], recvtype, comm);
  free(count[0]);
  free(count[1]);
  return rc;
}

#ifdef OPEN_MPI /* the other library is MPICH or a derivative, whose handles are Fortran's integers */
gb_word gb_foreign_type(MPI_Fint type) {
  return (gb_word)type;
}

gb_word gb_foreign_op(MPI_Fint op) {
  return (gb_word)op;
}

gb_word gb_foreign_comm(MPI_Fint comm) {
  return (gb_word)comm;
}
#else /* the other library is Open MPI or a derivative; MPICH itself need not have these functions */
gb_word foreign_type_f2c(MPI_Fint type) __asm__("PMPI_Type_f2c") __attribute__((weak));
gb_word foreign_op_f2c(MPI_Fint op) __asm__("PMPI_Op_f2c") __attribute__((weak));
gb_word foreign_comm_f2c(MPI_Fint comm) __asm__("PMPI_Comm_f2c") __attribute__((weak));

gb_word gb_foreign_type(MPI_Fint type) {
  return foreign_type_f2c != NULL ? foreign_type_f2c(type) : (gb_word)type;
}

gb_word gb_foreign_op(MPI_Fint op) {
  return foreign_op_f2c != NULL ? foreign_op_f2c(op) : (gb_word)op;
}

gb_word gb_foreign_comm(MPI_Fint comm) {
  return foreign_comm_f2c != NULL ? foreign_comm_f2c(comm) : (gb_word)comm;
}
#endif
