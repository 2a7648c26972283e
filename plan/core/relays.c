/* Hosts that pass data on and want none: they come behind all others, each a site with one endpoint. A tree
 * may leave them out. */
#include "plan/core/core.h"

uint32_t gb_plan_members(const gbcast_plan *plan) {
  uint32_t members = plan->site_count;
  while (members > 0 && plan->site[members - 1].relay)
    members--;
  return members;
}

bool gb_schedule_has(const gb_schedule *schedule, uint32_t v) {
  bool has = v == schedule->root || schedule->tree_count == 0;
  for (uint32_t t = 0; t < schedule->tree_count && !has; t++)
    has = schedule->tree[t].parent[v] != GB_NONE;
  return has;
}

/* Takes endpoint v, which it leaves out, out of the tree's arrays. */
static void drop_from_tree(gb_tree *tree, uint32_t n, uint32_t v) {
  for (uint32_t e = v; e + 1 < n; e++) {
    tree->parent[e] = tree->parent[e + 1];
    tree->label[e] = tree->label[e + 1];
    tree->start[e] = tree->start[e + 1];
    tree->arrival[e] = tree->arrival[e + 1];
  }
  for (uint32_t e = v; e < n; e++)
    tree->child_start[e] = tree->child_start[e + 1];
  for (uint32_t e = 0; e + 1 < n; e++)
    if (tree->parent[e] != GB_NONE && tree->parent[e] > v)
      tree->parent[e]--;
  for (uint32_t i = 0; i < tree->child_start[n - 1]; i++)
    if (tree->child[i] > v)
      tree->child[i]--;
}

static void drop(gbcast_plan *plan, uint32_t site) {
  gb_schedule *schedule = &plan->schedule;
  const uint32_t v = plan->site[site].first_endpoint, sites = plan->site_count;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    drop_from_tree(&schedule->tree[t], schedule->endpoint_count, v);
  for (uint32_t e = v; e + 1 < schedule->endpoint_count; e++)
    schedule->endpoint[e] = schedule->endpoint[e + 1];
  for (uint32_t s = site; s + 1 < sites; s++) {
    plan->site[s] = plan->site[s + 1];
    plan->site[s].first_endpoint--;
    plan->site[s].leader--;
  }
  for (uint32_t lane = 0, to = 0; lane < plan->lanes; lane++)
    for (uint32_t s = 0; s < sites; s++) {
      const uint32_t leader = plan->leaders[(size_t)lane * sites + s];
      if (s != site)
        plan->leaders[to++] = leader > v ? leader - 1 : leader;
    }
  schedule->endpoint_count--;
  plan->site_count--;
}

void gb_plan_drop_unused(gbcast_plan *plan) {
  for (uint32_t s = plan->site_count; s-- > 0;)
    if (plan->site[s].relay && !gb_schedule_has(&plan->schedule, plan->site[s].first_endpoint))
      drop(plan, s);
}
