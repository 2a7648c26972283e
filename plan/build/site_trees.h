#ifndef GB_PLAN_BUILD_SITE_TREES_H
#define GB_PLAN_BUILD_SITE_TREES_H

#include "plan/build/build.h"

/* Makes the trees over sites of an algorithm, one or several, for the graph of a flow; with a single site
 * there is nothing to choose. choice: by site. *out is to be given to
 * gb_site_trees_free. GBCAST_EINPUT: the algorithm finds no path to some site; GBCAST_EMEMORY. */
int gb_site_trees_make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, size_t inter, gb_site_trees *out, gbcast_error *err);

/* The same, over the sites that are no relays; its trees leave out the others (members.c). */
int gb_site_trees_of_members(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                             const gb_host_choice *choice, size_t inter, gb_site_trees *out,
                             gbcast_error *err);

/* Makes *out a copy of one tree; parent (sites). To be given to gb_site_trees_free. GBCAST_EMEMORY. */
int gb_site_trees_copy(const uint32_t *parent, uint32_t sites, gb_site_trees *out, gbcast_error *err);

#endif
