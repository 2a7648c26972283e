/* GBCAST_TRACE: gathers the events of all ranks when MPI ends. */
#ifndef GB_MPI_REPORT_GATHER_H
#define GB_MPI_REPORT_GATHER_H

#include "mpi/report/log.h"
#include "mpi/report/places.h"

/* Collective. Rank 0 of `comm` writes the events of all ranks to `path`. It receives them rank by rank, so
 * that it holds those of one rank at a time. If comm is MPI_COMM_NULL, it writes the events of this process
 * only. log NULL: this rank has no events. path NULL: nothing is written. Sets the members of `self` about
 * clock and events. Returns 0, or an errno if rank 0 cannot write the file. */
int gb_gather_trace(MPI_Comm comm, gb_rank_place *self, const gb_event_log *log, const char *path);

#endif
