/* Streams that nobody here wants, taken in so that their senders can leave. */
#ifndef GB_MPI_EXEC_DRAIN_H
#define GB_MPI_EXEC_DRAIN_H

#include "mpi/exec/run.h"

/* Takes in the stream that was announced by `h`. */
int gb_drain(gb_run *run, const gb_header *h, int source);

/* A message of such a stream has come: on to the next. Takes slot->copy over. */
int gb_drain_next(gb_run *run, const gb_slot *slot);

#endif
