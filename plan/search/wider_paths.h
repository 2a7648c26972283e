#ifndef GB_PLAN_SEARCH_WIDER_PATHS_H
#define GB_PLAN_SEARCH_WIDER_PATHS_H

#include "plan/search/planner.h"

/* Sets *wider if to some site a path over leaders of other sites is much wider than the direct one from the
 * root. GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_find_wider_paths(gb_planner *pl, bool *wider, gbcast_error *err);

#endif
