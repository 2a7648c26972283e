#ifndef GB_PLAN_SEARCH_SITE_LOADS_H
#define GB_PLAN_SEARCH_SITE_LOADS_H

#include "plan/search/planner.h"

/* local: by site; NULL: to leave more room, each leader sends as much at home as with one lane
 * (gb_spec.roomy). What messages of flow->segment bytes between the leaders, and at home, keep busy. The
 * arrays are owned; free with gb_site_loads_free. */
int gb_site_loads_make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, gb_site_loads *loads, gbcast_error *err);
void gb_site_loads_free(gb_site_loads *loads);

#endif
