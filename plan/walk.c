/* The predictor. In each tree a sender works down a fixed list of sends: segment by segment to its children
 * in order (broadcast), or child by child (scatter). A send that starts at t
 *
 *   - keeps the sender's port until t + Delta, whatever the tree,
 *   - queues from t + o on every link that it shares: link free at max(free, t + o) + m / B, and alike on the
 * narrowest link between the two, so that links are never idle while bytes wait and sends that overlap share
 * them,
 *   - arrives at max(t + g, the latest of those) + L + o.
 *
 *   port    |D1|D2|D3|          one sender, children 1 2 3
 *   link      |==1==|==2==|     1 and 2 share a slow link: 2 waits for it, the port does not
 *
 * Which tree a sender serves next: of the sends that could start first, one in a tree in which it feeds other
 * sites, as the way is longer there; then the one in the tree of whose sends it has done the smallest part,
 * then the lower tree. So trees are served in proportion to their shares, and one whose segments are late
 * holds nobody up.
 *
 *   shares 2 : 1     tree 0 |0|  |1|2|  |3|4|  ...
 *                    tree 1    |0|    |1|      ...
 *
 * Senders are walked in groups (groups.c), a group in the order of time by a heap of its next sends. Sharing
 * is counted from the start of a send, not from when its bytes reach the link: links far away are taken a
 * latency too early, all alike. Long pipelines are not walked to their end (periodic.c). */
#include "plan/walk.h"
#include "plan/walker.h"
#include <math.h>

static double later(double a, double b) {
  return a > b ? a : b;
}

/* The segment of u's own stream that must be there before the next send in a tree; false when u has nothing
 * left to send there. */
static bool next_need(const gb_walker *w, const gb_pipe *pipe, uint32_t u, uint32_t *need) {
  const gb_shape *s = pipe->shape;
  size_t i = pipe->base + u;
  if (s->child_start[u] == s->child_start[u + 1])
    return false;
  if (pipe->flow.operation == GBCAST_BCAST) {
    *need = w->segment[i];
    return w->segment[i] < pipe->limit;
  }
  if (w->turn[i] == s->child_start[u + 1])
    return false;
  const gb_edge *edge = &pipe->edge[s->child[w->turn[i]]];
  uint64_t end = (uint64_t)(w->segment[i] + 1) * edge->full;
  end = edge->offset + (end < edge->bytes ? end : edge->bytes);
  *need = (uint32_t)((end - 1) / pipe->flow.segment);
  return true;
}

static void advance(gb_walker *w, const gb_pipe *pipe, uint32_t u) {
  const gb_shape *s = pipe->shape;
  size_t i = pipe->base + u;
  if (pipe->flow.operation == GBCAST_BCAST) {
    if (++w->turn[i] == s->child_start[u + 1]) {
      w->turn[i] = s->child_start[u];
      w->segment[i]++;
    }
  } else if (++w->segment[i] == gb_walker_segments(pipe, s->child[w->turn[i]])) {
    w->segment[i] = 0;
    w->turn[i]++;
  }
}

/* Notes from when u has what it is to send next in a tree. */
static void note_due(gb_walker *w, const gb_pipe *pipe, uint32_t u) {
  uint32_t need;
  bool known = next_need(w, pipe, u, &need) && need < w->known[pipe->base + u];
  w->due[(size_t)u * w->forest->count + (size_t)(pipe - w->pipe)] =
      known ? w->at[w->first[pipe->base + u] + need] : INFINITY;
}

/* The part of u's sends in a tree that is done. */
static double part_done(const gb_walker *w, const gb_pipe *pipe, uint32_t u) {
  const uint32_t *start = &pipe->shape->child_start[u];
  uint64_t children = start[1] - start[0], done = w->segment[pipe->base + u] * children;
  done += w->turn[pipe->base + u] - start[0];
  return (double)done / (double)(pipe->segments * children);
}

/* Whether u rather sends in one tree than in another when it could send in both at the same time. */
static bool before(const gb_walker *w, const gb_pipe *one, const gb_pipe *other, uint32_t u) {
  if (w->far[one->base + u] != w->far[other->base + u])
    return w->far[one->base + u];
  return part_done(w, one, u) < part_done(w, other, u);
}

/* The tree that u serves next, and from when; NULL when it can send in none. */
static const gb_pipe *choose(const gb_walker *w, uint32_t u, double *time) {
  const gb_pipe *best = NULL;
  const double *due = w->due + (size_t)u * w->forest->count;
  *time = INFINITY;
  for (uint32_t t = 0; t < w->forest->count; t++) {
    double from = later(w->port[u], due[t]);
    if (from < *time || (from == *time && best && before(w, &w->pipe[t], best, u))) {
      best = &w->pipe[t];
      *time = from;
    }
  }
  return best;
}

/* One send; the receiver knows when it will have the segment. Returns the receiver. */
static uint32_t send_one(gb_walker *w, const gb_pipe *pipe, uint32_t u, double t) {
  uint32_t v = pipe->shape->child[w->turn[pipe->base + u]], j = w->segment[pipe->base + u];
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
  double *at = &w->at[w->first[pipe->base + v]];
  double arrival = end + edge->cost[k].tail + (j == 0 ? edge->announce : 0);
  at[j] = j > 0 ? later(arrival, at[j - 1]) : arrival;
  w->known[pipe->base + v] = j + 1;
  double *start = w->forest->part[pipe - w->pipe].start;
  if (j == 0 && start)
    start[v] = t;
  advance(w, pipe, u);
  note_due(w, pipe, u);
  note_due(w, pipe, v);
  return v;
}

/* Lines u up for its next send, if it can send; a send in another tree may have become possible sooner. */
static void enter(gb_walker *w, uint32_t u) {
  double time;
  if ((w->forest->count > 1 || !gb_heap_has(&w->heap, u)) && choose(w, u, &time))
    gb_heap_push(&w->heap, u, time);
}

/* A group of senders; all who feed it have been walked. */
static void walk_group(gb_walker *w, const uint32_t *sender, uint32_t count) {
  uint32_t u = sender[0];
  const gb_pipe *pipe;
  double time;
  if (count == 1) {
    while ((pipe = choose(w, u, &time)))
      send_one(w, pipe, u, time);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    enter(w, sender[i]);
  while (gb_heap_pop(&w->heap, &u, &time))
    if ((pipe = choose(w, u, &time))) {
      uint32_t v = send_one(w, pipe, u, time);
      if (w->forest->group[v] == w->forest->group[u])
        enter(w, v);
      enter(w, u);
    }
}

static void walk_all(gb_walker *w) {
  const gb_forest *forest = w->forest;
  for (uint32_t t = 0; t < forest->count; t++)
    for (uint32_t u = 0; u < forest->n; u++)
      note_due(w, &w->pipe[t], u);
  for (uint32_t i = 0, end; i < forest->sender_count; i = end) {
    for (end = i + 1; end < forest->sender_count; end++)
      if (forest->group[forest->sender[end]] != forest->group[forest->sender[i]])
        break;
    walk_group(w, forest->sender + i, end - i);
  }
}

/* When v's own link has taken in all that comes over it, from the first segment on. The walk lets what comes
 * from far away pass there too early, so that it may not meet what comes from near by. */
static double taken_in(const gb_walker *w, uint32_t v) {
  double from = INFINITY, work = 0;
  for (uint32_t t = 0; t < w->forest->count; t++) {
    const gb_pipe *pipe = &w->pipe[t];
    const gb_edge *edge = &pipe->edge[v];
    const size_t i = pipe->base + v;
    if (w->known[i] == 0)
      continue;
    const double begun = w->at[w->first[i]] - edge->into[pipe->segments > 1 ? 0 : 1];
    from = begun < from ? begun : from;
    work += (double)(pipe->segments - 1) * edge->into[0] + edge->into[1];
  }
  return w->forest->count > 1 && work > 0 ? from + work : 0;
}

/* When every shared link has let all through that crosses it in a broadcast, and the last of that has come
 * on: the pace of the first segments may be less. The queues are no longer needed. */
static double let_through(gb_walker *w) {
  const gb_forest *forest = w->forest;
  double end = 0;
  for (uint32_t q = 0; q < forest->queue_count; q++) {
    w->queue[q] = 0;
    w->least[q] = INFINITY;
  }
  for (size_t i = 0; i < (size_t)forest->n * forest->count; i++) {
    const gb_pipe *pipe = &w->pipe[i / forest->n];
    const gb_edge *edge = &pipe->edge[i % forest->n];
    const bool sent = i % forest->n != forest->root && pipe->segments > 0;
    for (uint32_t k = edge->use_start; sent && k < edge->use_start + edge->use_count; k++) {
      const gb_use *use = &forest->use[k];
      const double tail = edge->cost[0].tail < edge->cost[1].tail ? edge->cost[0].tail : edge->cost[1].tail;
      w->queue[use->queue] += (double)(pipe->segments - 1) * use->busy[0] + use->busy[1];
      w->least[use->queue] = tail < w->least[use->queue] ? tail : w->least[use->queue];
    }
  }
  for (uint32_t q = 0; q < forest->queue_count; q++)
    if (w->queue[q] > 0)
      end = later(end, w->queue[q] + w->least[q]);
  return end;
}

int gb_walk(gb_forest *forest, const gb_flow *flow, double *makespan, gbcast_error *err) {
  gb_walker w;
  *makespan = 0;
  int status = gb_walker_new(forest, flow, &w, err);
  if (status != GBCAST_OK)
    return status;
  walk_all(&w);
  for (uint32_t v = 0; v < forest->n; v++) {
    double last = 0;
    uint32_t latest = 0;
    for (uint32_t t = 0; t < forest->count; t++) {
      const size_t i = w.pipe[t].base + v;
      const double end = gb_periodic_end(&w.pipe[t], w.at + w.first[i], w.known[i]);
      if (forest->part[t].arrival)
        forest->part[t].arrival[v] = end;
      if (end > last) {
        last = end;
        latest = t;
      }
    }
    const double taken = v == forest->root ? 0 : taken_in(&w, v);
    if (taken > last && forest->part[latest].arrival)
      forest->part[latest].arrival[v] = taken;
    *makespan = later(*makespan, later(last, taken));
  }
  if (flow->operation == GBCAST_BCAST && forest->count > 1)
    *makespan = later(*makespan, let_through(&w));
  gb_walker_free(&w);
  return GBCAST_OK;
}
