/* What one call of gb_search_plan keeps while it searches. */
#include "plan/build/build.h"
#include "plan/build/compose.h"
#include "plan/build/site_loads.h"
#include <stdlib.h>

int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  *pl = (gb_planner){.plan = plan,
                     .most_trees = GB_TREES_MOST,
                     .host_tree_count = plan->site_count * gb_intra_count,
                     .host_tree = calloc(plan->site_count * gb_intra_count, sizeof *pl->host_tree),
                     .choice = calloc(plan->site_count, sizeof *pl->choice),
                     .forced_intra = malloc(plan->site_count * sizeof *pl->forced_intra)};
  const int status = gb_network_new(&pl->net, p, err);
  if (status != GBCAST_OK)
    return status;
  pl->net.combines = gb_combines(plan->operation);
  if (!pl->host_tree || !pl->choice || !pl->forced_intra)
    return gb_no_memory(err);
  for (uint32_t c = 0; c < p->cluster_count; c++)
    if (p->cluster[c].plogp.count && p->cluster[c].plogp.point[0].bytes > pl->least_measured)
      pl->least_measured = p->cluster[c].plogp.point[0].bytes;
  for (uint32_t l = 0; l < p->link_count; l++)
    if (p->link[l].plogp.count && p->link[l].plogp.point[0].bytes > pl->least_measured)
      pl->least_measured = p->link[l].plogp.point[0].bytes;
  return GBCAST_OK;
}

/* The data of a tree's edge go there, back or both. */
static void fill_edge_prices(gb_planner *pl) {
  const gbcast_plan *plan = pl->plan;
  const enum gb_way way = gb_way_of(plan->operation);
  const size_t n = plan->site_count;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      const double there = way == GB_WAY_UP ? 0 : pl->price[a * n + b],
                   back = way == GB_WAY_DOWN ? 0 : pl->price[b * n + a];
      pl->edge_price[a * n + b] = (double)plan->class_bytes * (there + back);
    }
}

int gb_planner_count_costs(gb_planner *pl, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const size_t n = plan->site_count;
  const int status = pl->price == NULL ? gb_plan_prices(plan, &pl->price, err) : GBCAST_OK;
  if (status != GBCAST_OK)
    return status;
  pl->edge_price = malloc(n * n * sizeof *pl->edge_price);
  if (plan->site[n - 1].relay) {
    pl->relay = malloc(n * sizeof *pl->relay);
    pl->hire = malloc(n * sizeof *pl->hire);
  }
  if (!pl->edge_price || (plan->site[n - 1].relay && (!pl->relay || !pl->hire)))
    return gb_no_memory(err);
  fill_edge_prices(pl);
  for (size_t s = 0; pl->relay && pl->hire && s < n; s++) {
    pl->relay[s] = plan->site[s].relay;
    pl->hire[s] = plan->site[s].relay ? plan->given->cluster[plan->site[s].cluster].hire : 0;
  }
  return GBCAST_OK;
}

void gb_planner_release(gb_planner *pl) {
  for (size_t i = 0; pl->host_tree && i < pl->host_tree_count; i++)
    free(pl->host_tree[i].parent);
  free(pl->host_tree);
  free(pl->pair);
  gb_site_loads_free(&pl->loads);
  free(pl->forced_intra);
  free(pl->choice);
  for (int i = 0; i < 2; i++) {
    free(pl->costs[i].delta);
    free(pl->costs[i].weight);
  }
  free(pl->direct);
  free(pl->price);
  free(pl->edge_price);
  free(pl->relay);
  free(pl->hire);
  for (size_t i = 0; i < pl->kept_count; i++) {
    free(pl->kept[i].spec);
    gb_site_trees_free(&pl->kept[i].trees);
  }
  free(pl->kept);
  free(pl->score);
  gb_network_release(&pl->net);
}

int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  return gb_network_route(&pl->net, plan->schedule.endpoint[plan->site[from].leader].host,
                          plan->schedule.endpoint[plan->site[to].leader].host, err);
}
