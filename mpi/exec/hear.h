/* Handles headers that arrive during a call. */
#ifndef GB_MPI_EXEC_HEAR_H
#define GB_MPI_EXEC_HEAR_H

#include "mpi/exec/run.h"

/* Handles the header that has arrived at an ear, and posts the next receive. An MPI error code. */
int gb_hear(gb_run *run, unsigned ear, const MPI_Status *status);

/* At the end of a call, if it has failed or moves much data: looks for headers a last time. *heard: one had
 * arrived and was handled, and this rank still listens. In other calls, headers that have arrived since this
 * rank last waited are handled before or in the next call. An MPI error code. */
int gb_hear_last(gb_run *run, bool *heard);

#endif
