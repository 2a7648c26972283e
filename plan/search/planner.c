/* What one call of gb_plan_make keeps while it looks for a plan. */
#include "plan/search/planner.h"
#include "plan/search/compose.h"
#include <stdlib.h>

int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  *pl = (gb_planner){.p = p,
                     .plan = plan,
                     .row = calloc(p->cluster_count, sizeof *pl->row),
                     .resource = calloc(gb_resource_count(p), sizeof *pl->resource),
                     .lan_tree = calloc(plan->site_count * gb_intra_count, sizeof *pl->lan_tree),
                     .forced_intra = malloc(plan->site_count * sizeof *pl->forced_intra)};
  if (!pl->row || !pl->resource || !pl->lan_tree || !pl->forced_intra)
    return gb_no_memory(err);
  for (uint32_t c = 0; c < p->cluster_count; c++)
    if (p->cluster[c].plogp.count && p->cluster[c].plogp.point[0].bytes > pl->least_measured)
      pl->least_measured = p->cluster[c].plogp.point[0].bytes;
  for (uint32_t l = 0; l < p->link_count; l++)
    if (p->link[l].plogp.count && p->link[l].plogp.point[0].bytes > pl->least_measured)
      pl->least_measured = p->link[l].plogp.point[0].bytes;
  return GBCAST_OK;
}

void gb_planner_release(gb_planner *pl) {
  for (uint32_t c = 0; pl->row && c < pl->p->cluster_count; c++)
    free(pl->row[c]);
  for (size_t i = 0; pl->lan_tree && i < pl->plan->site_count * gb_intra_count; i++)
    free(pl->lan_tree[i].parent);
  free(pl->row);
  free(pl->resource);
  free(pl->lan_tree);
  free(pl->pair);
  free(pl->forced_intra);
  free(pl->found.parent);
  for (int i = 0; i < 2; i++) {
    free(pl->costs[i].delta);
    free(pl->costs[i].weight);
  }
  free(pl->direct);
  for (size_t i = 0; i < pl->kept_count; i++)
    free(pl->kept[i].local);
  free(pl->kept);
  free(pl->walked);
  gb_composed_free(&pl->fastest_trees);
  gb_route_release(&pl->route);
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

int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  return gb_planner_route(pl, plan->endpoint[plan->site[from].leader].host,
                          plan->endpoint[plan->site[to].leader].host, err);
}
