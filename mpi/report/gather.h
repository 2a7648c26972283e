/* Gathering the events of all ranks when MPI ends. */
#ifndef GB_MPI_REPORT_GATHER_H
#define GB_MPI_REPORT_GATHER_H

#include "mpi/report/log.h"
#include "mpi/report/places.h"

/* Collective: rank 0 of `comm` writes what all ranks have seen to `path`, rank after rank: it holds the
 * events of one at a time. MPI_COMM_NULL: only of this process. log: NULL: it has seen nothing. path: NULL:
 * nothing is written. Returns 0, or an errno where it cannot be written. */
int gb_gather_trace(MPI_Comm comm, gb_rank_place *self, const gb_event_log *log, const char *path);

#endif
