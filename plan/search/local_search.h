#ifndef GB_PLAN_SEARCH_LOCAL_SEARCH_H
#define GB_PLAN_SEARCH_LOCAL_SEARCH_H

#include "plan/search/planner.h"

/* Changes a tree over sites as long as the judge likes it better. `graph` and `whole` are of messages of a
 * segment and of the whole size. */
int gb_local_search(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                    const gb_site_graph *graph, const gb_site_graph *whole, uint32_t *site_parent,
                    gbcast_error *err);

#endif
