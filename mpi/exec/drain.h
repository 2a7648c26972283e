/* Receives streams that this rank has no use for, so that their senders can leave the call. */
#ifndef GB_MPI_EXEC_DRAIN_H
#define GB_MPI_EXEC_DRAIN_H

#include "mpi/exec/run.h"

/* Starts to receive the stream that header `h` from rank `source` announced. An MPI error code. */
int gb_drain(gb_run *run, const gb_header *h, int source);

/* A message of such a stream has arrived: posts the next receive. Takes request->copy over. An MPI error
 * code. */
int gb_drain_next(gb_run *run, const gb_request *request);

#endif
