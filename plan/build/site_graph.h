#ifndef GB_PLAN_BUILD_SITE_GRAPH_H
#define GB_PLAN_BUILD_SITE_GRAPH_H

#include "plan/build/build.h"

/* Makes the graph for inter/: messages of flow->segment bytes (scatter: of a site's blocks), with the given
 * algorithms inside the sites. choice: by site. The matrices belong to the planner, and those of a segment
 * are valid until another segment size is asked for; to be given to gb_site_graph_free. GBCAST_EMEMORY;
 * statuses of gb_network_route. */
int gb_site_graph_make(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                       gb_site_graph *graph, gbcast_error *err);
void gb_site_graph_free(gb_site_graph *graph);

#endif
