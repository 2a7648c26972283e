#include "plan/sim/sender_group.h"
#include "plan/core/core.h"
#include <math.h>

/* Sets *need to the segment of its own stream that a node must have before its next send. False: it has
 * nothing left to send. */
static bool next_need(const gb_pipe *pipe, const gb_progress *from, uint32_t *need) {
  *need = from->segment;
  if (pipe->flow.operation == GBCAST_BCAST)
    return from->begin < from->end && from->segment < pipe->limit;
  if (from->next_child == from->end)
    return false;
  const gb_edge *edge = &pipe->edge[pipe->tree->child[from->next_child]];
  uint64_t end = (uint64_t)(from->segment + 1) * edge->full;
  end = edge->offset + (end < edge->bytes ? end : edge->bytes);
  *need = (uint32_t)((end - 1) / pipe->flow.segment);
  return true;
}

void gb_update_ready(const gb_simulator *sim, const gb_pipe *pipe, gb_progress *from) {
  uint32_t need;
  bool has = next_need(pipe, from, &need) && need < from->known;
  from->ready->there = has ? sim->at[from->first + need] : INFINITY;
}

static void advance_broadcast(const gb_pipe *pipe, gb_progress *from) {
  if (++from->next_child == from->end) {
    from->next_child = from->begin;
    from->segment++;
  }
  uint64_t children = from->end - from->begin,
           done = from->segment * children + from->next_child - from->begin;
  from->ready->done = pipe->tree->stage + (double)done / (double)(pipe->segments * children);
}

static void advance_scatter(const gb_pipe *pipe, uint32_t u, gb_progress *from) {
  if (++from->segment == gb_simulator_segments(pipe, pipe->tree->child[from->next_child])) {
    from->segment = 0;
    from->next_child++;
  }
  if (from->next_child == from->end)
    return;
  const gb_edge *edge = &pipe->edge[pipe->tree->child[from->next_child]];
  from->ready->done =
      pipe->tree->stage + (double)(edge->offset + edge->full * from->segment) / (double)pipe->edge[u].bytes;
}

static int is_last(const gb_pipe *pipe, uint32_t v, uint32_t segment) {
  return segment + 1 == gb_simulator_segments(pipe, v) ? 1 : 0;
}

/* The next segment for v leaves the links of the path at `end`; sets when v has it. */
static void arrive(gb_simulator *sim, const gb_pipe *pipe, uint32_t v, int k, double end) {
  gb_progress *to = gb_simulator_progress(sim, pipe, v);
  const gb_edge *edge = &pipe->edge[v];
  const uint32_t j = to->known++;
  to->last = gb_larger(to->last, end + edge->cost[k].tail + (j == 0 ? edge->announce : 0));
  sim->at[to->first + j] = to->last;
  if (to->ready->there == INFINITY)
    gb_update_ready(sim, pipe, to);
}

/* A segment for v leaves: its end counts only the links that are not delayed. */
static void send_delayed(gb_simulator *sim, const gb_pipe *pipe, uint32_t v, double begun, double end) {
  gb_progress *to = gb_simulator_progress(sim, pipe, v);
  const size_t at = to->first + to->known + to->under_way++;
  sim->begun[at] = begun;
  sim->at[at] = end;
}

/* When the first segment in flight to v reaches the first delayed link. */
static double reach_time(const gb_simulator *sim, const gb_pipe *pipe, uint32_t v) {
  const gb_progress *to = gb_simulator_progress(sim, pipe, v);
  return sim->begun[to->first + to->known] + sim->traffic->delayed[pipe->edge[v].delayed - 1].delay;
}

/* It has reached the delayed links; sets when v has it. */
static void reach_links(gb_simulator *sim, const gb_pipe *pipe, uint32_t v) {
  gb_progress *to = gb_simulator_progress(sim, pipe, v);
  const gb_edge *edge = &pipe->edge[v];
  const int k = is_last(pipe, v, to->known);
  double end = sim->at[to->first + to->known];
  const double begun = sim->begun[to->first + to->known];
  for (uint32_t i = edge->use_start + edge->at_once; i < edge->use_start + edge->use_count; i++) {
    const gb_link_use *use = &sim->traffic->use[i];
    double *free_at = &sim->link_free[use->link];
    *free_at = gb_larger(*free_at, begun + use->delay) + use->busy[k];
    end = gb_larger(end, *free_at - use->delay);
  }
  to->under_way--;
  arrive(sim, pipe, v, k, end);
}

/* Simulates u's next send in a tree, at time t. Returns the receiver; its arrival is known unless the edge
 * has delayed uses. */
static uint32_t send_one(gb_simulator *sim, const gb_pipe *pipe, uint32_t u, double t) {
  gb_progress *from = gb_simulator_progress(sim, pipe, u);
  uint32_t v = pipe->tree->child[from->next_child], j = from->segment;
  const gb_edge *edge = &pipe->edge[v];
  const int k = is_last(pipe, v, j);
  const double begun = t + edge->overhead;
  sim->port[u] = t + edge->cost[k].delta;
  double *stream = &sim->stream[edge->stream];
  *stream = gb_larger(*stream, begun) + edge->busy[k];
  double end = gb_larger(t + edge->cost[k].gap, *stream);
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->at_once; i++) {
    const gb_link_use *use = &sim->traffic->use[i];
    double *free_at = &sim->link_free[use->link];
    *free_at = gb_larger(*free_at, begun) + use->busy[k];
    end = gb_larger(end, *free_at);
  }
  double *start = sim->schedule->tree[pipe - sim->pipe].start;
  if (j == 0 && start)
    start[v] = t;
  if (pipe->flow.operation == GBCAST_BCAST)
    advance_broadcast(pipe, from);
  else
    advance_scatter(pipe, u, from);
  gb_update_ready(sim, pipe, from);
  if (edge->delayed)
    send_delayed(sim, pipe, v, begun, end);
  else
    arrive(sim, pipe, v, k, end);
  return v;
}

/* Whether a sender prefers send a to send b (simulate.c). */
static bool goes_first(gb_next a, gb_next b) {
  if (!b.ready || a.time != b.time)
    return !b.ready || a.time < b.time;
  if (a.ready->wan != b.ready->wan)
    return a.ready->wan;
  return a.ready->done < b.ready->done || (a.ready->done == b.ready->done && a.ready < b.ready);
}

/* The next send of u. */
static gb_next choose(const gb_simulator *sim, uint32_t u) {
  const double port = sim->port[u];
  gb_next best = {0};
  for (const gb_ready *ready = sim->ready + sim->ready_from[u], *end = sim->ready + sim->ready_from[u + 1];
       ready < end; ready++) {
    const gb_next next = {ready, gb_larger(port, ready->there)};
    if (next.time < INFINITY && goes_first(next, best))
      best = next;
  }
  return best;
}

/* Enters u in the heap for a send in a tree where it may just have become possible. */
static void enter(gb_simulator *sim, const gb_pipe *pipe, uint32_t u) {
  const gb_ready *ready = gb_simulator_progress(sim, pipe, u)->ready;
  const gb_next next = {ready, gb_larger(sim->port[u], ready->there)};
  if (next.time == INFINITY || !goes_first(next, sim->next[u]))
    return;
  sim->next[u] = next;
  gb_heap_push(&sim->heap, u, next.time);
}

/* Takes the next step of the group: sender u, the first in the heap, sends. */
static void step_send(gb_simulator *sim, uint32_t u) {
  const gb_pipe *pipe = &sim->pipe[sim->next[u].ready->tree];
  const uint32_t v = send_one(sim, pipe, u, sim->next[u].time), delayed = pipe->edge[v].delayed;
  const gb_progress *to = gb_simulator_progress(sim, pipe, v);
  sim->next[u] = choose(sim, u);
  if (sim->next[u].ready)
    gb_heap_put_off(&sim->heap, sim->next[u].time);
  else
    gb_heap_pop(&sim->heap);
  if (delayed) {
    if (to->under_way == 1)
      gb_heap_push(&sim->heap, sim->schedule->endpoint_count + delayed - 1, reach_time(sim, pipe, v));
    return;
  }
  if (sim->traffic->group[v] == sim->traffic->group[u])
    enter(sim, pipe, v);
}

/* Takes the next step of the group: a segment, the first in the heap, reaches delayed links. */
static void step_arrival(gb_simulator *sim, gb_delayed_edge delayed, uint32_t group) {
  const gb_pipe *pipe = &sim->pipe[delayed.tree];
  const gb_progress *to = gb_simulator_progress(sim, pipe, delayed.node);
  reach_links(sim, pipe, delayed.node);
  if (to->under_way > 0)
    gb_heap_put_off(&sim->heap, reach_time(sim, pipe, delayed.node));
  else
    gb_heap_pop(&sim->heap);
  if (sim->traffic->group[delayed.node] == group)
    enter(sim, pipe, delayed.node);
}

/* Whether all that u sends arrives in the order of sending. */
static bool keeps_order(const gb_simulator *sim, uint32_t u) {
  for (uint32_t k = sim->ready_from[u]; sim->traffic->delayed_count > 0 && k < sim->ready_from[u + 1]; k++) {
    const gb_pipe *pipe = &sim->pipe[sim->ready[k].tree];
    for (uint32_t i = pipe->tree->child_start[u]; i < pipe->tree->child_start[u + 1]; i++)
      if (pipe->edge[pipe->tree->child[i]].delayed)
        return false;
  }
  return true;
}

/* The heap holds senders, and from endpoint_count on edges with segments in flight to delayed links. */
void gb_simulate_group(gb_simulator *sim, const uint32_t *sender, uint32_t count) {
  const uint32_t n = sim->schedule->endpoint_count, group = sim->traffic->group[sender[0]];
  uint32_t first = sender[0];
  gb_next next;
  if (count == 1 && keeps_order(sim, first)) {
    while ((next = choose(sim, first)).ready)
      (void)send_one(sim, &sim->pipe[next.ready->tree], first, next.time);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = sim->ready_from[sender[i]]; k < sim->ready_from[sender[i] + 1]; k++)
      enter(sim, &sim->pipe[sim->ready[k].tree], sender[i]);
  while (gb_heap_first(&sim->heap, &first))
    if (first < n)
      step_send(sim, first);
    else
      step_arrival(sim, sim->traffic->delayed[first - n], group);
}
