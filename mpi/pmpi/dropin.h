/* The state of the preloaded library in a process. */
#ifndef GB_MPI_PMPI_DROPIN_H
#define GB_MPI_PMPI_DROPIN_H

#include "mpi/api/api.h"
#include "mpi/pmpi/tally.h"
#include <stdatomic.h>
#include <stdbool.h>

typedef struct gb_dropin {
  atomic_bool ending; /* MPI_Finalize has begun: calls are passed on, but still counted */
  atomic_bool closed; /* the counts have been printed */
  atomic_bool told;   /* why non-blocking calls are passed on has been printed */
  bool active;        /* calls may be taken over */
  bool counts;        /* calls are counted, on rank 0 of MPI_COMM_WORLD: GBCAST_VERBOSE or GBCAST_STATS */
  bool verbose;       /* the counts are printed */
  char *stats;        /* where they are written; NULL: nowhere */
  int tag_most;
  atomic_uint requests; /* that have been made */
  gb_preload preload;
  gb_call_tally tally;
} gb_dropin;

/* The state of this process. MPI_Init() makes it or, if it was not seen, the first call. NULL: MPI is not
 * initialized or has ended, it is not the MPI library that this library was built for, or memory ran out. */
gb_dropin *gb_dropin_get(void);

#endif
