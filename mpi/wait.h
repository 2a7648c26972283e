#ifndef GB_MPI_WAIT_H
#define GB_MPI_WAIT_H

#include <mpi.h>

/* MPI_Waitany, which lets others have the processor when nothing completes for a while. */
int gb_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status);

#endif
