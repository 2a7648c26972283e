/* Headers that come during a call. */
#ifndef GB_MPI_EXEC_HEAR_H
#define GB_MPI_EXEC_HEAR_H

#include "mpi/exec/run.h"

/* Deals with the header that has come, and listens on. */
int gb_hear(gb_run *run, unsigned ear, const MPI_Status *status);

/* At the end of a call. *heard: a header came in the last moment, of a call that has failed or moves much,
 * and was dealt with; still listening. Otherwise what has come since this rank last waited is heard before or
 * in the next call. */
int gb_hear_last(gb_run *run, bool *heard);

#endif
