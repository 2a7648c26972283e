#include "plan/sim/sender_group.h"
#include "plan/core/core.h"
#include <math.h>

/* Sets *need to the segment of its own stream that a node must have before its next send. False: it has
 * nothing left to send. */
static bool next_need(const gb_pipe *pipe, const gb_progress *from, uint32_t *need) {
  *need = from->segment;
  if (!gb_carries_blocks(pipe->flow.operation))
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

/* Simulates u's next send in a tree, at time t. Returns the receiver. */
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
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->use_count; i++) {
    const gb_link_use *use = &sim->traffic->use[i];
    double *free_at = &sim->link_free[use->link];
    *free_at = gb_larger(*free_at, begun) + use->busy[k];
    end = gb_larger(end, *free_at);
  }
  double *start = sim->schedule->tree[pipe - sim->pipe].start;
  if (j == 0 && start)
    start[v] = t;
  if (!gb_carries_blocks(pipe->flow.operation))
    advance_broadcast(pipe, from);
  else
    advance_scatter(pipe, u, from);
  gb_update_ready(sim, pipe, from);
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
  const uint32_t v = send_one(sim, pipe, u, sim->next[u].time);
  sim->next[u] = choose(sim, u);
  if (sim->next[u].ready)
    gb_heap_put_off(&sim->heap, sim->next[u].time);
  else
    gb_heap_pop(&sim->heap);
  if (sim->traffic->group[v] == sim->traffic->group[u])
    enter(sim, pipe, v);
}

void gb_simulate_group(gb_simulator *sim, const uint32_t *sender, uint32_t count) {
  uint32_t first = sender[0];
  gb_next next;
  if (count == 1) {
    while ((next = choose(sim, first)).ready)
      (void)send_one(sim, &sim->pipe[next.ready->tree], first, next.time);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = sim->ready_from[sender[i]]; k < sim->ready_from[sender[i] + 1]; k++)
      enter(sim, &sim->pipe[sim->ready[k].tree], sender[i]);
  while (gb_heap_first(&sim->heap, &first))
    step_send(sim, first);
}
