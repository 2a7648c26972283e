/* Whether all ranks of the job have the preloaded library. */
#ifndef GB_MPI_PMPI_START_H
#define GB_MPI_PMPI_START_H

#include "mpi/api/api.h"
#include <stdbool.h>

/* Called at the end of MPI_Init, collective among the ranks that have the library. Fills in parent, node,
 * leader and requests. false on every rank: all calls are passed on to MPI. There is one rank only or no
 * hosts file, or some ranks lack the library or have GBCAST_DISABLE set, which is printed. */
bool gb_start(gb_preload *preload);

#endif
