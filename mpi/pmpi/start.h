/* Whether all ranks of the job have the preloaded library. */
#ifndef GB_PMPI_START_H
#define GB_PMPI_START_H

#include "mpi/preload.h"
#include <stdbool.h>

/* At the end of MPI_Init, collective among the ranks that have the library. Fills parent, node and leader. false: all
 * calls are passed on to MPI, on every rank: there is no hosts file, or GBCAST_DISABLE is set on some rank,
 * or some have no library, which is told. */
bool gb_start(gb_preload *preload);

#endif
