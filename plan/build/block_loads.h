#ifndef GB_PLAN_BUILD_BLOCK_LOADS_H
#define GB_PLAN_BUILD_BLOCK_LOADS_H

#include "plan/build/build.h"

/* Sets score->predicted to an estimate of how long a scatter takes down these trees over sites (s), and
 * score->trees and score->copies. Statuses of gb_network_route; GBCAST_EMEMORY. */
int gb_block_loads_estimate(gb_planner *pl, const gb_site_trees *trees, gb_score *score, gbcast_error *err);

#endif
