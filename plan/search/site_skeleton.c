/* What a tree over sites costs, without walking all of every site.
 *
 *   site    leader --+--> a --> c --> ...          outline    leader --+--> a
 *                    +--> b --> d --> ...                              +--> b
 *
 * Who sends what to whom between sites, and when, is settled by the leaders' ports, which their own local
 * children share, by their hosts' links, which the other ranks there share, and by the links between sites.
 * So those are walked by the rules of walk.c, and every other rank is taken to have its last segment as long
 * after its place in the outline as in a walk of the whole plan that was made before. The result is the
 * judge's time where that does not change. */
#include "plan/search/site_skeleton.h"
#include "plan/search/host_trees.h"
#include "plan/search/label_order.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

/* Marks the leaders and whom their hosts feed, the host's link being the leader's; returns how many there
 * are. parent: of one tree after the other, by endpoint of the plan. */
static uint32_t mark_nodes(const gbcast_plan *plan, const uint32_t *parent, uint32_t trees, bool *in) {
  uint32_t n = plan->endpoint_count, count = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    in[site->leader] = true;
    for (uint32_t t = 0; t < trees; t++)
      for (uint32_t e = site->first_endpoint; e < site->first_endpoint + site->endpoint_count; e++) {
        uint32_t up = parent[(size_t)t * n + e];
        if (up != GB_NONE && plan->endpoint[up].host == plan->endpoint[site->leader].host)
          in[e] = true;
      }
  }
  for (uint32_t e = 0; e < n; e++)
    count += in[e];
  return count;
}

/* The trees inside the sites: each node hangs below the next one above it. */
static void hang_nodes(const gbcast_plan *plan, const uint32_t *parent, const uint32_t *node,
                       gb_site_skeleton *o) {
  for (uint32_t t = 0; t < o->schedule.tree_count; t++, parent += plan->endpoint_count)
    for (uint32_t v = 0; v < o->schedule.endpoint_count; v++) {
      uint32_t e = parent[o->in_plan[v]];
      while (e != GB_NONE && node[e] == GB_NONE)
        e = parent[e];
      o->schedule.tree[t].parent[v] = e == GB_NONE ? GB_NONE : node[e];
    }
}

static int allocate(const gb_planner *pl, uint32_t n, uint32_t trees, gb_site_skeleton *o,
                    gbcast_error *err) {
  o->endpoint = calloc((size_t)n + 1, sizeof *o->endpoint);
  o->leader = calloc((size_t)pl->plan->site_count + 1, sizeof *o->leader);
  o->site = calloc((size_t)n + 1, sizeof *o->site);
  o->in_plan = calloc((size_t)n + 1, sizeof *o->in_plan);
  o->below = calloc((size_t)n * trees + 1, sizeof *o->below);
  if (!o->endpoint || !o->leader || !o->site || !o->in_plan || !o->below)
    return gb_no_memory(err);
  int status = gb_schedule_new(o->endpoint, n, 0, trees, &o->schedule, err);
  if (status == GBCAST_OK)
    status = gb_traffic_new(&o->schedule, &o->traffic, err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    o->schedule.tree[t].arrival = malloc(((size_t)n + 1) * sizeof(double));
    if (!o->schedule.tree[t].arrival)
      status = gb_no_memory(err);
  }
  return status;
}

int gb_site_skeleton_new(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                         gb_site_skeleton *skeleton, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  uint32_t trees = gb_host_trees_most(plan, choice), v = 0;
  size_t all = plan->endpoint_count;
  bool *in = calloc(all, sizeof *in);
  uint32_t *parent = malloc(trees * all * sizeof *parent);
  uint32_t *node = malloc(all * sizeof *node); /* endpoint of the plan to its node */
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
      skeleton->endpoint[v] = plan->endpoint[e];
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

void gb_site_skeleton_free(gb_site_skeleton *o) {
  gb_schedule_free(&o->schedule);
  gb_traffic_free(&o->traffic);
  free(o->endpoint);
  free(o->leader);
  free(o->site);
  free(o->in_plan);
  free(o->below);
  *o = (gb_site_skeleton){0};
}

int gb_site_skeleton_fit(const gb_planner *pl, const gb_composed *whole, gb_site_skeleton *o,
                         gbcast_error *err) {
  uint32_t all = pl->plan->endpoint_count;
  uint32_t *above = malloc(all * sizeof *above); /* endpoint to its place in the outline */
  if (!above)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < o->schedule.tree_count; t++) {
    const gb_tree *tree = &whole->schedule.tree[t];
    double *below = o->below + (size_t)t * o->schedule.endpoint_count;
    for (uint32_t e = 0; e < all; e++)
      above[e] = GB_NONE;
    for (uint32_t v = 0; v < o->schedule.endpoint_count; v++) {
      above[o->in_plan[v]] = v;
      below[v] = 0;
    }
    for (uint32_t e = 0; e < all; e++) {
      uint32_t u = e;
      while (above[u] == GB_NONE)
        u = tree->parent[u];
      for (uint32_t x = e; above[x] == GB_NONE; x = tree->parent[x]) /* each is climbed over once */
        above[x] = above[u];
      double late = tree->arrival[e] - tree->arrival[o->in_plan[above[e]]];
      below[above[e]] = late > below[above[e]] ? late : below[above[e]];
    }
  }
  free(above);
  return GBCAST_OK;
}

int gb_site_skeleton_simulate(gb_planner *pl, gb_site_skeleton *o, const uint32_t *site_parent, double *time,
                              uint32_t *last, gbcast_error *err) {
  gb_schedule *schedule = &o->schedule;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t s = 0; s < pl->plan->site_count; s++)
      schedule->tree[t].parent[o->leader[s]] =
          site_parent[s] == GB_NONE ? GB_NONE : o->leader[site_parent[s]];
  double makespan;
  int status = gb_schedule_order(pl, schedule, &o->traffic, o->flow, err);
  if (status == GBCAST_OK)
    status = gb_traffic_find(&pl->net, schedule, o->flow, &o->traffic, err);
  if (status == GBCAST_OK)
    status = gb_simulate(schedule, &o->traffic, o->flow, &makespan, err);
  if (status != GBCAST_OK)
    return status;
  *time = 0;
  *last = pl->plan->root_site;
  for (size_t i = 0; i < (size_t)schedule->endpoint_count * schedule->tree_count; i++) {
    double end =
        schedule->tree[i / schedule->endpoint_count].arrival[i % schedule->endpoint_count] + o->below[i];
    if (end > *time) {
      *time = end;
      *last = o->site[i % schedule->endpoint_count];
    }
  }
  return GBCAST_OK;
}
