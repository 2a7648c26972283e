/* Receives what a failed call, or an offer that nobody waited for (offer.h), has left between the ranks,
 * before the communicator is freed. */
#ifndef GB_MPI_EXEC_SWEEP_H
#define GB_MPI_EXEC_SWEEP_H

#include "mpi/job/job.h"

/* Collective; called when no rank is in a call any more, and none listens. An MPI error code. */
int gb_sweep(gb_wire *w);

#endif
