/* When a sender sends: no faster than its links are said to be (pace.h). */
#include "mpi/exec/pace.h"
#include <math.h>

/* After a delay a sender may send faster than the pace to catch up. Between sites: up to CATCH_UP segments,
 * and no more than a router's queue holds; one segment if the plan has stages, because each stage ends with
 * as many in flight. In a cluster: also the segments of the time that it may have overslept. */
enum { CATCH_UP = 8 };

/* Whether a receiver gets everything in one message. */
static bool is_whole(const gb_tree_stream *s, uint32_t receiver) {
  return s->receiver[receiver].length <= s->tree->receiver[receiver].segment;
}

/* How late a sender may be and still catch up (s), if a segment takes `busy`. A whole message that is late
 * finds an idle link: if two begin at the same time, both arrive late, and so on at each host of the path. */
static double may_be_late(const gb_run *run, const gb_tree_stream *s, uint32_t receiver, double busy) {
  if (s->tree->receiver[receiver].wan)
    return run->schedule->in_stages ? busy : fmax(busy, fmin(CATCH_UP * busy, gb_this_machine.queue_most));
  if (is_whole(s, receiver))
    return run->port <= run->looked ? 0 : busy;
  return fmax(busy, gb_this_machine.slept_most);
}

/* A segment that arrives in less than this part of the time that it takes alone shows that the links are
 * faster than the hosts file says. */
#define FASTER 0.75

/* The share of a link at which streams of several trees are paced. */
static double link_efficiency(const gb_rank_schedule *schedule, const gb_channel *edge) {
  return schedule->efficiency[edge->wan];
}

/* Bytes/s: no link is paced slower. On so slow a link queues matter little; but a live value may be wrong,
 * and the call must not take forever before that shows. */
#define SLOWEST 1e4

/* The cursor that keeps the times of an edge: those of streams to one receiver, and those to one site, are
 * kept once for all trees, because they use the same links. */
static gb_cursor *shared(const gb_run *run, uint32_t first) {
  return &run->cursor[first];
}

/* Whether less than two windows were sent; sends of the first window may be complete at once. */
static bool is_beginning(const gb_tree_stream *s, uint32_t receiver) {
  return gb_pace_in_window(s, receiver, 2);
}

/* Whether a send is paced. Whole messages of blocks are if the schedule has a pace, or several trees fill
 * this host's link. */
static bool is_paced(const gb_run *run, const gb_tree_stream *s, uint32_t receiver) {
  const gb_channel *edge = &s->tree->receiver[receiver];
  if ((s->tree->scatters || s->tree->collects) && is_whole(s, receiver))
    return (run->schedule->pace > 1 || run->schedule->tree_count > 1) && edge->pacing.port > 0;
  if (!edge->wan && is_whole(s, receiver) && s->receiver[receiver].length <= gb_this_machine.sent_in_order)
    return false;
  return edge->pacing.paced && (is_beginning(s, receiver) || !shared(run, edge->to_receiver)->faster);
}

void gb_pace_sent(gb_run *run, const gb_tree_stream *s, uint32_t receiver, gb_request *send) {
  const gb_channel *edge = &s->tree->receiver[receiver];
  if (!is_paced(run, s, receiver))
    return;
  double now = MPI_Wtime();
  double *next = &shared(run, edge->to_receiver)->next, *site_next = &shared(run, edge->to_site)->site_next;
  double length = (double)send->length / link_efficiency(run->schedule, edge);
  double busy = length / fmax(edge->pacing.rate, SLOWEST),
         site_busy = length / fmax(edge->pacing.shared_rate, SLOWEST);
  double port = length * fmin(edge->pacing.port * run->schedule->pace, 1 / SLOWEST);
  *next = fmax(*next, now - may_be_late(run, s, receiver, busy)) + busy;
  *site_next = fmax(*site_next, now - may_be_late(run, s, receiver, site_busy)) + site_busy;
  run->port = fmax(run->port, now - may_be_late(run, s, receiver, port)) + port;
  send->timed = !send->eager;
  send->start = now;
}

/* When the links to a receiver are free. */
static double next_to(const gb_run *run, const gb_channel *edge) {
  return fmax(shared(run, edge->to_receiver)->next, shared(run, edge->to_site)->site_next);
}

static bool has_come(gb_run *run, double time) {
  if (time <= 0 || MPI_Wtime() >= time) /* nothing was sent yet */
    return true;
  run->wake = fmin(run->wake, time);
  return false;
}

bool gb_pace_link_is_free(gb_run *run, const gb_channel *edge) {
  return has_come(run, next_to(run, edge));
}

bool gb_pace_is_time(gb_run *run, const gb_tree_stream *s, uint32_t receiver) {
  const gb_channel *edge = &s->tree->receiver[receiver];
  if (!is_paced(run, s, receiver) || has_come(run, fmax(next_to(run, edge), run->port)))
    return true;
  run->alert = run->alert || (!edge->wan && edge->pacing.paced && !is_beginning(s, receiver));
  return false;
}

void gb_pace_completed(gb_run *run, const gb_request *sent) {
  const gb_channel *edge = &run->schedule->channel[sent->channel];
  double soonest = edge->pacing.latency + (double)sent->length / edge->pacing.rate;
  if (MPI_Wtime() - sent->start < FASTER * soonest)
    shared(run, edge->to_receiver)->faster = true;
}

/* Seconds from one step to the next. */
static double pace_of(const gb_run *run, const gb_channel *step) {
  return step->pace * (double)run->cursor[step - run->schedule->channel].length;
}

/* The synchronisation message says that another host has just begun its message. This step may begin when
 * that message is over, one pace later. */
void gb_pace_step_is_ready(gb_run *run, uint32_t channel) {
  const gb_channel *step = &run->schedule->channel[channel];
  if (step->pace > 0 && step->synchronised)
    shared(run, step->track)->next = fmax(shared(run, step->track)->next, MPI_Wtime() + pace_of(run, step));
}

bool gb_pace_is_step_time(gb_run *run, uint32_t channel) {
  const gb_channel *step = &run->schedule->channel[channel];
  double *next = &shared(run, step->track)->next;
  if (!has_come(run, *next))
    return false;
  const double now = MPI_Wtime(), pace = pace_of(run, step);
  const double late = *next > 0 ? fmin(now - *next, pace) : 0; /* it can make up for one pace */
  *next = now + pace - late;
  return true;
}
