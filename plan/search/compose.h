#ifndef GB_PLAN_SEARCH_COMPOSE_H
#define GB_PLAN_SEARCH_COMPOSE_H

#include "plan/search/planner.h"

/* Composes trees over all levels: the sites' trees hang below the leaders of a tree over sites. Children are
 * in label order for the flow.
 *
 * In each stage, tree t of a lane combines tree t of the stage's trees over sites with tree t of each site's
 * trees, both modulo how many there are. It has the share of the former. There are as many trees as the
 * algorithm with the most trees makes, rounded up to a multiple of the stage's trees over sites. Every tree
 * exists once for each lane; the lanes of a tree follow each other in out->schedule.
 *
 * choice: by site. GBCAST_EUSAGE: more than GB_TREES_MOST trees; GBCAST_EMEMORY. */
int gb_compose(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice, const gb_flow *flow,
               gb_composed *out, gbcast_error *err);

/* The same trees, with children not yet linked and ordered (gb_schedule_order). */
int gb_compose_join(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                    const gb_flow *flow, gb_composed *out, gbcast_error *err);

/* Finds what the flow puts on the network in these trees; the second also simulates it and sets
 * composed->makespan. The flow may be of another size of the same class. Statuses of gb_traffic_find. */
int gb_composed_load(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);
int gb_composed_simulate(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);

/* The predicted time (s). The simulation may end before the lower bound in two cases, and then the bound
 * counts: in a scatter with several paths to a site, because it takes most links from the start of a send on
 * (plan/sim/arrival_order.c); and with slow start, which it prices with even shares of the links. */
static inline double gb_composed_time(const gbcast_plan *plan, const gb_composed *c) {
  const bool may_end_early =
      c->traffic.slow_start || (plan->operation == GBCAST_SCATTER && c->site_trees > 1);
  return may_end_early && c->makespan < plan->bound ? plan->bound : c->makespan;
}
void gb_composed_free(gb_composed *c);

#endif
