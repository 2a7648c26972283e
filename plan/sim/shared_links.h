#ifndef GB_PLAN_SIM_SHARED_LINKS_H
#define GB_PLAN_SIM_SHARED_LINKS_H

#include "plan/search/planner.h"

/* What the walk needs to know of the edges of all trees: costs, last segments, queues, groups. The children
 * must be in sending order. GBCAST_EUSAGE when a scatter would be cut into too many pieces to be walked. */
int gb_queues_find(gb_planner *pl, gb_forest *forest, const gb_flow *flow, gbcast_error *err);

#endif
