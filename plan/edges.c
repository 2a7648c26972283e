/* What each edge of a tree costs, and which links it shares with other edges.
 *
 * A link that one edge alone uses needs no queue of its own: the edge's narrowest link says it all. Neither
 * does a sender's own link when only that sender uses it, because Delta >= o + m / own link keeps the sends
 * apart already (unless `injection` of one of them says otherwise). What is left are the few links at which
 * sends meet. */
#include "plan/edges.h"
#include "plan/shape.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PIECES ((uint64_t)1 << 22)

typedef struct gb_seen { /* a hop that some edge takes */
  uint32_t node;
  bool host_link;
  uint64_t resource;
  double bandwidth;
} gb_seen;

typedef struct gb_seen_list {
  gb_seen *item;
  size_t count, capacity;
} gb_seen_list;

int gb_edges_new(uint32_t n, gb_edges *edges, gbcast_error *err) {
  *edges = (gb_edges){.edge = calloc(n, sizeof *edges->edge), .ordered = calloc(n, sizeof *edges->ordered)};
  if (edges->edge && edges->ordered)
    return GBCAST_OK;
  gb_edges_free(edges);
  return gb_no_memory(err);
}

void gb_edges_free(gb_edges *edges) {
  free(edges->edge);
  free(edges->use);
  free(edges->ordered);
  *edges = (gb_edges){0};
}

static gb_cost node_cost(uint64_t bytes) {
  double busy = GB_NODE_OVERHEAD + (double)bytes / GB_NODE_BANDWIDTH;
  return (gb_cost){.delta = busy, .gap = busy, .tail = GB_NODE_OVERHEAD};
}

int gb_planner_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err) {
  uint32_t a = pl->p->host[from].cluster, b = pl->p->host[to].cluster;
  if (a != b && !pl->row[a] && !gb_platform_link(pl->p, a, b)) {
    uint32_t *row = malloc(pl->p->cluster_count * sizeof *row);
    if (!row)
      return gb_no_memory(err);
    int status = gb_route_row(pl->p, a, row, NULL, err);
    if (status != GBCAST_OK) {
      free(row);
      return status;
    }
    pl->row[a] = row;
  }
  return gb_route_between(pl->p, from, to, pl->row[a], &pl->route, err);
}

int gb_edge_cost(gb_planner *pl, gb_endpoint u, gb_endpoint v, uint64_t bytes, gb_cost *cost,
                 gbcast_error *err) {
  if (u.host == v.host) {
    *cost = node_cost(bytes);
    return GBCAST_OK;
  }
  int status = gb_planner_route(pl, u.host, v.host, err);
  if (status == GBCAST_OK)
    *cost = gb_route_cost(&pl->route, bytes);
  return status;
}

/* Bytes of each edge: the message, or the blocks of the subtree that it leads to. */
static int set_bytes(const gb_shape *shape, const gb_flow *flow, gb_edges *edges, gbcast_error *err) {
  if (flow->operation == GBCAST_BCAST) {
    for (uint32_t v = 0; v < shape->n; v++)
      edges->edge[v].bytes = flow->bytes;
    return GBCAST_OK;
  }
  uint32_t *order = malloc(shape->n * sizeof *order);
  if (!order)
    return gb_no_memory(err);
  gb_shape_order(shape, order);
  for (uint32_t v = 0; v < shape->n; v++)
    edges->edge[v].bytes = flow->bytes;
  for (uint32_t i = shape->n; i-- > 1;)
    edges->edge[shape->parent[order[i]]].bytes += edges->edge[order[i]].bytes;
  free(order);
  return GBCAST_OK;
}

int gb_edges_for_labels(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, gb_edges *edges,
                        gbcast_error *err) {
  int status = set_bytes(shape, flow, edges, err);
  for (uint32_t v = 0; status == GBCAST_OK && v < shape->n; v++) {
    uint32_t u = shape->parent[v];
    if (u == GB_NONE)
      continue;
    gb_edge *edge = &edges->edge[v];
    uint64_t size =
        flow->operation == GBCAST_SCATTER || edge->bytes < flow->segment ? edge->bytes : flow->segment;
    status = gb_edge_cost(pl, shape->endpoint[u], shape->endpoint[v], size, &edge->cost[0], err);
  }
  return status;
}

/* A scatter walks every segment of every edge. */
static int check_pieces(const gb_shape *shape, const gb_flow *flow, const gb_edges *edges,
                        gbcast_error *err) {
  uint64_t pieces = 0;
  if (flow->operation == GBCAST_BCAST)
    return GBCAST_OK;
  for (uint32_t v = 0; v < shape->n; v++)
    pieces += edges->edge[v].bytes / flow->segment + 1;
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

static void note_use(gb_planner *pl, uint64_t resource, uint32_t sender, bool spaced) {
  gb_resource *r = &pl->resource[resource];
  if (r->users++ == 0)
    r->sender = sender;
  else if (r->sender != sender)
    r->shared = true;
  if (!spaced)
    r->queued = true;
}

/* Costs of the edge to v, and the links on its way. */
static int measure_edge(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, uint32_t v, gb_edge *edge,
                        gb_seen_list *list, gbcast_error *err) {
  uint32_t u = shape->parent[v];
  uint64_t full = edge->bytes < flow->segment ? edge->bytes : flow->segment;
  uint64_t pieces = full == 0 ? 0 : (edge->bytes - 1) / full + 1;
  edge->segments = (uint32_t)pieces; /* a broadcast may have more, but does not walk them all */
  uint64_t last = full == 0 ? 0 : edge->bytes - (pieces - 1) * full;
  uint64_t size[2] = {full, last};
  edge->full = full;
  edge->last = last;
  edge->measured = false;
  if (shape->endpoint[u].host == shape->endpoint[v].host) {
    for (int i = 0; i < 2; i++) {
      edge->cost[i] = node_cost(size[i]);
      edge->busy[i] = (double)size[i] / GB_NODE_BANDWIDTH;
    }
    edge->overhead = GB_NODE_OVERHEAD;
    edge->announce = 0;
    return GBCAST_OK;
  }
  int status = gb_planner_route(pl, shape->endpoint[u].host, shape->endpoint[v].host, err);
  if (status != GBCAST_OK)
    return status;
  const gb_route *route = &pl->route;
  for (int i = 0; i < 2; i++) {
    edge->cost[i] = gb_route_cost(route, size[i]);
    edge->busy[i] = route->plogp ? edge->cost[i].gap : (double)size[i] / route->narrowest;
  }
  edge->measured = route->plogp != NULL;
  edge->overhead = route->plogp ? 0 : route->overhead;
  gb_cost byte = gb_route_cost(route, 1);
  edge->announce = flow->rendezvous ? 2 * (byte.gap + byte.tail) : 0;
  for (uint32_t i = 0; status == GBCAST_OK && i < route->hop_count; i++) {
    gb_seen hop = {.node = v,
                   .host_link = i == 0 || i + 1 == route->hop_count,
                   .resource = route->hop[i].resource,
                   .bandwidth = route->hop[i].bandwidth};
    note_use(pl, hop.resource, u, i == 0 && (route->injection < 0 || route->plogp));
    status = see(list, hop, err);
  }
  return status;
}

/* Keeps the links at which edges meet, numbers their queues, and marks the senders whose sends must be walked
 * in the order of time. */
static int keep_shared(gb_planner *pl, const gb_shape *shape, gb_edges *edges, const gb_seen_list *list,
                       gbcast_error *err) {
  if (list->count > edges->use_capacity) {
    free(edges->use);
    edges->use_capacity = 0;
    edges->use = malloc(list->count * sizeof *edges->use);
    if (!edges->use)
      return gb_no_memory(err);
    edges->use_capacity = (uint32_t)list->count;
  }
  edges->use_count = edges->queue_count = 0;
  uint32_t node = GB_NONE;
  for (size_t i = 0; i < list->count; i++) {
    const gb_seen *hop = &list->item[i];
    gb_resource *r = &pl->resource[hop->resource];
    gb_edge *edge = &edges->edge[hop->node];
    if (node != hop->node) {
      node = hop->node;
      edge->use_start = edges->use_count;
    }
    if (r->users < 2 || (!r->shared && !r->queued))
      continue;
    if (r->queue == 0)
      r->queue = ++edges->queue_count;
    gb_use *use = &edges->use[edges->use_count++];
    use->queue = r->queue - 1;
    for (int k = 0; k < 2; k++) {
      /* measured gaps: a host's own link is taken for g, others for no longer than g */
      double wire = (double)(k == 0 ? edge->full : edge->last) / hop->bandwidth;
      bool gap = edge->measured && (hop->host_link || wire > edge->busy[k]);
      use->busy[k] = gap ? edge->busy[k] : wire;
    }
    edge->use_count++;
    if (r->shared)
      edges->ordered[shape->parent[hop->node]] = true;
  }
  return GBCAST_OK;
}

/* A sender that feeds an ordered one is ordered too. */
static int spread_order(const gb_shape *shape, gb_edges *edges, gbcast_error *err) {
  uint32_t *order = malloc(shape->n * sizeof *order);
  if (!order)
    return gb_no_memory(err);
  gb_shape_order(shape, order);
  for (uint32_t i = shape->n; i-- > 1;)
    if (edges->ordered[order[i]])
      edges->ordered[shape->parent[order[i]]] = true;
  free(order);
  return GBCAST_OK;
}

int gb_edges_for_walk(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, gb_edges *edges,
                      gbcast_error *err) {
  gb_seen_list list = {0};
  int status = set_bytes(shape, flow, edges, err);
  if (status == GBCAST_OK)
    status = check_pieces(shape, flow, edges, err);
  memset(edges->ordered, 0, shape->n * sizeof *edges->ordered);
  for (uint32_t u = 0; u < shape->n; u++) {
    uint64_t offset = 0;
    for (uint32_t i = shape->child_start[u]; i < shape->child_start[u + 1]; i++) {
      gb_edge *edge = &edges->edge[shape->child[i]];
      edge->offset = offset;
      offset += edge->bytes;
    }
  }
  for (uint32_t v = 0; status == GBCAST_OK && v < shape->n; v++) {
    edges->edge[v].use_start = edges->edge[v].use_count = 0;
    if (shape->parent[v] != GB_NONE)
      status = measure_edge(pl, shape, flow, v, &edges->edge[v], &list, err);
  }
  if (status == GBCAST_OK)
    status = keep_shared(pl, shape, edges, &list, err);
  for (size_t i = 0; i < list.count; i++)
    pl->resource[list.item[i].resource] = (gb_resource){0};
  free(list.item);
  return status == GBCAST_OK ? spread_order(shape, edges, err) : status;
}
