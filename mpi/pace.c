/* When a sender sends: no faster than its links are said to be. */
#include "mpi/pace.h"
#include <math.h>

/* Segments that a sender may catch up when it could not look at the clock: between sites, and in a cluster,
 * where it looks all the time. */
enum { CATCH_UP = 8, CATCH_UP_AT_HOME = 1 };

/* A segment that is there in less than this part of the time that it takes alone shows that the links are
 * faster than the hosts file says. */
#define FASTER 0.75

/* Two windows: what is sent in the first may be complete at once. */
static bool is_beginning(const gb_flow *f, uint32_t child) {
  return gb_pace_in_window(f, child, 2);
}

/* What a scatter sends in one message goes by the pace of the whole. */
static bool is_paced(const gb_run *run, const gb_flow *f, uint32_t child) {
  if (run->role->operation == GBCAST_SCATTER && f->out[child].length <= f->tree->segment)
    return run->role->pace > 1 && f->tree->child[child].port > 0;
  enum gb_pace pace = f->tree->child[child].pace;
  return pace == GB_PACE_ALWAYS ||
         (pace == GB_PACE_UNLESS_FASTER && (is_beginning(f, child) || !run->faster));
}

/* MPI_Wtime() of the next send to a child; streams of several trees to it take turns on the same links. */
static double *next_time(gb_run *run, const gb_edge *edge) {
  return &run->flow[edge->tree].out[edge->child].next;
}

void gb_pace_keep(gb_run *run, gb_slot *send) {
  const gb_flow *f = &run->flow[send->flow];
  const gb_edge *edge = &f->tree->child[send->child];
  if (!is_paced(run, f, send->child))
    return;
  bool at_home = edge->pace == GB_PACE_UNLESS_FASTER;
  double now = MPI_Wtime(), length = (double)send->length, *next = next_time(run, edge);
  double busy = length / edge->rate, port = edge->port * length * run->role->pace;
  int late = at_home ? CATCH_UP_AT_HOME : CATCH_UP;
  *next = fmax(*next, now - late * busy) + busy;
  run->port = fmax(run->port, now - late * port) + port;
  send->told = at_home && !send->eager;
  send->start = now;
}

bool gb_pace_is_time(gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_edge *edge = &f->tree->child[child];
  double next = fmax(*next_time(run, edge), run->port);
  if (!is_paced(run, f, child) || MPI_Wtime() >= next)
    return true;
  run->wake = fmin(run->wake, next);
  run->alert = run->alert || (edge->pace == GB_PACE_UNLESS_FASTER && !is_beginning(f, child));
  return false;
}

void gb_pace_look(gb_run *run, const gb_slot *sent) {
  const gb_edge *edge = &run->flow[sent->flow].tree->child[sent->child];
  double soonest = edge->way + (double)sent->length / edge->rate;
  if (sent->told && MPI_Wtime() - sent->start < FASTER * soonest)
    run->faster = true;
}
