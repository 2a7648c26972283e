/* Prices a tree over sites without simulating all of every site.
 *
 *   site    leader --+--> a --> c --> ...          skeleton    leader --+--> a
 *                    +--> b --> d --> ...                               +--> b
 *
 * Who sends what to whom between sites, and when, depends on the leaders' ports, which their own local
 * children share, on their hosts' links, which the other ranks there share, and on the links between sites.
 * So only those are simulated, and every other rank is taken to get its last segment as long after its node
 * in the skeleton as in an earlier simulation of the whole plan. The result is the simulated time of the plan
 * if those times do not change. */
#include "plan/search/site_skeleton.h"
#include "plan/search/host_trees.h"
#include "plan/search/label_order.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

/* Marks the leaders and the ranks that their hosts feed, as these share the leader's link; returns how many
 * there are. parent: trees * endpoint_count of the plan, one tree after the other. */
static uint32_t mark_nodes(const gbcast_plan *plan, const uint32_t *parent, uint32_t trees, bool *in) {
  uint32_t n = plan->schedule.endpoint_count, count = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    in[site->leader] = true;
    for (uint32_t t = 0; t < trees; t++)
      for (uint32_t e = site->first_endpoint; e < site->first_endpoint + site->endpoint_count; e++) {
        uint32_t up = parent[(size_t)t * n + e];
        if (up != GB_NONE && plan->schedule.endpoint[up].host == plan->schedule.endpoint[site->leader].host)
          in[e] = true;
      }
  }
  for (uint32_t e = 0; e < n; e++)
    count += in[e];
  return count;
}

/* Fills the trees inside the sites: each node becomes a child of the nearest node above it. */
static void hang_nodes(const gbcast_plan *plan, const uint32_t *parent, const uint32_t *node,
                       gb_site_skeleton *skeleton) {
  for (uint32_t t = 0; t < skeleton->schedule.tree_count; t++, parent += plan->schedule.endpoint_count)
    for (uint32_t v = 0; v < skeleton->schedule.endpoint_count; v++) {
      uint32_t e = parent[skeleton->in_plan[v]];
      while (e != GB_NONE && node[e] == GB_NONE)
        e = parent[e];
      skeleton->schedule.tree[t].parent[v] = e == GB_NONE ? GB_NONE : node[e];
    }
}

static int allocate(const gb_planner *pl, uint32_t n, uint32_t trees, gb_site_skeleton *skeleton,
                    gbcast_error *err) {
  skeleton->endpoint = calloc((size_t)n + 1, sizeof *skeleton->endpoint);
  skeleton->leader = calloc((size_t)pl->plan->site_count + 1, sizeof *skeleton->leader);
  skeleton->site = calloc((size_t)n + 1, sizeof *skeleton->site);
  skeleton->in_plan = calloc((size_t)n + 1, sizeof *skeleton->in_plan);
  skeleton->below = calloc((size_t)n * trees + 1, sizeof *skeleton->below);
  if (!skeleton->endpoint || !skeleton->leader || !skeleton->site || !skeleton->in_plan || !skeleton->below)
    return gb_no_memory(err);
  int status = gb_schedule_new(skeleton->endpoint, n, 0, trees, &skeleton->schedule, err);
  if (status == GBCAST_OK)
    status = gb_traffic_new(&skeleton->schedule, &skeleton->traffic, err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    skeleton->schedule.tree[t].arrival = malloc(((size_t)n + 1) * sizeof(double));
    if (!skeleton->schedule.tree[t].arrival)
      status = gb_no_memory(err);
  }
  return status;
}

int gb_site_skeleton_new(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         gb_site_skeleton *skeleton, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  uint32_t trees = gb_host_trees_most(plan, choice), v = 0;
  size_t all = plan->schedule.endpoint_count;
  bool *in = calloc(all, sizeof *in);
  uint32_t *parent = malloc(trees * all * sizeof *parent);
  uint32_t *node = malloc(all * sizeof *node); /* by endpoint of the plan: its node, or GB_NONE */
  uint32_t *leader = malloc(plan->site_count * sizeof *leader);
  *skeleton = (gb_site_skeleton){.flow = flow};
  int status = in && parent && node && leader ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++)
    status = gb_host_trees_join(pl, choice, t, 1, NULL, parent + t * all, leader, err);
  if (status == GBCAST_OK)
    status = allocate(pl, mark_nodes(plan, parent, trees, in), trees, skeleton, err);
  for (uint32_t s = 0; status == GBCAST_OK && s < plan->site_count; s++)
    for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++) {
      uint32_t e = plan->site[s].first_endpoint + i;
      node[e] = in[e] ? v : GB_NONE;
      if (!in[e])
        continue;
      skeleton->endpoint[v] = plan->schedule.endpoint[e];
      skeleton->site[v] = s;
      skeleton->in_plan[v] = e;
      if (e == plan->site[s].leader)
        skeleton->leader[s] = v;
      v++;
    }
  if (status == GBCAST_OK) {
    skeleton->schedule.root = skeleton->leader[plan->root_site];
    hang_nodes(plan, parent, node, skeleton);
  }
  free(in);
  free(parent);
  free(node);
  free(leader);
  if (status != GBCAST_OK)
    gb_site_skeleton_free(skeleton);
  return status;
}

void gb_site_skeleton_free(gb_site_skeleton *skeleton) {
  gb_schedule_free(&skeleton->schedule);
  gb_traffic_free(&skeleton->traffic);
  free(skeleton->endpoint);
  free(skeleton->leader);
  free(skeleton->site);
  free(skeleton->in_plan);
  free(skeleton->below);
  *skeleton = (gb_site_skeleton){0};
}

int gb_site_skeleton_fit(const gb_planner *pl, const gb_composed *whole, gb_site_skeleton *skeleton,
                         gbcast_error *err) {
  uint32_t all = pl->plan->schedule.endpoint_count;
  uint32_t *above = malloc(all * sizeof *above); /* by endpoint of the plan: the node above it */
  if (!above)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < skeleton->schedule.tree_count; t++) {
    const gb_tree *tree = &whole->schedule.tree[t];
    double *below = skeleton->below + (size_t)t * skeleton->schedule.endpoint_count;
    for (uint32_t e = 0; e < all; e++)
      above[e] = GB_NONE;
    for (uint32_t v = 0; v < skeleton->schedule.endpoint_count; v++) {
      above[skeleton->in_plan[v]] = v;
      below[v] = 0;
    }
    for (uint32_t e = 0; e < all; e++) {
      uint32_t u = e;
      while (above[u] == GB_NONE)
        u = tree->parent[u];
      for (uint32_t x = e; above[x] == GB_NONE; x = tree->parent[x]) /* so each is passed only once */
        above[x] = above[u];
      double after = tree->arrival[e] - tree->arrival[skeleton->in_plan[above[e]]];
      below[above[e]] = after > below[above[e]] ? after : below[above[e]];
    }
  }
  free(above);
  return GBCAST_OK;
}

int gb_site_skeleton_simulate(gb_planner *pl, gb_site_skeleton *skeleton, const uint32_t *site_parent,
                              double *time, uint32_t *last, gbcast_error *err) {
  gb_schedule *schedule = &skeleton->schedule;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t s = 0; s < pl->plan->site_count; s++)
      schedule->tree[t].parent[skeleton->leader[s]] =
          site_parent[s] == GB_NONE ? GB_NONE : skeleton->leader[site_parent[s]];
  double makespan;
  int status = gb_schedule_order(pl, schedule, &skeleton->traffic, skeleton->flow, err);
  if (status == GBCAST_OK)
    status = gb_traffic_find(&pl->net, schedule, skeleton->flow, &skeleton->traffic, err);
  if (status == GBCAST_OK)
    status = gb_simulate(schedule, &skeleton->traffic, skeleton->flow, &makespan, err);
  if (status != GBCAST_OK)
    return status;
  *time = 0;
  *last = pl->plan->root_site;
  for (size_t i = 0; i < (size_t)schedule->endpoint_count * schedule->tree_count; i++) {
    double end = schedule->tree[i / schedule->endpoint_count].arrival[i % schedule->endpoint_count] +
                 skeleton->below[i];
    if (end > *time) {
      *time = end;
      *last = skeleton->site[i % schedule->endpoint_count];
    }
  }
  return GBCAST_OK;
}
