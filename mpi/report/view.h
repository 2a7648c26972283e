/* The trace of a job in the form of gbcast-plan --format=trace: a process is a site, a thread a rank, with
 * the names that the plan's trace has.
 *
 *   ottawa  n0           |MPI_Bcast of 1 MiB............|
 *           n0, track 2    |to l0.lyon====|
 *           n0, track 3    |to n1====|
 *   lyon    l0           |MPI_Bcast of 1 MiB............|
 *                          |from n0.ottawa====|
 *
 * Slices of a thread must lie beside or inside each other, so a rank that sends to several at the same time
 * has further tracks. Of a plan with several trees, each tree has threads of its own. */
#ifndef GB_MPI_REPORT_VIEW_H
#define GB_MPI_REPORT_VIEW_H

#include "mpi/report/log.h"
#include "mpi/report/places.h"
#include "plan/show/show.h"

enum { GB_VIEW_TRACKS = 64, GB_VIEW_TREES = 128 };

typedef struct gb_trace_view {
  gb_trace trace;
  const gb_rank_place *place; /* of each rank */
  int size;
  double zero; /* s, on the clock of rank 0: where the time begins */
  struct gb_trace_row *row;
} gb_trace_view;

/* Begins the file; place: of `size` ranks, in order. false: no memory. */
bool gb_trace_view_begin(gb_trace_view *view, const gb_rank_place *place, int size, FILE *out);

/* Prints the events of a rank, which are sorted. */
void gb_trace_view_rank(gb_trace_view *view, int rank, gb_event *event, size_t count);

void gb_trace_view_end(gb_trace_view *view);

#endif
