/* Sending. */
#ifndef GB_MPI_EXEC_SEND_H
#define GB_MPI_EXEC_SEND_H

#include "mpi/exec/run.h"

/* Sends all of a channel that is no tree's. An MPI error code. */
int gb_send_all(gb_run *run, uint32_t channel);

/* Hands MPI all segments of all trees that can be sent now. Trees in which this rank feeds other sites go
 * first, then those of an earlier stage, then those that are furthest behind, as in the simulation
 * (plan/sim/simulate.c). An MPI error code. */
int gb_send_segments(gb_run *run);

/* A send has completed. */
void gb_send_done(gb_run *run, const gb_request *request);

#endif
