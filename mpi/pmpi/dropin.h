/* What the preloaded library remembers of a process. */
#ifndef GB_PMPI_DROPIN_H
#define GB_PMPI_DROPIN_H

#include "mpi/pmpi/tally.h"
#include "mpi/preload.h"
#include <stdatomic.h>
#include <stdbool.h>

typedef struct gb_dropin {
  atomic_bool ending; /* MPI_Finalize has begun: all is passed on, and still counted */
  atomic_bool closed; /* the counts have been told */
  bool active;        /* calls may be taken */
  bool counts;        /* rank 0 of MPI_COMM_WORLD with GBCAST_VERBOSE */
  gb_preload preload;
  gb_tally tally;
} gb_dropin;

/* This process's, made by MPI_Init or, where that was not seen, by the first call; NULL: MPI is not
 * initialized, or has ended, or is another one than the library was built for, or there is no memory. */
gb_dropin *gb_dropin_get(void);

#endif
