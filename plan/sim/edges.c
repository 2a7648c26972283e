/* What each edge of a tree costs. */
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

static gb_cost node_cost(uint64_t bytes) {
  double busy = GB_NODE_OVERHEAD + (double)bytes / GB_NODE_BANDWIDTH;
  return (gb_cost){.delta = busy, .gap = busy, .tail = GB_NODE_OVERHEAD};
}

/* The processor of `host` combines what it gets, and can take no more messages than it can combine. Turned
 * round, these are messages that it sends:
 *
 *   message   |== g ==|- L + o -|== combined ==|            arrival
 *   next              |== g ==|- L + o -|      |== combined ==|
 *
 * It combines bytes as fast whoever has sent them, and meanwhile its network card goes on. Ranks of a host
 * copy messages themselves. */
static void add_operator(const gb_network *net, uint32_t host, bool node, uint64_t bytes, gb_cost *cost) {
  const double work = (double)bytes * net->p->cluster[net->p->host[host].cluster].reduce;
  if (!net->combines)
    return;
  cost->delta = node ? cost->delta + work : gb_larger(cost->delta, work);
  cost->tail += work;
}

/* Makes the links narrower by this factor; measured gaps become longer in cost_of. */
static void narrow(gb_route *route, double efficiency) {
  route->own_link *= efficiency;
  route->narrowest *= efficiency;
  for (uint32_t i = 0; i < route->hop_count; i++)
    route->hop[i].bandwidth *= efficiency;
}

static gb_cost cost_of(const gb_route *narrowed, uint64_t bytes, double efficiency) {
  gb_cost cost = gb_route_cost(narrowed, bytes);
  if (narrowed->plogp) {
    cost.gap /= efficiency;
    cost.delta /= efficiency;
  }
  return cost;
}

int gb_edge_cost(gb_network *net, gb_endpoint u, gb_endpoint v, uint64_t bytes, double efficiency,
                 gb_cost *cost, gbcast_error *err) {
  if (u.host == v.host) {
    *cost = node_cost(bytes);
    add_operator(net, u.host, true, bytes, cost);
    return GBCAST_OK;
  }
  int status = gb_network_route(net, u.host, v.host, err);
  if (status != GBCAST_OK)
    return status;
  narrow(&net->route, efficiency);
  *cost = cost_of(&net->route, bytes, efficiency);
  add_operator(net, u.host, false, bytes, cost);
  return GBCAST_OK;
}

int gb_edges_set_bytes(const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow, gb_edge *edge,
                       gbcast_error *err) {
  for (uint32_t v = 0; v < schedule->endpoint_count; v++)
    edge[v].bytes = flow->bytes;
  if (!gb_carries_blocks(flow->operation))
    return GBCAST_OK;
  uint32_t *order = malloc(((size_t)schedule->endpoint_count + 1) * sizeof *order);
  if (!order)
    return gb_no_memory(err);
  gb_tree_order(tree, schedule->root, order);
  for (uint32_t i = schedule->endpoint_count; i-- > 1;)
    edge[tree->parent[order[i]]].bytes += edge[order[i]].bytes;
  free(order);
  return GBCAST_OK;
}

int gb_edges_for_labels(gb_network *net, const gb_schedule *schedule, const gb_tree *tree,
                        const gb_flow *flow, gb_edge *edge, gbcast_error *err) {
  int status = gb_edges_set_bytes(schedule, tree, flow, edge, err);
  for (uint32_t v = 0; status == GBCAST_OK && v < schedule->endpoint_count; v++) {
    uint32_t u = tree->parent[v];
    if (u == GB_NONE)
      continue;
    uint64_t size = edge[v].bytes;
    if (!gb_carries_blocks(flow->operation) && flow->segment < size)
      size = flow->segment;
    status = gb_edge_cost(net, schedule->endpoint[u], schedule->endpoint[v], size, 1, &edge[v].cost[0], err);
  }
  return status;
}

static uint32_t children(const gb_tree *tree, uint32_t v) {
  return tree->child_start[v + 1] - tree->child_start[v];
}

static bool feeds_hosts(const gb_schedule *schedule, const gb_tree *tree, uint32_t v) {
  for (uint32_t i = tree->child_start[v]; i < tree->child_start[v + 1]; i++)
    if (schedule->endpoint[tree->child[i]].host != schedule->endpoint[v].host)
      return true;
  return false;
}

/* The share of the links on its path that a stream gets. A message alone gets all. In a flat tree no host
 * receives and sends at the same time; in a scatter only a host does that passes on the start of a stream
 * while the rest comes in. Measured gaps of one tree already include the effect. */
static double efficiency_of(const gb_route *route, const gb_schedule *schedule, const gb_tree *tree,
                            const gb_flow *flow, uint32_t from, uint32_t to, const gb_edge *edge) {
  const bool broadcasts = !gb_carries_blocks(flow->operation);
  if (broadcasts && schedule->tree_count > 1)
    return gb_link_efficiency(flow->meet, route->wan);
  if (edge->bytes <= flow->segment || route->plogp != NULL)
    return 1;
  const bool both_ways = broadcasts ? children(tree, from) < tree->child_start[schedule->endpoint_count]
                                    : feeds_hosts(schedule, tree, to);
  return both_ways ? gb_link_efficiency(broadcasts && flow->meet, route->wan) : 1;
}

int gb_edge_measure(gb_network *net, const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow,
                    uint32_t v, gb_edge *edge, bool *apart, gbcast_error *err) {
  uint32_t u = tree->parent[v];
  uint64_t full = edge->bytes < flow->segment ? edge->bytes : flow->segment;
  uint64_t segments = full == 0 ? 0 : (edge->bytes - 1) / full + 1;
  edge->segments = (uint32_t)segments; /* a broadcast may have more segments, but not all are simulated */
  uint64_t last = full == 0 ? 0 : edge->bytes - (segments - 1) * full;
  uint64_t size[2] = {full, last};
  edge->full = full;
  edge->last = last;
  edge->measured = edge->wan = false;
  *apart = schedule->endpoint[u].host != schedule->endpoint[v].host;
  if (!*apart) {
    for (int i = 0; i < 2; i++) {
      edge->cost[i] = node_cost(size[i]);
      add_operator(net, schedule->endpoint[u].host, true, size[i], &edge->cost[i]);
      edge->busy[i] = (double)size[i] / GB_NODE_BANDWIDTH;
      edge->into[i] = 0;
    }
    edge->overhead = GB_NODE_OVERHEAD;
    edge->efficiency = 1;
    edge->announce = 0;
    edge->initial_window = INFINITY;
    return GBCAST_OK;
  }
  int status = gb_network_route(net, schedule->endpoint[u].host, schedule->endpoint[v].host, err);
  if (status != GBCAST_OK)
    return status;
  const gb_route *route = &net->route;
  edge->efficiency = efficiency_of(route, schedule, tree, flow, u, v, edge);
  narrow(&net->route, edge->efficiency);
  for (int i = 0; i < 2; i++) {
    edge->cost[i] = cost_of(route, size[i], edge->efficiency);
    edge->busy[i] = route->plogp ? edge->cost[i].gap : (double)size[i] / route->narrowest;
    edge->into[i] = gb_route_hop_time(route, &edge->cost[i], route->hop_count - 1, size[i]);
    add_operator(net, schedule->endpoint[u].host, false, size[i], &edge->cost[i]);
  }
  edge->measured = route->plogp != NULL;
  edge->wan = route->wan;
  edge->initial_window = route->initial_window;
  edge->overhead = route->plogp ? 0 : route->overhead;
  gb_cost byte = cost_of(route, 1, edge->efficiency);
  edge->announce = flow->rendezvous ? 2 * (byte.gap + byte.tail) : 0;
  return GBCAST_OK;
}
