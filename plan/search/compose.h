#ifndef GB_PLAN_SEARCH_COMPOSE_H
#define GB_PLAN_SEARCH_COMPOSE_H

#include "plan/search/planner.h"

/* Trees over all levels: the sites' trees hung under trees over sites, children in label order for the flow.
 * In each stage, a lane's tree t takes the sites' trees number t and the stage's tree over sites number t,
 * each counted around, with the share of the latter; there are as many as the algorithm that makes most
 * makes, rounded up to whole rounds of the stage's trees over sites. And so for each lane, one lane after the
 * other with each tree. GBCAST_EUSAGE: more trees than can be run. */
int gb_compose(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice, const gb_flow *flow,
               gb_composed *out, gbcast_error *err);

/* The same trees with their children in no particular order yet (gb_schedule_order). */
int gb_compose_join(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                    const gb_flow *flow, gb_composed *out, gbcast_error *err);

/* What the flow, which may be of another size of the same class, puts on the network in these trees; and how
 * long it takes: composed->makespan. */
int gb_composed_load(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);
int gb_composed_simulate(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err);

/* Its predicted time. With several ways into a site the walk of a scatter, which takes hosts' links from the
 * start of a send on where not all that comes there is late (late.c), may end before the bound; and so may
 * one that counts slow start at an even share of the links. */
static inline double gb_composed_time(const gbcast_plan *plan, const gb_composed *c) {
  const bool rough = c->traffic.slow_start || (plan->operation == GBCAST_SCATTER && c->site_trees > 1);
  return rough && c->makespan < plan->bound ? plan->bound : c->makespan;
}
void gb_composed_free(gb_composed *c);

#endif
