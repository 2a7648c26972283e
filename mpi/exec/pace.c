/* When a sender sends: no faster than its links are said to be. */
#include "mpi/exec/pace.h"
#include <math.h>

/* Segments that a sender may catch up between sites when it could not look at the clock; but not more than a
 * router's queue holds. With several turns, each ends with as many under way. In a cluster a sender may also
 * catch up as many segments as there is time for while it may have overslept. */
enum { CATCH_UP = 8 };

/* A child gets all in one message. */
static bool is_whole(const gb_flow *f, uint32_t child) {
  return f->out[child].length <= f->tree->segment;
}

/* How late a sender may be to catch up still, in s, where a segment takes `busy`. A whole message finds a
 * link idle because it was not there yet: two that begin together would both be late, and so at each host on
 * the way. */
static double may_be_late(const gb_run *run, const gb_flow *f, uint32_t child, double busy) {
  if (f->tree->child[child].wan)
    return run->role->in_turn ? busy : fmax(busy, fmin(CATCH_UP * busy, gb_this_machine.queue_most));
  if (is_whole(f, child))
    return run->port <= run->looked ? 0 : busy;
  return fmax(busy, gb_this_machine.slept_most);
}

/* A segment that is there in less than this part of the time that it takes alone shows that the links are
 * faster than the hosts file says. */
#define FASTER 0.75

/* Streams of several trees leave room for each other. */
static double room(const gb_role *role, const gb_edge *edge) {
  return role->efficiency[edge->wan];
}

/* Bytes/s: no link is taken to be slower. Queues on such a one matter little; but a live value may be wrong,
 * and the call must not take for ever before that shows. */
#define SLOWEST 1e4

/* What streams of several trees to one receiver, and those to one site, have in common: they take turns on
 * the same links. */
static gb_out *shared(const gb_run *run, gb_first first) {
  return &run->flow[first.tree].out[first.child];
}

/* Two windows: what is sent in the first may be complete at once. */
static bool is_beginning(const gb_flow *f, uint32_t child) {
  return gb_pace_in_window(f, child, 2);
}

/* What a scatter sends in one message goes by the pace of the whole, where there is one or several trees fill
 * this host's link; what it sends at home in pieces may have to wait for that, too. */
static bool is_paced(const gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_edge *edge = &f->tree->child[child];
  const bool scatters = run->role->operation == GBCAST_SCATTER;
  if (scatters && is_whole(f, child))
    return (run->role->pace > 1 || run->role->tree_count > 1) && edge->port > 0;
  if (scatters && !edge->wan && !run->role->far_first)
    return false;
  if (!edge->wan && is_whole(f, child) && f->out[child].length <= gb_this_machine.sent_in_order)
    return false;
  return edge->paced && (is_beginning(f, child) || !shared(run, edge->to_receiver)->faster);
}

void gb_pace_keep(gb_run *run, gb_slot *send) {
  const gb_flow *f = &run->flow[send->flow];
  const gb_edge *edge = &f->tree->child[send->child];
  if (!is_paced(run, f, send->child))
    return;
  double now = MPI_Wtime();
  double *next = &shared(run, edge->to_receiver)->next, *site_next = &shared(run, edge->to_site)->site_next;
  double length = (double)send->length / room(run->role, edge);
  double busy = length / fmax(edge->rate, SLOWEST), site_busy = length / fmax(edge->links, SLOWEST);
  double port = length * fmin(edge->port * run->role->pace, 1 / SLOWEST);
  *next = fmax(*next, now - may_be_late(run, f, send->child, busy)) + busy;
  *site_next = fmax(*site_next, now - may_be_late(run, f, send->child, site_busy)) + site_busy;
  run->port = fmax(run->port, now - may_be_late(run, f, send->child, port)) + port;
  send->told = !send->eager;
  send->start = now;
}

/* When the links to a child are free. */
static double next_to(const gb_run *run, const gb_edge *edge) {
  return fmax(shared(run, edge->to_receiver)->next, shared(run, edge->to_site)->site_next);
}

static bool has_come(gb_run *run, double time) {
  if (MPI_Wtime() >= time)
    return true;
  run->wake = fmin(run->wake, time);
  return false;
}

bool gb_pace_is_through(gb_run *run, const gb_edge *edge) {
  return has_come(run, next_to(run, edge));
}

bool gb_pace_is_time(gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_edge *edge = &f->tree->child[child];
  if (!is_paced(run, f, child) || has_come(run, fmax(next_to(run, edge), run->port)))
    return true;
  run->alert = run->alert || (!edge->wan && edge->paced && !is_beginning(f, child));
  return false;
}

void gb_pace_look(gb_run *run, const gb_slot *sent) {
  const gb_edge *edge = &run->flow[sent->flow].tree->child[sent->child];
  double soonest = edge->latency + (double)sent->length / edge->rate;
  if (sent->told && MPI_Wtime() - sent->start < FASTER * soonest)
    shared(run, edge->to_receiver)->faster = true;
}
