/* Which LAN algorithms auto may use. */
#include "plan/search/host_choice.h"

/* A leader saves the root of a scatter messages, not bytes: nothing where a block's time on the root's link
 * is no less than what a message costs its processor, which works meanwhile. Predicted alike, 64 KiB to each
 * of 128 hosts in four sites took 1.69 of the bound over leaders in the simulator, and 1.00 without. Unless
 * theirs are the wider ways. */
bool gb_host_choice_needs_leaders(const gb_planner *pl) {
  const gbcast_plan *plan = pl->plan;
  const gb_cluster *c = &plan->platform->cluster[plan->site[plan->root_site].cluster];
  return pl->over_leaders || (double)plan->class_bytes < c->overhead * c->bandwidth;
}

static bool fits_scatter(const gb_planner *pl, const gb_intra_algorithm *algorithm) {
  if (pl->plan->site_count == 1)
    return !algorithm->leaderless; /* it would be flat */
  return algorithm->leaderless || gb_host_choice_needs_leaders(pl);
}

static bool is_one_switch(const gbcast_plan *plan, const gb_site *site) {
  const gb_cluster *c = &plan->platform->cluster[site->cluster];
  return site->hosts == 1 || c->switch_count == 0 || (c->switch_count == 1 && !c->has_loose_hosts);
}

/* The site, or with NULL all of them. */
static bool are_one_switch(const gbcast_plan *plan, const gb_site *site) {
  bool all = site == NULL || is_one_switch(plan, site);
  for (uint32_t s = 0; site == NULL && s < plan->site_count; s++)
    all = all && is_one_switch(plan, &plan->site[s]);
  return all;
}

/* Between several sites a leader must not crowd out its far streams by what it sends at home: predicted
 * alike, four copies of 1 MiB (binomial) on a star of three sites took 1.10 of the bound in the simulator,
 * and one (two-tree) 1.03. */
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
