/* Whether all ranks make the same call. The first time that a schedule is used each rank has a hash of it,
 * and the greatest and the least of all ranks are found by a non-blocking MPI_Iallreduce beside the data:
 *
 *   data     |0|1|2|3|...
 *   hashes   |------>|          nobody waits for it before a byte is sent
 *
 * No rank returns before it is known, because bytes of another call may have arrived in its place. A rank
 * that makes a call which it has made before does not take part, and may wait for ever, as in MPI. */
#ifndef GB_MPI_EXEC_AGREE_H
#define GB_MPI_EXEC_AGREE_H

#include "mpi/exec/run.h"

/* All ranks have compared. MPI_SUCCESS, or MPI_ERR_ARG: they differ. */
int gb_agree_done(gb_run *run);

/* The same for a run that has failed: waits for it. */
int gb_agree_wait(gb_run *run);

#endif
