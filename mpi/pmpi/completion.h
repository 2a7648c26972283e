/* Requests of MPI that this process completes itself: all functions of MPI take them. */
#ifndef GB_MPI_PMPI_COMPLETION_H
#define GB_MPI_PMPI_COMPLETION_H

#include "mpi/pmpi/dropin.h"

typedef struct gb_completion gb_completion;

/* Makes a request that is not complete, for the program. An MPI error code. */
int gb_completion_open(gb_dropin *d, gb_completion **out, MPI_Request *request);

/* Completes it, and frees the rest. code: with MPI_SUCCESS or with an error. */
void gb_completion_end(gb_completion *c, int code);

#endif
