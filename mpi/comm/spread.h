/* A block of bytes from rank 0 to all, before there is a plan. */
#ifndef GB_MPI_COMM_SPREAD_H
#define GB_MPI_COMM_SPREAD_H

#include "mpi/comm/state.h"

/* Sends the block from rank 0, which comes last, to all; collective. Calls under way get on meanwhile. On the
 * other ranks it is allocated. A length of 0 on rank 0 is an MPI_ERR_NO_MEM on all. */
int gb_spread(const gb_comm *c, char **bytes, size_t *length);

#endif
