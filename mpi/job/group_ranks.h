/* The ranks of a communicator as they are numbered in a group, or in another communicator. */
#ifndef GB_MPI_JOB_GROUP_RANKS_H
#define GB_MPI_JOB_GROUP_RANKS_H

#include <mpi.h>

/* Local. (*in)[r] is the rank that rank r of `comm` has there, or MPI_UNDEFINED; `size` of them, to be freed.
 * An MPI error code, after which *in is NULL. */
int gb_group_ranks(MPI_Comm comm, int size, MPI_Group group, int **in);
int gb_comm_ranks(MPI_Comm comm, int size, MPI_Comm other, int **in);

#endif
