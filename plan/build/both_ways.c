/* The predicted time of data that go up the trees and down again, segment by segment. T, the simulated time
 * of one way, counts what the links carry in that direction. Two things come on top:
 *
 *   the last segment, which is at the root at T, goes down     a segment's time to all
 *   links carry what goes the other way as well                the busiest works longer
 *
 *     up    |=0=|=1=|=2=|=3=|                root has segment 3 at T
 *     down      |=0=|=1=|=2=|=3=|->  all have it
 *
 * A host with k children receives k shares on their way up and one on their way down, and sends as many. One
 * way alone puts one share on the link into it. So a link's work is that of its own direction and of the
 * other one together, and the pipeline is longer by how much the busiest link works longer than the busiest
 * of one way. */
#include "plan/build/build.h"
#include <stdlib.h>

/* The same link in the other direction, as gb_resource_count numbers them; the links between sites come last,
 * in the order of the platform. */
static uint64_t reverse(const gbcast_platform *p, uint64_t resource) {
  const uint64_t links = p->assumed_mesh ? (uint64_t)p->cluster_count * p->cluster_count : p->link_count;
  const uint64_t first = gb_resource_count(p) - links;
  if (resource < first)
    return resource ^ 1;
  if (p->assumed_mesh) {
    const uint64_t from = (resource - first) / p->cluster_count, to = (resource - first) % p->cluster_count;
    return first + to * p->cluster_count + from;
  }
  const gb_link *link = &p->link[resource - first];
  return first + (uint64_t)(gb_platform_link(p, link->to, link->from) - p->link);
}

/* Adds the seconds that the links of each edge work. below: of each tree the endpoints below each edge, whose
 * blocks it carries; NULL: the whole message. */
static int add_work(gb_network *net, const gb_schedule *schedule, uint64_t bytes, const uint32_t *below,
                    double *work, gbcast_error *err) {
  const uint32_t n = schedule->endpoint_count;
  int status = GBCAST_OK;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    const double share = (double)bytes * tree->weight / schedule->weight_total;
    for (uint32_t v = 0; status == GBCAST_OK && v < n; v++) {
      if (tree->parent[v] == GB_NONE)
        continue;
      const uint32_t from = schedule->endpoint[tree->parent[v]].host, to = schedule->endpoint[v].host;
      if (from == to)
        continue;
      status = gb_network_route(net, from, to, err);
      if (status == GBCAST_OK)
        gb_route_add_work(&net->route, below ? share * below[(size_t)t * n + v] / n : share, work);
    }
  }
  return status;
}

static uint32_t *count_below(const gb_schedule *schedule) {
  const size_t n = schedule->endpoint_count;
  uint32_t *below = malloc((schedule->tree_count + 1) * n * sizeof *below);
  for (uint32_t t = 0; below != NULL && t < schedule->tree_count; t++)
    gb_tree_sizes(&schedule->tree[t], schedule->root, (uint32_t)n, below + schedule->tree_count * n,
                  below + t * n);
  return below;
}

/* parts: what goes up are blocks, and what goes down is all of them; or the other way round, which is the
 * same. */
static int find_extra(gb_network *net, const gb_schedule *schedule, uint64_t bytes, bool parts, double *extra,
                      gbcast_error *err) {
  const uint64_t count = gb_resource_count(net->p);
  uint32_t *below = parts ? count_below(schedule) : NULL;
  double *down = calloc(2 * count, sizeof *down), *up = parts && down != NULL ? down + count : down;
  double one_way = 0, both = 0;
  int status = down != NULL && (below != NULL || !parts) ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = add_work(net, schedule, bytes, NULL, down, err);
  if (status == GBCAST_OK && parts)
    status = add_work(net, schedule, bytes, below, up, err);
  for (uint64_t r = 0; status == GBCAST_OK && r < count; r++) {
    one_way = gb_larger(one_way, down[r]);
    if (down[r] > 0)
      both = gb_larger(both, down[r] + up[reverse(net->p, r)]);
    if (up[r] > 0)
      both = gb_larger(both, up[r] + down[reverse(net->p, r)]);
  }
  free(down);
  free(below);
  *extra = both - one_way;
  return status;
}

int gb_time_down(const gb_composed *composed, double *seconds, gbcast_error *err) {
  const gb_schedule *schedule = &composed->schedule;
  const uint32_t n = schedule->endpoint_count;
  double *arrival = calloc(n, sizeof *arrival);
  uint32_t *order = malloc(n * sizeof *order);
  *seconds = 0;
  for (uint32_t t = 0; arrival != NULL && order != NULL && t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    gb_tree_order(tree, schedule->root, order);
    for (uint32_t i = 0; i < n; i++) {
      double busy = 0; /* with the children before */
      for (uint32_t k = tree->child_start[order[i]]; k < tree->child_start[order[i] + 1]; k++) {
        const gb_cost *cost = &composed->traffic.edge[t][tree->child[k]].cost[0];
        if (schedule->exchange != GB_UP_AND_DOWN && composed->traffic.edge[t][tree->child[k]].wan)
          continue; /* a leader begins by itself */
        arrival[tree->child[k]] = arrival[order[i]] + busy + cost->gap + cost->tail;
        busy += cost->delta;
        *seconds = gb_larger(*seconds, arrival[tree->child[k]]);
      }
    }
  }
  const int status = arrival != NULL && order != NULL ? GBCAST_OK : gb_no_memory(err);
  free(arrival);
  free(order);
  return status;
}

int gb_composed_predict(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                        double *seconds, gbcast_error *err) {
  *seconds = gb_composed_time(plan, composed);
  if (gb_way_of(plan->operation) != GB_WAY_BOTH)
    return GBCAST_OK;
  if (composed->schedule.exchange == GB_EXCHANGE_LEADERS)
    return gb_leaders_time(net, plan, composed, bytes, seconds, err);
  if (composed->schedule.exchange == GB_EXCHANGE_RINGS)
    return gb_rings_time(net, plan, &composed->schedule, bytes, seconds, err);
  double last = 0, extra = 0;
  int status = gb_time_down(composed, &last, err);
  if (status == GBCAST_OK)
    status = find_extra(net, &composed->schedule, bytes, gb_carries_parts(plan->operation), &extra, err);
  *seconds = gb_larger(composed->makespan + last + extra, plan->bound);
  return status;
}

/* Adds `later` to all times or, of data that go up, takes them from `end`. */
static void move_times(gbcast_plan *plan, bool up, double end, double later) {
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    gb_tree *tree = &plan->schedule.tree[t];
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
      const double start = tree->start[e], arrival = tree->arrival[e];
      tree->start[e] = up ? gb_larger(end - arrival, 0) : start + later; /* 0 but for rounding */
      tree->arrival[e] = up ? gb_larger(end - start, 0) : arrival + later;
    }
  }
}

void gb_plan_turn_times(gbcast_plan *plan, double one_way) {
  const bool exchange = plan->schedule.exchange != GB_UP_AND_DOWN, up = gb_plan_goes_up(plan);
  if (exchange)
    gb_exchange_times(plan);
  if (up || (!exchange && gb_way_of(plan->operation) == GB_WAY_BOTH))
    move_times(plan, up, exchange ? plan->predicted : one_way, plan->predicted - one_way);
}
