#ifndef GB_PLAN_SEARCH_SITE_TREES_H
#define GB_PLAN_SEARCH_SITE_TREES_H

#include "plan/search/planner.h"

/* What an algorithm makes of the graph of a flow, with the LAN trees local[] by site (gb_site_loads_make says
 * what NULL means): one tree over the sites or several; with a single site there is nothing to choose. To be
 * given to gb_site_trees_free. */
int gb_site_trees_make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, size_t inter, gb_site_trees *out, gbcast_error *err);

/* A copy of one tree, alike. */
int gb_site_trees_copy(const uint32_t *parent, uint32_t sites, gb_site_trees *out, gbcast_error *err);

#endif
