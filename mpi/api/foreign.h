/* Calls of a program that runs with another MPI library than this one was built for (mpi/job/library.h). They
 * are passed on to that library with handles as words and counts of type int. */
#ifndef GB_MPI_API_FOREIGN_H
#define GB_MPI_API_FOREIGN_H

#include "mpi/job/job.h"

int gb_foreign_bcast(void *buf, MPI_Count count, gb_word type, int root, gb_word comm);
int gb_foreign_scatter(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                       MPI_Count recvcount, gb_word recvtype, int root, gb_word comm);
int gb_foreign_scatterv(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                        gb_word sendtype, void *recvbuf, MPI_Count recvcount, gb_word recvtype, int root,
                        gb_word comm);
int gb_foreign_alltoall(const void *sendbuf, MPI_Count sendcount, gb_word sendtype, void *recvbuf,
                        MPI_Count recvcount, gb_word recvtype, gb_word comm);

/* The other library's handles for Fortran's. */
gb_word gb_foreign_type(MPI_Fint type);
gb_word gb_foreign_comm(MPI_Fint comm);

#endif
