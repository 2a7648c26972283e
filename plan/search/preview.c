/* Most trials are far behind the best so far, and their first segments show that: long pipelines are walked
 * only a little first, and to the end if that says that they may be worth it.
 *
 *   segments   |0|1|...|31|  behind by more than a tenth?  yes: that is its price
 *              |0|1|...|31|32|33|...|255|                  no: all of these are walked
 *
 * Trees of an algorithm that was not far behind when it was last looked at are walked in full at once. */
#include "plan/search/preview.h"
#include "plan/search/label_order.h"
#include "plan/sim/sim.h"

#define LEAST 32u  /* segments of the tree with most; fewer do not tell the pace within a few percent */
#define PART 8u    /* of those of a full walk, where that is more */
#define SHORTER 3u /* times: what is walked again costs no more than a third of that */
#define FAR 1.1    /* times the best so far */

static bool is_far(const gb_planner *pl, const gb_composed *composed) {
  return pl->fastest_trees.leaders && gb_composed_time(pl->plan, composed) > FAR * pl->fastest.predicted;
}

/* Walks only the first segments where that is much shorter. */
static int simulate_first(const gb_flow *flow, gb_composed *composed, bool *simulated, gbcast_error *err) {
  gb_flow few = *flow;
  few.simulated = flow->simulated / PART > LEAST ? flow->simulated / PART : LEAST;
  *simulated = flow->operation == GBCAST_BCAST &&
               gb_periodic_length(&composed->schedule, &composed->traffic, &few) * SHORTER <=
                   gb_periodic_length(&composed->schedule, &composed->traffic, flow);
  return *simulated ? gb_simulate(&composed->schedule, &composed->traffic, &few, &composed->makespan, err)
                    : GBCAST_OK;
}

int gb_preview_simulate(gb_planner *pl, const gb_flow *flow, gb_spec *spec, gb_composed *composed,
                        gbcast_error *err) {
  const uint64_t way = (uint64_t)1 << (2 * spec->tree_inter + spec->whole) % 64;
  int status = gb_schedule_order(pl, &composed->schedule, &composed->traffic, flow, err);
  if (status == GBCAST_OK)
    status = gb_composed_load(pl, flow, composed, err);
  spec->previewed = false;
  if (status == GBCAST_OK && pl->fastest_trees.leaders && !(pl->near & way))
    status = simulate_first(flow, composed, &spec->previewed, err);
  spec->previewed = spec->previewed && is_far(pl, composed);
  if (status == GBCAST_OK && !spec->previewed)
    status = gb_simulate(&composed->schedule, &composed->traffic, flow, &composed->makespan, err);
  pl->near = spec->previewed || is_far(pl, composed) ? pl->near & ~way : pl->near | way;
  return status;
}
