/* Receiving the data of all trees. */
#ifndef GB_MPI_EXEC_RECEIVE_H
#define GB_MPI_EXEC_RECEIVE_H

#include "mpi/exec/run.h"

/* Posts as many receives as the windows of the trees ask for. An MPI error code. */
int gb_receive_post(gb_run *run);

/* A receive has completed. */
void gb_receive_done(gb_run *run, const gb_request *request);

#endif
