/* Which LAN algorithms `auto` may use. Evidence: docs/planning.md, "Where the numbers come from". */
#include "plan/search/host_choice.h"

/* A leader saves the root of a scatter messages, not bytes. That gains nothing if a block keeps the root's
 * link busy at least as long as a message keeps its processor busy, because both work at the same time. The
 * exception: leaders know wider paths. */
bool gb_host_choice_needs_leaders(const gb_planner *pl) {
  const gbcast_plan *plan = pl->plan;
  const gb_cluster *c = &plan->platform->cluster[plan->site[plan->root_site].cluster];
  return pl->over_leaders || (double)plan->class_bytes < c->overhead * c->bandwidth;
}

static bool fits_scatter(const gb_planner *pl, const gb_intra_algorithm *algorithm) {
  if (pl->plan->site_count == 1)
    return !algorithm->leaderless; /* inside one site that would be the flat tree */
  return algorithm->leaderless || gb_host_choice_needs_leaders(pl);
}

static bool is_one_switch(const gbcast_plan *plan, const gb_site *site) {
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  return site->hosts == 1 || c->switch_count == 0 || (c->switch_count == 1 && !c->has_loose_hosts);
}

/* The site, or all sites if it is NULL. */
static bool are_one_switch(const gbcast_plan *plan, const gb_site *site) {
  bool all = site == NULL || is_one_switch(plan, site);
  for (uint32_t s = 0; site == NULL && s < plan->site_count; s++)
    all = all && is_one_switch(plan, &plan->site[s]);
  return all;
}

/* Between several sites, a leader must not slow its streams to other sites by what it sends inside its own:
 * the simulation prices such copies too low. */
bool gb_host_choice_fits(const gb_planner *pl, const gb_site *site, const gb_flow *flow, bool cut,
                         const gb_intra_algorithm *algorithm) {
  const gbcast_plan *plan = pl->plan;
  if (!algorithm->automatic || algorithm->native || !(algorithm->operations >> flow->operation & 1))
    return false;
  if (flow->operation == GBCAST_SCATTER)
    return fits_scatter(pl, algorithm);
  if (cut)
    return algorithm->segmented && !(algorithm->many_copies && plan->site_count > 1);
  if (algorithm->cut_only)
    return false;
  if (algorithm->one_switch)
    return are_one_switch(plan, site);
  return !algorithm->whole_over_switches || !are_one_switch(plan, site);
}
