#ifndef GB_PLAN_SEARCH_PACING_H
#define GB_PLAN_SEARCH_PACING_H

#include "plan/search/planner.h"

/* Decides how each edge of a plan's trees is run: sets the pacing of every tree (gb_pacing),
 * plan->schedule.far_first, and one_uplink of the sites. All else in the plan must be set, labels and
 * efficiency included. GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_plan_set_pacing(gb_network *net, gbcast_plan *plan, gbcast_error *err);

#endif
