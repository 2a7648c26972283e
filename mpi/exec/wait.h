#ifndef GB_MPI_EXEC_WAIT_H
#define GB_MPI_EXEC_WAIT_H

#include <mpi.h>

/* MPI_Waitany, which lets others have the processor when nothing completes for a while. */
int gb_wait_any(unsigned count, MPI_Request *request, int *at, MPI_Status *status);

/* One look, like MPI_Testany; *at is MPI_UNDEFINED where there is no request. What is complete is found so
 * without a look at the network, which takes system calls. */
int gb_wait_look(unsigned count, MPI_Request *request, int *at, int *done, MPI_Status *status);

#endif
