#ifndef GB_PLAN_SEARCH_PACING_H
#define GB_PLAN_SEARCH_PACING_H

#include "plan/search/planner.h"

/* Decides how each edge of the plan's trees is run: sets the pacing of every tree (gb_pacing), far_first and
 * the one_uplink of sites. The plan is finished but for that, with labels and efficiency. GBCAST_EMEMORY. */
int gb_plan_set_pacing(gb_network *net, gbcast_plan *plan, gbcast_error *err);

#endif
