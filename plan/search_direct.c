/* A scatter without leaders: straight from the root to every host; and over several ways to a site, at the
 * segment size that is found downhill from the size of a block, so that those that pass blocks on do not wait
 * for many of them.
 *
 * A leader that passes blocks on shares its link with its site's own blocks, which the walk lets wait and a
 * network does not: on the example of three sites several ways were predicted 2 % faster, and took 17 %
 * longer in the simulator. So they are left out where they gain little. */
#include "plan/search_direct.h"
#include "plan/local_choice.h"
#include "plan/segments.h"
#include <math.h>

#define MOST_SITES 32u /* of more sites only the straight way is tried */
#define WORTH_IT 0.97  /* so much faster several ways have to be */

bool gb_search_is_direct(const gb_search_state *st) {
  const gbcast_plan *plan = st->pl->plan;
  const gb_limits *limits = st->limits;
  if (plan->operation != GBCAST_SCATTER || plan->site_count == 1 || limits->per_site)
    return false; /* one site is flat then */
  if (limits->inter != SIZE_MAX && limits->inter != st->packing)
    return false;
  return limits->intra != SIZE_MAX ? gb_intra_table[limits->intra].leaderless : !gb_local_needs_leaders(plan);
}

static int try_trees(gb_search_state *st, const char *inter, bool cut, const uint64_t *list, size_t count,
                     gbcast_error *err) {
  const size_t direct = gb_intra_find("direct", GB_SCATTER), at = gb_inter_find(inter);
  const gb_trial trees = {.inter = at, .tree_inter = at};
  st->follow = &trees;
  const uint64_t first = st->limits->segment ? st->limits->segment : gb_segment_whole(st->pl);
  int status = gb_search_price_shapes(st, first, direct, err);
  if (status == GBCAST_OK && cut && !st->limits->segment && count > 0)
    status = gb_search_descend(st, direct, list, count, gb_segment_at(list, count, st->pl->plan->class_bytes),
                               err);
  st->follow = NULL;
  return status;
}

static void leave_out(gb_search_state *st, const gb_trial *before) {
  gb_search_slot(st, st->top.intra, st->packing, false)->predicted = INFINITY;
  st->top = *before;
}

int gb_search_direct(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gbcast_plan *plan = st->pl->plan;
  const bool asked = st->limits->inter == st->packing;
  int status = GBCAST_OK;
  if (plan->operation != GBCAST_SCATTER || plan->site_count == 1 || (st->limits->inter != SIZE_MAX && !asked))
    return GBCAST_OK;
  if (!asked)
    status = try_trees(st, "flat", gb_plan_has_nodes(plan), list, count, err);
  const gb_trial before = st->top;
  if (status == GBCAST_OK && (asked || (plan->site_count > 2 && plan->site_count <= MOST_SITES)))
    status = try_trees(st, "packing", true, list, count, err);
  if (!asked && st->top.inter == st->packing && st->top.predicted > WORTH_IT * before.predicted)
    leave_out(st, &before);
  return status;
}
