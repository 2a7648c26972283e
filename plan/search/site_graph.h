#ifndef GB_PLAN_SEARCH_SITE_GRAPH_H
#define GB_PLAN_SEARCH_SITE_GRAPH_H

#include "plan/search/planner.h"

/* What inter/ needs to know, for messages of flow->segment bytes (scatter: of a site's blocks) and the given
 * algorithms inside the sites. Its costs are the planner's, and those of a segment good until another segment
 * is asked for; free with gb_site_graph_free. */
int gb_site_graph_make(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                       gb_site_graph *graph, gbcast_error *err);
void gb_site_graph_free(gb_site_graph *graph);

#endif
