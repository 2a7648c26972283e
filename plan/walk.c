/* The predictor. In each tree a sender works down a fixed list of sends: segment by segment to its children
 * in order (broadcast), or child by child (scatter). A send that starts at t
 *
 *   - keeps the sender's port until t + Delta, whatever the tree,
 *   - queues from t + o on every link that it shares: link free at max(free, t + o) + m / B, and alike on
 *     the narrowest link between the two, so that links are never idle while bytes wait and sends that
 *     overlap share them,
 *   - arrives at max(t + g, the latest of those) + L + o.
 *
 *   port    |D1|D2|D3|          one sender, children 1 2 3
 *   link      |==1==|==2==|     1 and 2 share a slow link: 2 waits for it, the port does not
 *
 * Which tree a sender serves next: of the sends that could start first, one in a tree in which it feeds other
 * sites, as the way is longer there; then the one in the tree of the earliest turn, of whose sends it has
 * done the smallest part, then the lower tree. So trees of one turn are served in proportion to their shares,
 * and one whose segments are late holds nobody up.
 *
 *   shares 2 : 1     tree 0 |0|  |1|2|  |3|4|  ...
 *                    tree 1    |0|    |1|      ...
 *
 * Senders are walked in groups (groups.c), a group in the order of time by a heap of its next sends. Sharing
 * is counted from the start of a send, not from when its bytes reach the link: links far away are taken a
 * latency too early, all alike. Long pipelines are not walked to their end (periodic.c). */
#include "plan/walk.h"
#include "plan/walk_ends.h"
#include "plan/walker.h"
#include <math.h>

static double later(double a, double b) {
  return a > b ? a : b;
}

/* The segment of its own stream that a node must have before its next send; false when it has nothing left to
 * send. */
static bool next_need(const gb_pipe *pipe, const gb_progress *from, uint32_t *need) {
  *need = from->segment;
  if (pipe->flow.operation == GBCAST_BCAST)
    return from->begin < from->end && from->segment < pipe->limit;
  if (from->turn == from->end)
    return false;
  const gb_edge *edge = &pipe->edge[pipe->shape->child[from->turn]];
  uint64_t end = (uint64_t)(from->segment + 1) * edge->full;
  end = edge->offset + (end < edge->bytes ? end : edge->bytes);
  *need = (uint32_t)((end - 1) / pipe->flow.segment);
  return true;
}

static void look(const gb_walker *w, const gb_pipe *pipe, gb_progress *from) {
  uint32_t need;
  bool has = next_need(pipe, from, &need) && need < from->known;
  from->there = has ? w->at[from->first + need] : INFINITY;
}

static void advance_broadcast(const gb_pipe *pipe, gb_progress *from) {
  if (++from->turn == from->end) {
    from->turn = from->begin;
    from->segment++;
  }
  uint64_t children = from->end - from->begin, done = from->segment * children + from->turn - from->begin;
  from->done = pipe->turn + (double)done / (double)(pipe->segments * children);
}

static void advance_scatter(const gb_pipe *pipe, uint32_t u, gb_progress *from) {
  if (++from->segment == gb_walker_segments(pipe, pipe->shape->child[from->turn])) {
    from->segment = 0;
    from->turn++;
  }
  if (from->turn == from->end)
    return;
  const gb_edge *edge = &pipe->edge[pipe->shape->child[from->turn]];
  from->done = pipe->turn + (double)(edge->offset + edge->full * from->segment) / (double)pipe->edge[u].bytes;
}

/* Whether u can send in a tree, and from when. */
static bool ready(const gb_walker *w, const gb_pipe *pipe, uint32_t u, double *time) {
  const double there = gb_walker_progress(w, pipe, u)->there;
  *time = later(w->port[u], there);
  return there < INFINITY;
}

/* Whether a is what u does rather than b. */
static bool goes_first(const gb_walker *w, uint32_t u, gb_next a, gb_next b) {
  if (!b.pipe || a.time != b.time)
    return !b.pipe || a.time < b.time;
  const gb_progress *x = gb_walker_progress(w, a.pipe, u), *y = gb_walker_progress(w, b.pipe, u);
  if (x->far != y->far)
    return x->far;
  return x->done < y->done || (x->done == y->done && a.pipe < b.pipe);
}

/* What u does next. */
static gb_next choose(const gb_walker *w, uint32_t u) {
  gb_next best = {0};
  for (uint32_t i = w->served_from[u]; i < w->served_from[u + 1]; i++) {
    gb_next next = {.pipe = &w->pipe[w->served[i]]};
    if (ready(w, next.pipe, u, &next.time) && goes_first(w, u, next, best))
      best = next;
  }
  return best;
}

/* One send; the receiver knows when it will have the segment. Returns the receiver. */
static uint32_t send_one(gb_walker *w, const gb_pipe *pipe, uint32_t u, double t) {
  gb_progress *from = gb_walker_progress(w, pipe, u);
  uint32_t v = pipe->shape->child[from->turn], j = from->segment;
  gb_progress *to = gb_walker_progress(w, pipe, v);
  const gb_edge *edge = &pipe->edge[v];
  int k = j + 1 == gb_walker_segments(pipe, v) ? 1 : 0;
  double *wire = &w->wire[edge->wire];
  w->port[u] = t + edge->cost[k].delta;
  *wire = later(*wire, t + edge->overhead) + edge->busy[k];
  double end = later(t + edge->cost[k].gap, *wire);
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->use_count; i++) {
    const gb_use *use = &w->forest->use[i];
    double *free_at = &w->queue[use->queue];
    *free_at = later(*free_at, t + edge->overhead) + use->busy[k];
    end = later(end, *free_at);
  }
  to->last = later(to->last, end + edge->cost[k].tail + (j == 0 ? edge->announce : 0));
  w->at[to->first + j] = to->last;
  to->known = j + 1;
  double *start = w->forest->part[pipe - w->pipe].start;
  if (j == 0 && start)
    start[v] = t;
  if (pipe->flow.operation == GBCAST_BCAST)
    advance_broadcast(pipe, from);
  else
    advance_scatter(pipe, u, from);
  look(w, pipe, from);
  if (to->there == INFINITY)
    look(w, pipe, to);
  return v;
}

/* Lines u up for a send in a tree where it may just have become possible. */
static void enter(gb_walker *w, const gb_pipe *pipe, uint32_t u) {
  gb_next next = {.pipe = pipe};
  if (!ready(w, pipe, u, &next.time) || !goes_first(w, u, next, w->next[u]))
    return;
  w->next[u] = next;
  gb_heap_push(&w->heap, u, next.time);
}

/* A group of senders; all who feed it have been walked. */
static void walk_group(gb_walker *w, const uint32_t *sender, uint32_t count) {
  uint32_t u = sender[0];
  gb_next next;
  if (count == 1) {
    while ((next = choose(w, u)).pipe)
      send_one(w, next.pipe, u, next.time);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = w->served_from[sender[i]]; k < w->served_from[sender[i] + 1]; k++)
      enter(w, &w->pipe[w->served[k]], sender[i]);
  while (gb_heap_first(&w->heap, &u)) {
    next = w->next[u];
    uint32_t v = send_one(w, next.pipe, u, next.time);
    w->next[u] = choose(w, u);
    if (w->next[u].pipe)
      gb_heap_put_off(&w->heap, w->next[u].time);
    else
      gb_heap_pop(&w->heap);
    if (w->forest->group[v] == w->forest->group[u])
      enter(w, next.pipe, v);
  }
}

static void walk_all(gb_walker *w) {
  const gb_forest *forest = w->forest;
  for (uint32_t i = 0, end; i < forest->sender_count; i = end) {
    for (end = i + 1; end < forest->sender_count; end++)
      if (forest->group[forest->sender[end]] != forest->group[forest->sender[i]])
        break;
    walk_group(w, forest->sender + i, end - i);
  }
}

int gb_walk(gb_forest *forest, const gb_flow *flow, double *makespan, gbcast_error *err) {
  gb_walker w;
  *makespan = 0;
  int status = gb_walker_new(forest, flow, &w, err);
  if (status != GBCAST_OK)
    return status;
  for (uint32_t t = 0; t < forest->count; t++)
    look(&w, &w.pipe[t], gb_walker_progress(&w, &w.pipe[t], forest->root));
  walk_all(&w);
  for (uint32_t v = 0; v < forest->n; v++) {
    double last = 0;
    uint32_t latest = 0;
    for (uint32_t t = 0; t < forest->count; t++) {
      const gb_progress *at_end = gb_walker_progress(&w, &w.pipe[t], v);
      const double end = gb_periodic_end(&w.pipe[t], w.at + at_end->first, at_end->known);
      if (forest->part[t].arrival)
        forest->part[t].arrival[v] = end;
      if (end > last) {
        last = end;
        latest = t;
      }
    }
    const double taken = v == forest->root ? 0 : gb_walk_taken_in(&w, v);
    if (taken > last && forest->part[latest].arrival)
      forest->part[latest].arrival[v] = taken;
    *makespan = later(*makespan, later(last, taken));
  }
  if (flow->operation == GBCAST_BCAST && forest->count > 1)
    *makespan = later(*makespan, gb_walk_let_through(&w));
  gb_walker_free(&w);
  return GBCAST_OK;
}
