/* A block of bytes from rank 0 to all, before there is a plan. */
#ifndef GB_MPI_COMM_SPREAD_H
#define GB_MPI_COMM_SPREAD_H

#include <mpi.h>
#include <stddef.h>

/* Sends the block from rank 0 to all; collective. On the other ranks it is allocated. A length of 0 on rank 0
 * is an MPI_ERR_NO_MEM on all. */
int gb_spread(char **bytes, size_t *length, MPI_Comm comm);

#endif
