/* Finds the links that the edges of a schedule share.
 *
 * A link that only one pair of endpoints uses is not shared: the narrowest link of the path between the two,
 * a stream that they keep for all trees, accounts for it. Neither is a sender's own link if only that sender
 * uses it and Delta >= o + m / own link, because its sends are then apart already (`injection` or a measured
 * os may say otherwise). What remains are the few links where sends of several edges meet; with several trees
 * also the link of a receiver that has a different parent in each tree.
 *
 *   tree 0   a ==\\
 *                  ==> v      v's link is shared
 *   tree 1   b ==// */
#include "plan/sim/groups.h"
#include "plan/sim/sim.h"
#include "plan/sim/wan_streams.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_path_link { /* one link on the path of an edge */
  uint32_t tree, node;
  uint64_t resource;
  double busy[2]; /* as in gb_link_use */
} gb_path_link;

typedef struct gb_path_links {
  gb_path_link *item;
  size_t count, capacity;
} gb_path_links;

/* All segments of a scatter are simulated. */
static int check_segments(const gb_schedule *schedule, const gb_flow *flow, const gb_edge *edge,
                          gbcast_error *err) {
  uint64_t segments = 0;
  if (!gb_carries_blocks(flow->operation))
    return GBCAST_OK;
  for (uint32_t v = 0; v < schedule->endpoint_count; v++)
    segments += edge[v].bytes / flow->segment + 1;
  if (segments <= GB_SEGMENT_COUNT_MOST + schedule->endpoint_count)
    return GBCAST_OK;
  return gb_fail(err, GBCAST_EUSAGE, "segments of %llu bytes cut this scatter into more than %llu messages",
                 (unsigned long long)flow->segment, (unsigned long long)GB_SEGMENT_COUNT_MOST);
}

static int add_link(gb_path_links *list, gb_path_link item, gbcast_error *err) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 256;
    gb_path_link *grown = realloc(list->item, capacity * sizeof *grown);
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
static uint32_t stream_of(const gb_schedule *schedule, uint32_t u, uint32_t v) {
  uint32_t t = 0;
  while (schedule->tree[t].parent[v] != u)
    t++;
  return t * schedule->endpoint_count + v;
}

/* Computes the costs of the edge to v in one tree, and lists the links of its path. */
static int measure_edge(gb_network *net, const gb_schedule *schedule, gb_traffic *traffic,
                        const gb_flow *flow, uint32_t number, uint32_t v, gb_path_links *list,
                        gbcast_error *err) {
  const gb_tree *tree = &schedule->tree[number];
  gb_edge *edge = &traffic->edge[number][v];
  uint32_t u = tree->parent[v];
  bool apart;
  edge->stream = stream_of(schedule, u, v);
  int status = gb_edge_measure(net, schedule, tree, flow, v, edge, &apart, err);
  if (status != GBCAST_OK || !apart)
    return status;
  const gb_route *route = &net->route;
  bool first = edge->stream == number * schedule->endpoint_count + v;
  for (uint32_t i = 0; status == GBCAST_OK && i < route->hop_count; i++) {
    gb_path_link hop = {.tree = number, .node = v, .resource = route->hop[i].resource};
    bool spaced = i == 0;
    for (int k = 0; k < 2; k++) {
      hop.busy[k] = gb_route_hop_time(route, &edge->cost[k], i, k == 0 ? edge->full : edge->last);
      spaced = spaced && edge->cost[k].delta >= edge->overhead + hop.busy[k];
    }
    if (first)
      note_use(net, hop.resource, u, spaced);
    status = add_link(list, hop, err);
  }
  return status;
}

static int measure_tree(gb_network *net, const gb_schedule *schedule, gb_traffic *traffic,
                        const gb_flow *flow, uint32_t number, gb_path_links *list, gbcast_error *err) {
  const gb_tree *tree = &schedule->tree[number];
  gb_edge *edge = traffic->edge[number];
  int status = gb_edges_set_bytes(schedule, tree, flow, edge, err);
  if (status == GBCAST_OK)
    status = check_segments(schedule, flow, edge, err);
  for (uint32_t u = 0; u < schedule->endpoint_count; u++) {
    uint64_t offset = 0;
    for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++) {
      edge[tree->child[i]].offset = offset;
      offset += edge[tree->child[i]].bytes;
    }
  }
  for (uint32_t v = 0; status == GBCAST_OK && v < schedule->endpoint_count; v++) {
    edge[v].use_start = edge[v].use_count = 0;
    if (tree->parent[v] != GB_NONE)
      status = measure_edge(net, schedule, traffic, flow, number, v, list, err);
  }
  return status;
}

/* Bytes that u sends to v over all trees, which share one stream. */
static uint64_t stream_bytes(const gb_schedule *schedule, const gb_traffic *traffic, uint32_t u, uint32_t v) {
  uint64_t bytes = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    if (schedule->tree[t].parent[v] == u)
      bytes += traffic->edge[t][v].bytes;
  return bytes;
}

/* Sets *time to the s until a byte sent from u to v is acknowledged. Without a route back, the way back is
 * assumed to take as long. */
static int find_round_trip(gb_network *net, gb_endpoint u, gb_endpoint v, const gb_edge *edge, double *time,
                           gbcast_error *err) {
  const double there = edge->cost[0].tail;
  int status = gb_network_route(net, v.host, u.host, NULL);
  if (status == GBCAST_EMEMORY)
    return gb_no_memory(err);
  *time = there + (status == GBCAST_OK ? gb_route_cost(&net->route, edge->full).tail : there);
  return GBCAST_OK;
}

/* Slow start lengthens the path of an edge. Streams of a broadcast run at the same time and get equal shares
 * of the links; those of a scatter follow each other, and so do uncut messages of one sender. */
static int add_slow_start(gb_network *net, const gb_schedule *schedule, gb_traffic *traffic,
                          const gb_flow *flow, const gb_path_links *list, gbcast_error *err) {
  traffic->slow_start = false;
  for (size_t i = 0, end; i < list->count; i = end) {
    const uint32_t t = list->item[i].tree;
    const uint32_t v = list->item[i].node;
    gb_edge *edge = &traffic->edge[t][v];
    double busy = edge->busy[0];
    for (end = i; end < list->count; end++) {
      const gb_path_link *hop = &list->item[end];
      if (edge != &traffic->edge[hop->tree][hop->node])
        break;
      const gb_resource *r = &net->resource[hop->resource];
      const bool at_once = !gb_carries_blocks(flow->operation) && (edge->bytes > edge->full || r->shared);
      double shared = at_once ? r->users * hop->busy[0] : 0;
      busy = shared > busy ? shared : busy;
    }
    if (edge->initial_window == INFINITY || busy <= 0)
      continue;
    const uint32_t u = schedule->tree[t].parent[v];
    double round_trip;
    int status = find_round_trip(net, schedule->endpoint[u], schedule->endpoint[v], edge, &round_trip, err);
    if (status != GBCAST_OK)
      return status;
    const double window = gb_filled_window(edge->initial_window, edge->full);
    double lost =
        gb_slow_start(window, round_trip, (double)edge->full / busy, stream_bytes(schedule, traffic, u, v));
    traffic->slow_start = true;
    edge->cost[0].tail += lost;
    edge->cost[1].tail += lost;
  }
  return GBCAST_OK;
}

/* Keeps the uses of links where edges meet, and numbers these links. */
static int keep_shared(gb_network *net, gb_traffic *traffic, const gb_path_links *list, gbcast_error *err) {
  if (list->count > traffic->use_capacity) {
    free(traffic->use);
    traffic->use_capacity = 0;
    traffic->use = malloc(list->count * sizeof *traffic->use);
    if (!traffic->use)
      return gb_no_memory(err);
    traffic->use_capacity = (uint32_t)list->count;
  }
  traffic->use_count = traffic->link_count = 0;
  for (size_t i = 0; i < list->count; i++) {
    const gb_path_link *hop = &list->item[i];
    gb_resource *r = &net->resource[hop->resource];
    gb_edge *edge = &traffic->edge[hop->tree][hop->node];
    if (i == 0 || hop->tree != hop[-1].tree || hop->node != hop[-1].node)
      edge->use_start = traffic->use_count;
    if (r->users < 2 || (!r->shared && !r->queued))
      continue;
    if (r->link == 0)
      r->link = ++traffic->link_count;
    gb_link_use *use = &traffic->use[traffic->use_count++];
    *use = (gb_link_use){.link = r->link - 1, .busy = {hop->busy[0], hop->busy[1]}};
    edge->use_count++;
  }
  return GBCAST_OK;
}

int gb_traffic_find(gb_network *net, const gb_schedule *schedule, const gb_flow *flow, gb_traffic *traffic,
                    gbcast_error *err) {
  gb_path_links list = {0};
  int status = GBCAST_OK;
  for (uint32_t t = 0; status == GBCAST_OK && t < schedule->tree_count; t++) {
    gb_flow part = gb_schedule_share(schedule, flow, t);
    status = measure_tree(net, schedule, traffic, &part, t, &list, err);
  }
  if (status == GBCAST_OK)
    status = add_slow_start(net, schedule, traffic, flow, &list, err);
  if (status == GBCAST_OK)
    status = gb_wan_streams_slow_down(schedule, net->p, flow, traffic, err);
  if (status == GBCAST_OK)
    status = keep_shared(net, traffic, &list, err);
  for (size_t i = 0; i < list.count; i++)
    net->resource[list.item[i].resource] = (gb_resource){0};
  free(list.item);
  return status == GBCAST_OK ? gb_groups_find(schedule, traffic, err) : status;
}
