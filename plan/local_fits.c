/* Which LAN algorithms auto may use. */
#include "plan/local_choice.h"

/* A leader saves the root of a scatter messages, not bytes: nothing where a block's time on the root's link
 * is no less than what a message costs its processor, which works meanwhile. Predicted alike, 64 KiB to each
 * of 128 hosts in four sites took 1.69 of the bound over leaders in the simulator, and 1.00 without. */
bool gb_local_needs_leaders(const gbcast_plan *plan) {
  const gb_cluster *c = &plan->platform->cluster[plan->site[plan->root_site].cluster];
  return (double)plan->class_bytes < c->overhead * c->bandwidth;
}

static bool fits_scatter(const gbcast_plan *plan, const gb_intra_algorithm *algorithm) {
  if (plan->site_count == 1)
    return !algorithm->leaderless; /* it would be flat */
  return algorithm->leaderless || gb_local_needs_leaders(plan);
}

/* Between several sites a leader must not crowd out its far streams by what it sends at home: predicted
 * alike, four copies of 1 MiB (binomial) on a star of three sites took 1.10 of the bound in the simulator,
 * and one (two-tree) 1.03. */
bool gb_local_fits(const gbcast_plan *plan, const gb_flow *flow, bool cut,
                   const gb_intra_algorithm *algorithm) {
  if (!algorithm->automatic || algorithm->native || !(algorithm->operations >> flow->operation & 1))
    return false;
  if (cut && plan->site_count > 1 && flow->operation == GBCAST_BCAST && !algorithm->few_copies)
    return false;
  return flow->operation == GBCAST_SCATTER ? fits_scatter(plan, algorithm) : algorithm->segmented == cut;
}
