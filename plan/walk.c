/* The predictor. Every sender works down a fixed list of sends: segment by segment to its children in order
 * (broadcast), or child by child (scatter). A send that starts at t
 *
 *   - keeps the sender's port until t + Delta,
 *   - queues from t + o on every link that it shares: link free at max(free, t + o) + m / B, and alike on its
 * own narrowest link, so that links are never idle while bytes wait and sends that overlap share them,
 *   - arrives at max(t + g, the latest of those) + L + o.
 *
 *   port    |D1|D2|D3|          one sender, children 1 2 3
 *   link      |==1==|==2==|     1 and 2 share a slow link: 2 waits for it, the port does not
 *
 * Senders whose links nobody else uses depend on their parent alone and are walked one after the other down
 * the tree; the others, and those who feed them, share a heap ordered by the time of their next send. Sharing
 * is counted from the start of a send, not from when its bytes reach the link: links far away are taken a
 * latency too early, all alike.
 *
 * A long pipeline becomes periodic after a few segments: beyond flow->walked of them the rest arrives at the
 * pace of the last ones seen. */
#include "plan/walk.h"
#include "plan/heap.h"
#include "plan/shape.h"
#include <stdlib.h>
#include <string.h>

/* Where no edges share a link every sender is periodic from its second segment on, so few are enough. */
#define PERIODIC 12u

typedef struct gb_walker {
  const gb_shape *shape;
  const gb_flow *flow;
  const gb_edges *edges;
  uint32_t limit;    /* broadcast: segments that are walked */
  size_t *first;     /* n: index in `at` of a node's first segment */
  double *at;        /* arrival of each segment at each node */
  uint32_t *known;   /* n: segments that have arrived or are on their way */
  uint32_t *segment; /* n: next segment to send ... */
  uint32_t *turn;    /* n: ... to this child, as a position in its list */
  double *port;      /* n: free from then on */
  double *wire;      /* n: the narrowest link of the edge to the node is free */
  double *queue;     /* shared links */
  double *start;     /* n, or NULL */
  gb_heap heap;
} gb_walker;

static double later(double a, double b) {
  return a > b ? a : b;
}

/* Segments that the walk sends to v. */
static uint32_t edge_segments(const gb_walker *w, uint32_t v) {
  return w->flow->operation == GBCAST_BCAST ? w->limit : w->edges->edge[v].segments;
}

/* The segment of u's own stream that must be there before the next send; false when u has nothing left to
 * send. */
static bool next_need(const gb_walker *w, uint32_t u, uint32_t *need) {
  const gb_shape *s = w->shape;
  if (s->child_start[u] == s->child_start[u + 1])
    return false;
  if (w->flow->operation == GBCAST_BCAST) {
    *need = w->segment[u];
    return w->segment[u] < w->limit;
  }
  if (w->turn[u] == s->child_start[u + 1])
    return false;
  const gb_edge *edge = &w->edges->edge[s->child[w->turn[u]]];
  uint64_t end = (uint64_t)(w->segment[u] + 1) * edge->full;
  end = edge->offset + (end < edge->bytes ? end : edge->bytes);
  *need = (uint32_t)((end - 1) / w->flow->segment);
  return true;
}

static void advance(gb_walker *w, uint32_t u) {
  const gb_shape *s = w->shape;
  if (w->flow->operation == GBCAST_BCAST) {
    if (++w->turn[u] == s->child_start[u + 1]) {
      w->turn[u] = s->child_start[u];
      w->segment[u]++;
    }
  } else if (++w->segment[u] == edge_segments(w, s->child[w->turn[u]])) {
    w->segment[u] = 0;
    w->turn[u]++;
  }
}

/* Whether u can send, and from when. */
static bool ready(const gb_walker *w, uint32_t u, double *time) {
  uint32_t need;
  if (!next_need(w, u, &need) || need >= w->known[u])
    return false;
  *time = later(w->port[u], w->at[w->first[u] + need]);
  return true;
}

/* One send; the receiver knows when it will have the segment. Returns the receiver. */
static uint32_t send_one(gb_walker *w, uint32_t u, double t) {
  uint32_t v = w->shape->child[w->turn[u]], j = w->segment[u];
  const gb_edge *edge = &w->edges->edge[v];
  int k = j + 1 == edge_segments(w, v) ? 1 : 0;
  w->port[u] = t + edge->cost[k].delta;
  w->wire[v] = later(w->wire[v], t + edge->overhead) + edge->busy[k];
  double end = later(t + edge->cost[k].gap, w->wire[v]);
  for (uint32_t i = edge->use_start; i < edge->use_start + edge->use_count; i++) {
    const gb_use *use = &w->edges->use[i];
    double *free_at = &w->queue[use->queue];
    *free_at = later(*free_at, t + edge->overhead) + use->busy[k];
    end = later(end, *free_at);
  }
  double *at = &w->at[w->first[v]];
  double arrival = end + edge->cost[k].tail + (j == 0 ? edge->announce : 0);
  at[j] = j > 0 ? later(arrival, at[j - 1]) : arrival;
  w->known[v] = j + 1;
  if (j == 0 && w->start)
    w->start[v] = t;
  advance(w, u);
  return v;
}

/* Lines u up for its next send, if it can send and is not in line already. */
static void enter(gb_walker *w, uint32_t u) {
  double time;
  if (w->edges->ordered[u] && !gb_heap_has(&w->heap, u) && ready(w, u, &time))
    gb_heap_push(&w->heap, u, time);
}

static int walk_all(gb_walker *w, gbcast_error *err) {
  uint32_t *order = malloc(w->shape->n * sizeof *order);
  if (!order)
    return gb_no_memory(err);
  gb_shape_order(w->shape, order);
  enter(w, w->shape->root);
  uint32_t u;
  double time;
  while (gb_heap_pop(&w->heap, &u, &time)) {
    enter(w, send_one(w, u, time));
    enter(w, u);
  }
  for (uint32_t i = 0; i < w->shape->n; i++)
    while (!w->edges->ordered[order[i]] && ready(w, order[i], &time))
      send_one(w, order[i], time);
  free(order);
  return GBCAST_OK;
}

/* When v has everything, the segments that were not walked included. */
static double finish(const gb_walker *w, uint32_t v, uint64_t segments) {
  const double *at = &w->at[w->first[v]];
  if (w->known[v] == 0)
    return 0;
  double last = at[w->known[v] - 1];
  if (w->flow->operation != GBCAST_BCAST || segments <= w->limit)
    return last;
  uint32_t window = w->limit / 2, from = w->limit - 2 - window;
  return last + (double)(segments - w->limit) * (at[w->limit - 2] - at[from]) / (double)window;
}

static void release(gb_walker *w) {
  free(w->first);
  free(w->at);
  free(w->known);
  free(w->segment);
  free(w->turn);
  free(w->port);
  free(w->wire);
  free(w->queue);
  gb_heap_release(&w->heap);
}

static int allocate(gb_walker *w, gbcast_error *err) {
  uint32_t n = w->shape->n;
  size_t total = 0;
  w->first = calloc(n, sizeof *w->first);
  if (!w->first)
    return gb_no_memory(err);
  for (uint32_t v = 0; v < n; v++) {
    w->first[v] = total;
    if (w->flow->operation == GBCAST_BCAST)
      total += w->limit;
    else if (v == w->shape->root)
      total += (size_t)((w->edges->edge[v].bytes - 1) / w->flow->segment + 1);
    else
      total += w->edges->edge[v].segments;
  }
  w->at = calloc(total, sizeof *w->at);
  w->known = calloc(n, sizeof *w->known);
  w->segment = calloc(n, sizeof *w->segment);
  w->turn = malloc(n * sizeof *w->turn);
  w->port = calloc(n, sizeof *w->port);
  w->wire = calloc(n, sizeof *w->wire);
  w->queue = calloc(w->edges->queue_count + 1, sizeof *w->queue);
  if (!w->at || !w->known || !w->segment || !w->turn || !w->port || !w->wire || !w->queue ||
      !gb_heap_new(&w->heap, n))
    return gb_no_memory(err);
  return GBCAST_OK;
}

int gb_walk(const gb_shape *shape, const gb_flow *flow, const gb_edges *edges, double *start, double *arrival,
            double *makespan, gbcast_error *err) {
  *makespan = 0;
  for (uint32_t v = 0; v < shape->n; v++) {
    if (start)
      start[v] = 0;
    if (arrival)
      arrival[v] = 0;
  }
  if (flow->bytes == 0 || shape->n == 0)
    return GBCAST_OK;
  uint64_t segments = (edges->edge[shape->root].bytes - 1) / flow->segment + 1;
  gb_walker w = {.shape = shape, .flow = flow, .edges = edges, .start = start};
  bool simple = edges->queue_count == 0 && !flow->rendezvous;
  w.limit = simple && flow->walked > PERIODIC ? PERIODIC : flow->walked;
  w.limit = segments < w.limit ? (uint32_t)segments : w.limit;
  int status = allocate(&w, err);
  if (status == GBCAST_OK) {
    memcpy(w.turn, shape->child_start, shape->n * sizeof *w.turn);
    w.known[shape->root] = flow->operation == GBCAST_BCAST ? w.limit : (uint32_t)segments;
    for (uint32_t j = 0; j < w.known[shape->root]; j++)
      w.at[w.first[shape->root] + j] = (double)j * flow->pace;
    status = walk_all(&w, err);
  }
  for (uint32_t v = 0; status == GBCAST_OK && v < shape->n; v++) {
    double t = finish(&w, v, segments);
    *makespan = later(*makespan, t);
    if (arrival)
      arrival[v] = t;
  }
  release(&w);
  return status;
}
