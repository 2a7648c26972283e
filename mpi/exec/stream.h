/* The data of all trees: receives are posted ahead, segments are sent on. */
#ifndef GB_MPI_EXEC_STREAM_H
#define GB_MPI_EXEC_STREAM_H

#include "mpi/exec/run.h"

/* Posts what can be posted now. Of the segments that can be sent, those go first in whose tree this rank has
 * done the smallest part of its sends, as in the simulation (plan/sim/simulate.c). An MPI error code. */
int gb_stream_pump(gb_run *run);

/* A receive or a send has completed. */
void gb_stream_received(gb_run *run, const gb_request *request);
void gb_stream_sent(gb_run *run, const gb_request *request);

#endif
