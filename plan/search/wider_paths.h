#ifndef GB_PLAN_SEARCH_WIDER_PATHS_H
#define GB_PLAN_SEARCH_WIDER_PATHS_H

#include "plan/search/planner.h"

/* Whether to some site there is a way over leaders of others that is much wider than the straight one from
 * the root. Statuses of gb_network_route, and GBCAST_EMEMORY. */
int gb_find_wider_paths(gb_planner *pl, bool *wider, gbcast_error *err);

#endif
