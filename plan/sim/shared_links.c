/* Which links the edges of a forest share.
 *
 * A link that one pair of endpoints alone uses needs no queue of its own: the narrowest link between the two,
 * a stream that they keep for all trees, says it all. Neither does a sender's own link when only that sender
 * uses it, and Delta >= o + m / own link keeps the sends apart already (unless `injection` or a measured os
 * of one of them says otherwise). What is left are the few links at which sends meet; with several trees also
 * the link of a receiver that has another parent in each tree.
 *
 *   tree 0   a ==\\
 *                  ==> v      v's link has a queue
 *   tree 1   b ==//                                                                                        */
#include "plan/sim/arrival_order.h"
#include "plan/sim/groups.h"
#include "plan/sim/sim.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

#define MAX_PIECES ((uint64_t)1 << 22)

typedef struct gb_seen { /* a hop that some edge takes */
  uint32_t tree, node;
  uint64_t resource;
  double busy[2], late; /* as in gb_use */
} gb_seen;

typedef struct gb_seen_list {
  gb_seen *item;
  size_t count, capacity;
} gb_seen_list;

/* A scatter walks every segment of every edge. */
static int check_pieces(const gb_shape *shape, const gb_flow *flow, const gb_edge *edge, gbcast_error *err) {
  uint64_t pieces = 0;
  if (flow->operation == GBCAST_BCAST)
    return GBCAST_OK;
  for (uint32_t v = 0; v < shape->n; v++)
    pieces += edge[v].bytes / flow->segment + 1;
  if (pieces <= MAX_PIECES + shape->n)
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EUSAGE, "segments of %llu bytes cut this scatter into more than %llu messages",
                 (unsigned long long)flow->segment, (unsigned long long)MAX_PIECES);
}

static int see(gb_seen_list *list, gb_seen item, gbcast_error *err) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 256;
    gb_seen *grown = realloc(list->item, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    list->item = grown;
    list->capacity = capacity;
  }
  list->item[list->count++] = item;
  return GBCAST_OK;
}

static void note_use(gb_network *net, uint64_t resource, uint32_t sender, bool spaced) {
  gb_resource *r = &net->resource[resource];
  if (r->users++ == 0)
    r->sender = sender;
  else if (r->sender != sender)
    r->shared = true;
  if (!spaced)
    r->queued = true;
}

/* The first tree in which u feeds v, as tree * n + v. */
static uint32_t wire_of(const gb_forest *forest, uint32_t u, uint32_t v) {
  uint32_t t = 0;
  while (forest->part[t].shape.parent[v] != u)
    t++;
  return t * forest->n + v;
}

/* Costs of the edge to v in one tree, and the links on its way. */
static int look_at_edge(gb_network *net, gb_forest *forest, const gb_flow *flow, uint32_t tree, uint32_t v,
                        gb_seen_list *list, gbcast_error *err) {
  const gb_shape *shape = &forest->part[tree].shape;
  gb_edge *edge = &forest->part[tree].edge[v];
  uint32_t u = shape->parent[v];
  bool apart;
  edge->wire = wire_of(forest, u, v);
  int status = gb_edge_measure(net, shape, forest->count, flow, v, edge, &apart, err);
  if (status != GBCAST_OK || !apart)
    return status;
  const gb_route *route = &net->route;
  bool first = edge->wire == tree * forest->n + v;
  for (uint32_t i = 0; status == GBCAST_OK && i < route->hop_count; i++) {
    gb_seen hop = {
        .tree = tree, .node = v, .resource = route->hop[i].resource, .late = route->hop[i].first_byte};
    bool spaced = i == 0;
    for (int k = 0; k < 2; k++) {
      hop.busy[k] = gb_route_hop_time(route, &edge->cost[k], i, k == 0 ? edge->full : edge->last);
      spaced = spaced && edge->cost[k].delta >= edge->overhead + hop.busy[k];
    }
    if (first)
      note_use(net, hop.resource, u, spaced);
    status = see(list, hop, err);
  }
  return status;
}

static int look_at_tree(gb_network *net, gb_forest *forest, const gb_flow *flow, uint32_t tree,
                        gb_seen_list *list, gbcast_error *err) {
  const gb_shape *shape = &forest->part[tree].shape;
  gb_edge *edge = forest->part[tree].edge;
  int status = gb_edges_set_bytes(shape, flow, edge, err);
  if (status == GBCAST_OK)
    status = check_pieces(shape, flow, edge, err);
  for (uint32_t u = 0; u < shape->n; u++) {
    uint64_t offset = 0;
    for (uint32_t i = shape->child_start[u]; i < shape->child_start[u + 1]; i++) {
      edge[shape->child[i]].offset = offset;
      offset += edge[shape->child[i]].bytes;
    }
  }
  for (uint32_t v = 0; status == GBCAST_OK && v < shape->n; v++) {
    edge[v].use_start = edge[v].use_count = 0;
    if (shape->parent[v] != GB_NONE)
      status = look_at_edge(net, forest, flow, tree, v, list, err);
  }
  return status;
}

/* Bytes that u sends to v in all trees: one stream. */
static uint64_t stream_bytes(const gb_forest *forest, uint32_t u, uint32_t v) {
  uint64_t bytes = 0;
  for (uint32_t t = 0; t < forest->count; t++)
    if (forest->part[t].shape.parent[v] == u)
      bytes += forest->part[t].edge[v].bytes;
  return bytes;
}

/* s until a byte that goes over the edge from u to v is answered; the way back is taken to be as long where
 * there is none. */
static int find_round_trip(gb_network *net, gb_endpoint u, gb_endpoint v, const gb_edge *edge, double *time,
                           gbcast_error *err) {
  const double there = edge->cost[0].tail;
  int status = gb_network_route(net, v.host, u.host, NULL);
  if (status == GBCAST_EMEMORY)
    return gb_no_memory(err);
  *time = there + (status == GBCAST_OK ? gb_route_cost(&net->route, edge->full).tail : there);
  return GBCAST_OK;
}

/* Slow start makes the way of an edge longer. Streams of a broadcast are under way at the same time, and have
 * even shares of the links that they take; those of a scatter follow each other, and so do uncut messages of
 * one sender. */
static int add_slow_start(gb_network *net, gb_forest *forest, const gb_flow *flow, const gb_seen_list *list,
                          gbcast_error *err) {
  forest->slow_start = false;
  for (size_t i = 0, end; i < list->count; i = end) {
    const gb_part *part = &forest->part[list->item[i].tree];
    const uint32_t v = list->item[i].node;
    gb_edge *edge = &part->edge[v];
    double busy = edge->busy[0];
    for (end = i; end < list->count; end++) {
      const gb_seen *hop = &list->item[end];
      if (edge != &forest->part[hop->tree].edge[hop->node])
        break;
      const gb_resource *r = &net->resource[hop->resource];
      const bool at_once = flow->operation == GBCAST_BCAST && (edge->bytes > edge->full || r->shared);
      double shared = at_once ? r->users * hop->busy[0] : 0;
      busy = shared > busy ? shared : busy;
    }
    if (edge->window == INFINITY || busy <= 0)
      continue;
    const uint32_t u = part->shape.parent[v];
    double round_trip;
    int status =
        find_round_trip(net, part->shape.endpoint[u], part->shape.endpoint[v], edge, &round_trip, err);
    if (status != GBCAST_OK)
      return status;
    const double window = gb_filled_window(edge->window, edge->full);
    double lost = gb_slow_start(window, round_trip, (double)edge->full / busy, stream_bytes(forest, u, v));
    forest->slow_start = true;
    edge->cost[0].tail += lost;
    edge->cost[1].tail += lost;
  }
  return GBCAST_OK;
}

/* Keeps the links at which edges meet, and numbers their queues. */
static int keep_shared(gb_network *net, gb_forest *forest, const gb_seen_list *list, gbcast_error *err) {
  if (list->count > forest->use_capacity) {
    free(forest->use);
    forest->use_capacity = 0;
    forest->use = malloc(list->count * sizeof *forest->use);
    if (!forest->use)
      return gb_no_memory(err);
    forest->use_capacity = (uint32_t)list->count;
  }
  forest->use_count = forest->queue_count = 0;
  const gb_edge *before = NULL;
  for (size_t i = 0; i < list->count; i++) {
    const gb_seen *hop = &list->item[i];
    gb_resource *r = &net->resource[hop->resource];
    gb_edge *edge = &forest->part[hop->tree].edge[hop->node];
    if (before != edge) {
      before = edge;
      edge->use_start = forest->use_count;
    }
    if (r->users < 2 || (!r->shared && !r->queued))
      continue;
    if (r->queue == 0)
      r->queue = ++forest->queue_count;
    gb_use *use = &forest->use[forest->use_count++];
    *use = (gb_use){.queue = r->queue - 1, .busy = {hop->busy[0], hop->busy[1]}, .late = hop->late};
    edge->use_count++;
  }
  return GBCAST_OK;
}

int gb_queues_find(gb_network *net, gb_forest *forest, const gb_flow *flow, gbcast_error *err) {
  gb_seen_list list = {0};
  int status = GBCAST_OK;
  for (uint32_t t = 0; status == GBCAST_OK && t < forest->count; t++) {
    gb_flow part = gb_forest_flow(forest, flow, t);
    status = look_at_tree(net, forest, &part, t, &list, err);
  }
  if (status == GBCAST_OK)
    status = add_slow_start(net, forest, flow, &list, err);
  if (status == GBCAST_OK)
    status = keep_shared(net, forest, &list, err);
  for (size_t i = 0; i < list.count; i++)
    net->resource[list.item[i].resource] = (gb_resource){0};
  free(list.item);
  if (status == GBCAST_OK)
    status = gb_late_find(forest, err);
  return status == GBCAST_OK ? gb_groups_find(forest, err) : status;
}
