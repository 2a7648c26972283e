#ifndef GB_PLAN_WIDER_WAYS_H
#define GB_PLAN_WIDER_WAYS_H

#include "plan/planner.h"

/* Whether to some site there is a way over leaders of others that is much wider than the straight one from
 * the root. Statuses of gb_planner_route, and GBCAST_EMEMORY. */
int gb_find_wider_ways(gb_planner *pl, bool *wider, gbcast_error *err);

#endif
