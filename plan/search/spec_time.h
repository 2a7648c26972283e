#ifndef GB_PLAN_SEARCH_SPEC_TIME_H
#define GB_PLAN_SEARCH_SPEC_TIME_H

#include "plan/search/compose.h"

/* Composes a trial at the plan's size class, and sets what it costs and how many trees over sites it has.
 * What has led to the same trees before is not walked again. Keeps the fastest of all that is walked, trees
 * and times. */
int gb_spec_simulate(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                     const gb_flow *flow, gb_spec *spec, gbcast_error *err);

#endif
