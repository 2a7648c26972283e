#include "plan/sim/sender_group.h"
#include "plan/core/core.h"
#include <math.h>

/* The segment of its own stream that a node must have before its next send; false when it has nothing left to
 * send. */
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

void gb_update_ready(const gb_simulator *w, const gb_pipe *pipe, gb_progress *from) {
  uint32_t need;
  bool has = next_need(pipe, from, &need) && need < from->known;
  from->ready->there = has ? w->at[from->first + need] : INFINITY;
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

/* v knows when it will have its next segment, which is through at `end`. */
static void arrive(gb_simulator *w, const gb_pipe *pipe, uint32_t v, int k, double end) {
  gb_progress *to = gb_simulator_progress(w, pipe, v);
  const gb_edge *edge = &pipe->edge[v];
  const uint32_t j = to->known++;
  to->last = gb_larger(to->last, end + edge->cost[k].tail + (j == 0 ? edge->announce : 0));
  w->at[to->first + j] = to->last;
  if (to->ready->there == INFINITY)
    gb_update_ready(w, pipe, to);
}

/* It is under way: for now without the links that it reaches late. */
static void set_off(gb_simulator *w, const gb_pipe *pipe, uint32_t v, double begun, double end) {
  gb_progress *to = gb_simulator_progress(w, pipe, v);
  const size_t at = to->first + to->known + to->under_way++;
  w->begun[at] = begun;
  w->at[at] = end;
}

/* When the first segment that is under way to v gets to the links that it reaches late. */
static double reaches(const gb_simulator *w, const gb_pipe *pipe, uint32_t v) {
  const gb_progress *to = gb_simulator_progress(w, pipe, v);
  return w->begun[to->first + to->known] + w->traffic->delayed[pipe->edge[v].delayed - 1].delay;
}

/* It is there. */
static void get_there(gb_simulator *w, const gb_pipe *pipe, uint32_t v) {
  gb_progress *to = gb_simulator_progress(w, pipe, v);
  const gb_edge *edge = &pipe->edge[v];
  const int k = is_last(pipe, v, to->known);
  double end = w->at[to->first + to->known];
  const double begun = w->begun[to->first + to->known];
  for (uint32_t i = edge->use_start + edge->at_once; i < edge->use_start + edge->use_count; i++) {
    const gb_link_use *use = &w->traffic->use[i];
    double *free_at = &w->link_free[use->link];
    *free_at = gb_larger(*free_at, begun + use->delay) + use->busy[k];
    end = gb_larger(end, *free_at - use->delay);
  }
  to->under_way--;
  arrive(w, pipe, v, k, end);
}

/* u's next send in a tree, at t. Returns the receiver, who knows when it will have it unless it is under way.
 */
static uint32_t send_one(gb_simulator *w, const gb_pipe *pipe, uint32_t u, double t) {
  gb_progress *from = gb_simulator_progress(w, pipe, u);
  uint32_t v = pipe->tree->child[from->next_child], j = from->segment;
  const gb_edge *edge = &pipe->edge[v];
  const int k = is_last(pipe, v, j);
  const double begun = t + edge->overhead;
  double *wire = &w->wire[edge->wire];
  w->port[u] = t + edge->cost[k].delta;
  *wire = gb_larger(*wire, begun) + edge->busy[k];
  double end = gb_larger(t + edge->cost[k].gap, *wire);
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->at_once; i++) {
    const gb_link_use *use = &w->traffic->use[i];
    double *free_at = &w->link_free[use->link];
    *free_at = gb_larger(*free_at, begun) + use->busy[k];
    end = gb_larger(end, *free_at);
  }
  double *start = w->schedule->tree[pipe - w->pipe].start;
  if (j == 0 && start)
    start[v] = t;
  if (pipe->flow.operation == GBCAST_BCAST)
    advance_broadcast(pipe, from);
  else
    advance_scatter(pipe, u, from);
  gb_update_ready(w, pipe, from);
  if (edge->delayed)
    set_off(w, pipe, v, begun, end);
  else
    arrive(w, pipe, v, k, end);
  return v;
}

/* Whether a is what a sender does rather than b. */
static bool goes_first(gb_next a, gb_next b) {
  if (!b.ready || a.time != b.time)
    return !b.ready || a.time < b.time;
  if (a.ready->far != b.ready->far)
    return a.ready->far;
  return a.ready->done < b.ready->done || (a.ready->done == b.ready->done && a.ready < b.ready);
}

/* What u does next. */
static gb_next choose(const gb_simulator *w, uint32_t u) {
  const double port = w->port[u];
  gb_next best = {0};
  for (const gb_ready *ready = w->ready + w->ready_from[u], *end = w->ready + w->ready_from[u + 1];
       ready < end; ready++) {
    const gb_next next = {ready, gb_larger(port, ready->there)};
    if (next.time < INFINITY && goes_first(next, best))
      best = next;
  }
  return best;
}

/* Lines u up for a send in a tree where it may just have become possible. */
static void enter(gb_simulator *w, const gb_pipe *pipe, uint32_t u) {
  const gb_ready *ready = gb_simulator_progress(w, pipe, u)->ready;
  const gb_next next = {ready, gb_larger(w->port[u], ready->there)};
  if (next.time == INFINITY || !goes_first(next, w->next[u]))
    return;
  w->next[u] = next;
  gb_heap_push(&w->heap, u, next.time);
}

/* The first in the heap sends. */
static void next_sends(gb_simulator *w, uint32_t u) {
  const gb_pipe *pipe = &w->pipe[w->next[u].ready->tree];
  const uint32_t v = send_one(w, pipe, u, w->next[u].time), late = pipe->edge[v].delayed;
  const gb_progress *to = gb_simulator_progress(w, pipe, v);
  w->next[u] = choose(w, u);
  if (w->next[u].ready)
    gb_heap_put_off(&w->heap, w->next[u].time);
  else
    gb_heap_pop(&w->heap);
  if (late) {
    if (to->under_way == 1)
      gb_heap_push(&w->heap, w->schedule->endpoint_count + late - 1, reaches(w, pipe, v));
    return;
  }
  if (w->traffic->group[v] == w->traffic->group[u])
    enter(w, pipe, v);
}

/* The first in the heap is a segment that gets to links where others may be before it. */
static void next_gets_there(gb_simulator *w, gb_delayed_edge late, uint32_t group) {
  const gb_pipe *pipe = &w->pipe[late.tree];
  const gb_progress *to = gb_simulator_progress(w, pipe, late.node);
  get_there(w, pipe, late.node);
  if (to->under_way > 0)
    gb_heap_put_off(&w->heap, reaches(w, pipe, late.node));
  else
    gb_heap_pop(&w->heap);
  if (w->traffic->group[late.node] == group)
    enter(w, pipe, late.node);
}

/* Whether all that u sends is there in the order in which it is sent. */
static bool keeps_order(const gb_simulator *w, uint32_t u) {
  for (uint32_t k = w->ready_from[u]; w->traffic->delayed_count > 0 && k < w->ready_from[u + 1]; k++) {
    const gb_pipe *pipe = &w->pipe[w->ready[k].tree];
    for (uint32_t i = pipe->tree->child_start[u]; i < pipe->tree->child_start[u + 1]; i++)
      if (pipe->edge[pipe->tree->child[i]].delayed)
        return false;
  }
  return true;
}

/* A group of senders; all who feed it have been walked. In the heap are senders, and beyond n edges on which
 * segments are under way to links that they reach late. */
void gb_simulate_group(gb_simulator *w, const uint32_t *sender, uint32_t count) {
  const uint32_t n = w->schedule->endpoint_count, group = w->traffic->group[sender[0]];
  uint32_t first = sender[0];
  gb_next next;
  if (count == 1 && keeps_order(w, first)) {
    while ((next = choose(w, first)).ready)
      (void)send_one(w, &w->pipe[next.ready->tree], first, next.time);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = w->ready_from[sender[i]]; k < w->ready_from[sender[i] + 1]; k++)
      enter(w, &w->pipe[w->ready[k].tree], sender[i]);
  while (gb_heap_first(&w->heap, &first))
    if (first < n)
      next_sends(w, first);
    else
      next_gets_there(w, w->traffic->delayed[first - n], group);
}
