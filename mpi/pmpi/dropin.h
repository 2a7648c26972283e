/* What the preloaded library remembers of a process. */
#ifndef GB_PMPI_DROPIN_H
#define GB_PMPI_DROPIN_H

#include "mpi/pmpi/tally.h"
#include <stdatomic.h>
#include <stdbool.h>

typedef struct gb_dropin {
  atomic_bool closed; /* MPI_Finalize has begun: all is passed on */
  atomic_bool told;   /* that and why a communicator was refused: once is enough */
  bool counts;        /* rank 0 of MPI_COMM_WORLD with GBCAST_VERBOSE */
  gb_tally tally;
} gb_dropin;

/* This process's, made by the first call; NULL: MPI is not initialized, or ends, or there is no memory. */
gb_dropin *gb_dropin_get(void);

#endif
