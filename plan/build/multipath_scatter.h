#ifndef GB_PLAN_BUILD_MULTIPATH_SCATTER_H
#define GB_PLAN_BUILD_MULTIPATH_SCATTER_H

#include "plan/build/build.h"

/* Makes at most GB_SITE_TREES_MOST trees over the sites of a scatter without leaders; the one with the
 * largest share comes first. *out is to be given to gb_site_trees_free. GBCAST_EMEMORY; statuses of
 * gb_network_route. */
int gb_multipath_trees(gb_planner *pl, const gb_flow *flow, gb_site_trees *out, gbcast_error *err);

#endif
