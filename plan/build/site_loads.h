#ifndef GB_PLAN_BUILD_SITE_LOADS_H
#define GB_PLAN_BUILD_SITE_LOADS_H

#include "plan/build/build.h"

/* Finds what messages of flow->segment bytes between leaders, and inside sites, keep busy. choice: by site,
 * what the graph was made for. *loads belongs to the planner, and is valid until others are asked for.
 * GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_site_loads_find(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, const gb_site_loads **loads, gbcast_error *err);
void gb_site_loads_free(gb_site_loads *loads);

#endif
