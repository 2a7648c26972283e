/* The state of the preloaded library in a process. */
#ifndef GB_MPI_PMPI_DROPIN_H
#define GB_MPI_PMPI_DROPIN_H

#include "mpi/api/api.h"
#include <stdatomic.h>
#include <stdbool.h>

typedef struct gb_dropin {
  atomic_bool ending;    /* MPI_Finalize has begun: calls are passed on, but still counted */
  atomic_bool closed;    /* the report has been closed */
  atomic_bool told;      /* why non-blocking calls are passed on has been printed */
  bool active;           /* calls may be taken over */
  enum gb_passed why;    /* if not: why none are */
  gb_job_report *report; /* NULL: no memory */
  int tag_most;
  atomic_uint requests; /* that have been made */
  gb_preload preload;
} gb_dropin;

/* The state of this process. MPI_Init() makes it or, if it was not seen, the first call. NULL: MPI is not
 * initialized or has ended, it is not the MPI library that this library was built for, or memory ran out. */
gb_dropin *gb_dropin_get(void);

/* The report of this process, for libgbcast in the same program, which has no other way to it; NULL: there is
 * none. */
GBCAST_API void *gbcast_preloaded_report(void);

#endif
