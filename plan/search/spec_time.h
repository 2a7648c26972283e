#ifndef GB_PLAN_SEARCH_SPEC_TIME_H
#define GB_PLAN_SEARCH_SPEC_TIME_H

#include "plan/search/compose.h"

/* Composes the trees of a spec at the plan's size class, and sets its price and number of trees over sites.
 * Trees that were simulated before are not simulated again. The planner keeps the fastest of all, trees and
 * times. choice: by site. GBCAST_EUSAGE: too many trees; statuses of gb_traffic_find. */
int gb_spec_simulate(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                     const gb_flow *flow, gb_spec *spec, gbcast_error *err);

#endif
