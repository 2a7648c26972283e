#ifndef GB_PLAN_BUILD_SITE_LOADS_H
#define GB_PLAN_BUILD_SITE_LOADS_H

#include "plan/build/build.h"

/* The same as gb_site_loads_make, kept by the planner: *loads is valid until others are asked for. */
int gb_site_loads_find(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, const gb_site_loads **loads, gbcast_error *err);

/* Finds what messages of flow->segment bytes between leaders, and inside sites, keep busy. choice: by site;
 * NULL: each leader sends as much inside its site as with one lane (gb_spec.spares_leaders). The arrays are
 * owned; to be given to gb_site_loads_free. GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_site_loads_make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, gb_site_loads *loads, gbcast_error *err);
void gb_site_loads_free(gb_site_loads *loads);

#endif
