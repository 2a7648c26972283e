#include "plan/room.h"
#include "plan/plan.h"

/* The site that a tree gets to a site from. */
static uint32_t feeder_of(const gbcast_plan *plan, uint32_t site, uint32_t tree) {
  const uint32_t parent = plan->tree[tree].parent[gb_plan_leader(plan, site, tree)];
  return plan->platform->host[plan->endpoint[parent].host].cluster;
}

bool gb_plan_streams_meet(const gbcast_plan *plan) {
  if (plan->lanes > 1)
    return true;
  for (uint32_t s = 0; s < plan->site_count; s++)
    for (uint32_t t = 1; s != plan->root_site && t < plan->tree_count; t++)
      if (feeder_of(plan, s, t) != feeder_of(plan, s, 0))
        return true;
  return false;
}
