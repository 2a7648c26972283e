/* Which channels may begin, and what follows when one is over. */
#ifndef GB_MPI_EXEC_CHANNELS_H
#define GB_MPI_EXEC_CHANNELS_H

#include "mpi/exec/run.h"

/* At the beginning of the run: finds those that come after none. */
void gb_channels_start(gb_run *run);

/* Begins all that may, but for the sends of trees (send.h). An MPI error code. */
int gb_channels_begin(gb_run *run);

/* All bytes of a channel have arrived, or have been sent. */
void gb_channel_over(gb_run *run, uint32_t channel);

#endif
