#ifndef GB_PLAN_SEARCH_MULTIPATH_SCATTER_H
#define GB_PLAN_SEARCH_MULTIPATH_SCATTER_H

#include "plan/search/planner.h"

/* Trees over the sites of a scatter to be used without leaders, at most GB_SITE_TREES_MOST; to be given to
 * gb_site_trees_free; that of the largest share comes first. */
int gb_multipath_trees(gb_planner *pl, const gb_flow *flow, gb_site_trees *out, gbcast_error *err);

#endif
