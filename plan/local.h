/* The trees inside the sites. */
#ifndef GB_PLAN_LOCAL_H
#define GB_PLAN_LOCAL_H

#include "plan/planner.h"

/* Fills parent[]: one of the trees of a site (number `tree` modulo how many its algorithm makes), rooted at
 * its leader, as positions within the site's run of endpoints. */
int gb_local_tree(gb_planner *pl, uint32_t site, gb_local local, uint32_t tree, uint32_t *parent,
                  gbcast_error *err);

/* The same for all sites, local[] having an entry for each: parent[] by endpoint of the plan. */
int gb_local_join(gb_planner *pl, const gb_local *local, uint32_t tree, uint32_t *parent, gbcast_error *err);

/* How many trees the algorithm makes that makes most. */
uint32_t gb_local_most_trees(const gbcast_plan *plan, const gb_local *local);

#endif
