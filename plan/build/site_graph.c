/* The sites of a job as a graph of costs between their leaders, with what each leader sends inside its site.
 *
 * All of a site's WAN traffic crosses its wan-bandwidth, so a send is followed by the next one after at least
 * o + m / wan-bandwidth, or g if that was measured and is less. For the choice of a tree this is part of
 * Delta. The simulation prices the shared link itself.
 *
 * Several lanes send from as many hosts at the same time, so Delta is divided by their number. Slow start
 * lengthens the latency. */
#include "plan/build/site_graph.h"
#include "plan/build/host_trees.h"
#include "plan/build/label_order.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

#define MAX_KEPT_SITES 1024u

typedef struct gb_local_sends { /* growing lists of local children, s */
  double *delta, *tail;
  uint32_t count, capacity;
} gb_local_sends;

static int add_send(gb_local_sends *sends, double delta, double tail, gbcast_error *err) {
  if (sends->count == sends->capacity) {
    uint32_t capacity = sends->capacity ? 2 * sends->capacity : 64;
    double *d = realloc(sends->delta, capacity * sizeof *d);
    if (d)
      sends->delta = d;
    double *t = realloc(sends->tail, capacity * sizeof *t);
    if (t)
      sends->tail = t;
    if (!d || !t)
      return gb_no_memory(err);
    sends->capacity = capacity;
  }
  sends->delta[sends->count] = delta;
  sends->tail[sends->count++] = tail;
  return GBCAST_OK;
}

/* Adds the sends of a site's leader inside its site, in the first tree, with the labels below them. */
static int add_site(gb_planner *pl, const gb_flow *flow, uint32_t s, gb_host_choice choice,
                    gb_local_sends *sends, gbcast_error *err) {
  const gb_site *site = &pl->plan->site[s];
  gb_schedule schedule = {0};
  gb_edge *edge = calloc(site->endpoint_count, sizeof *edge);
  int status = edge ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_schedule_new(pl->plan->schedule.endpoint + site->first_endpoint, site->endpoint_count, 0, 1,
                             &schedule, err);
  gb_tree *tree = schedule.tree;
  if (status == GBCAST_OK) {
    tree->label = malloc(site->endpoint_count * sizeof *tree->label);
    status = tree->label ? gb_host_tree(pl, s, choice, 0, 1, tree->parent, &schedule.root, err)
                         : gb_no_memory(err);
  }
  if (status == GBCAST_OK)
    status = gb_order_children(pl, &schedule, tree, flow, edge, err);
  if (status == GBCAST_OK)
    for (uint32_t i = tree->child_start[schedule.root];
         status == GBCAST_OK && i < tree->child_start[schedule.root + 1]; i++) {
      gb_cost cost = edge[tree->child[i]].cost[0];
      status =
          add_send(sends, cost.delta, cost.gap - cost.delta + cost.tail + tree->label[tree->child[i]], err);
    }
  free(edge);
  gb_schedule_free(&schedule);
  return status;
}

/* The route from leader to leader; kept if there is memory for it. */
static int leader_route(gb_planner *pl, uint32_t a, uint32_t b, gb_route *route, gbcast_error *err) {
  gb_route *kept = pl->pair ? &pl->pair[(size_t)a * pl->plan->site_count + b] : NULL;
  if (kept && kept->narrowest > 0) {
    *route = *kept;
    return GBCAST_OK;
  }
  int status = gb_planner_site_route(pl, a, b, err);
  if (status != GBCAST_OK)
    return status;
  *route = pl->net.route;
  route->hop = NULL;
  route->hop_count = route->hop_capacity = 0;
  if (kept)
    *kept = *route;
  return GBCAST_OK;
}

/* Adds to *weight how much later a message of `bytes` is over because its streams, one a lane, begin slowly
 * (s). They share the link. route, cost: of `size` bytes from a to b. Without a route back, the way back is
 * assumed to take as long. */
static int add_slow_start(gb_planner *pl, uint32_t a, uint32_t b, const gb_route *route, const gb_cost *cost,
                          uint64_t size, uint64_t bytes, uint32_t lanes, double *weight, gbcast_error *err) {
  gb_route back;
  if (route->initial_window == INFINITY)
    return GBCAST_OK;
  const int status = leader_route(pl, b, a, &back, NULL);
  if (status == GBCAST_EMEMORY)
    return gb_no_memory(err);
  const double answer = status == GBCAST_OK ? gb_route_cost(&back, size).tail : cost->tail;
  *weight += gb_slow_start(gb_filled_window(route->initial_window, size), cost->tail + answer,
                           (double)size / cost->gap / lanes, bytes / lanes);
  return GBCAST_OK;
}

static int fill_costs(gb_planner *pl, uint64_t bytes, uint32_t lanes, gb_site_costs *costs,
                      gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  uint32_t n = plan->site_count;
  costs->size = 0;
  if (!pl->pair && n <= MAX_KEPT_SITES)
    pl->pair = calloc((size_t)n * n, sizeof *pl->pair); /* without it, planning is only slower */
  for (uint32_t a = 0; a < n; a++) {
    const uint32_t leaders = lanes < plan->site[a].hosts ? lanes : plan->site[a].hosts;
    for (uint32_t b = 0; b < n; b++) {
      size_t i = (size_t)a * n + b;
      costs->delta[i] = costs->weight[i] = 0;
      pl->direct[i] = false;
      if (a == b)
        continue;
      gb_route route;
      int status = leader_route(pl, a, b, &route, err);
      if (status != GBCAST_OK)
        return status;
      uint64_t size = gb_carries_blocks(plan->operation) ? bytes * plan->site[b].endpoint_count : bytes;
      const uint64_t bytes_of_all = gb_carries_blocks(plan->operation) ? size : plan->class_bytes;
      gb_cost cost = gb_route_cost(&route, size);
      pl->direct[i] = gb_platform_link(pl->net.p, plan->site[a].cluster, plan->site[b].cluster) != NULL;
      double uplink = (double)size / pl->net.p->cluster[plan->site[a].cluster].wan_bandwidth;
      double spaced = uplink == 0 ? 0 : route.overhead + uplink;
      if (route.plogp)
        spaced = uplink < cost.gap ? uplink : cost.gap;
      double longest = cost.delta > spaced ? cost.delta : spaced;
      costs->delta[i] = cost.delta / leaders > spaced ? cost.delta / leaders : spaced;
      costs->weight[i] = (cost.gap > longest ? cost.gap : longest) - costs->delta[i] + cost.tail;
      status = add_slow_start(pl, a, b, &route, &cost, size, bytes_of_all, lanes, &costs->weight[i], err);
      if (status != GBCAST_OK)
        return status;
    }
  }
  costs->size = bytes;
  costs->lanes = lanes;
  return GBCAST_OK;
}

/* Finds the costs for a flow among the planner's, or computes them. */
static int find_costs(gb_planner *pl, const gb_flow *flow, const gb_site_costs **out, gbcast_error *err) {
  size_t pairs = (size_t)pl->plan->site_count * pl->plan->site_count;
  uint64_t bytes = gb_carries_blocks(flow->operation) ? flow->bytes : flow->segment;
  const uint32_t lanes = gb_flow_lanes(flow);
  gb_site_costs *costs = &pl->costs[bytes != pl->plan->class_bytes];
  *out = costs;
  if (costs->size == bytes && costs->lanes == lanes && bytes > 0)
    return GBCAST_OK;
  if (!pl->direct)
    pl->direct = malloc(pairs * sizeof *pl->direct);
  if (!costs->delta)
    costs->delta = malloc(pairs * sizeof *costs->delta);
  if (!costs->weight)
    costs->weight = malloc(pairs * sizeof *costs->weight);
  return pl->direct && costs->delta && costs->weight ? fill_costs(pl, bytes, lanes, costs, err)
                                                     : gb_no_memory(err);
}

int gb_site_graph_make(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                       gb_site_graph *graph, gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  uint32_t *start = malloc(((size_t)n + 1) * sizeof *start);
  const gb_site_costs *costs = NULL;
  gb_local_sends sends = {0};
  int status = start ? find_costs(pl, flow, &costs, err) : gb_no_memory(err);
  for (uint32_t s = 0; status == GBCAST_OK && s < n; s++) {
    start[s] = sends.count;
    status = add_site(pl, flow, s, choice[s], &sends, err);
  }
  *graph = (gb_site_graph){.n = n,
                           .root = pl->plan->root_site,
                           .direct = pl->direct,
                           .price = pl->edge_price,
                           .relay = pl->relay,
                           .hire = pl->hire,
                           .spending = INFINITY,
                           .local_start = start,
                           .local_delta = sends.delta,
                           .local_tail = sends.tail};
  if (status == GBCAST_OK) {
    start[n] = sends.count;
    graph->delta = costs->delta;
    graph->weight = costs->weight;
  } else
    gb_site_graph_free(graph);
  return status;
}

void gb_site_graph_free(gb_site_graph *graph) {
  free((void *)graph->local_start);
  free((void *)graph->local_delta);
  free((void *)graph->local_tail);
  *graph = (gb_site_graph){0};
}
