/* GBCAST_TRACE: gathers the events of all ranks when MPI ends, and writes the trace of a job in the form of
 * gbcast-plan --format=trace: a process is a site, a thread is a rank, and they have the same names as in the
 * trace of a plan.
 *
 *   ottawa  n0           |MPI_Bcast of 1 MiB............|
 *           n0, track 2    |to l0.lyon====|
 *           n0, track 3    |to n1====|
 *   lyon    l0           |MPI_Bcast of 1 MiB............|
 *                          |from n0.ottawa====|
 *
 * Slices of one thread must not overlap unless one is inside the other. So a rank that sends to several ranks
 * at the same time has further threads, called tracks. If a plan has several trees, each tree has its own
 * threads. */
#ifndef GB_MPI_REPORT_TRACE_H
#define GB_MPI_REPORT_TRACE_H

#include "mpi/report/places.h"
#include "mpi/report/record.h"
#include "plan/show/show.h"

/* Collective. Rank 0 of `comm` writes the events of all ranks to `path`. It receives them rank by rank, so
 * that it holds those of one rank at a time. If comm is MPI_COMM_NULL, it writes the events of this process
 * only. log NULL: this rank has no events. path NULL: nothing is written. Sets the members of `self` about
 * clock and events. Returns 0, or an errno if rank 0 cannot write the file. */
int gb_gather_trace(MPI_Comm comm, gb_rank_place *self, const gb_event_log *log, const char *path);

enum { GB_VIEW_TRACKS = 64, GB_VIEW_TREES = 128 }; /* most tracks of a rank; most trees with own threads */

typedef struct gb_trace_view {
  gb_trace trace;
  const gb_rank_place *place; /* of each rank */
  int size;
  double zero;              /* time 0 of the trace, by the clock of rank 0 (s) */
  struct gb_trace_row *row; /* of the rank whose events are being printed */
} gb_trace_view;

/* Begins the file. place: that of each of the `size` ranks, after gb_places_order(). False: out of memory;
 * then nothing is printed. */
bool gb_trace_view_begin(gb_trace_view *view, const gb_rank_place *place, int size, FILE *out);

/* Sorts the events of a rank, and prints them. To be called once for each rank. */
void gb_trace_view_rank(gb_trace_view *view, int rank, gb_event *event, size_t count);

/* Ends the file. */
void gb_trace_view_end(gb_trace_view *view);

#endif
