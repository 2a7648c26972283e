/* Receiving. */
#ifndef GB_MPI_EXEC_RECEIVE_H
#define GB_MPI_EXEC_RECEIVE_H

#include "mpi/exec/run.h"

/* Posts as many receives of a channel as its window asks for. An MPI error code. */
int gb_receive_post(gb_run *run, uint32_t channel);

/* A receive has completed, with as many bytes as it should. An MPI error code. */
int gb_receive_done(gb_run *run, const gb_request *request);

#endif
