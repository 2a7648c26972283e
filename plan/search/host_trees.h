/* The trees inside the sites. */
#ifndef GB_PLAN_SEARCH_HOST_TREES_H
#define GB_PLAN_SEARCH_HOST_TREES_H

#include "plan/search/planner.h"

/* Fills parent[]: one of the trees of a site, as positions within the site's run of endpoints, and the leader
 * there: in lane `tree` modulo `lanes` the one of number `tree` / `lanes` modulo how many its algorithm
 * makes. It is rooted at the leader or, of several lanes in the root's site, at the root. `feeds`: some
 * leader there sends to other sites. */
int gb_host_tree(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t tree, uint32_t lanes,
                 bool feeds, uint32_t *parent, uint32_t *leader, gbcast_error *err);

/* The same for all sites, local[], feeds[] and leader[] having an entry for each: parent[] and leader[] by
 * endpoint of the plan. */
int gb_host_trees_join(gb_planner *pl, const gb_host_choice *choice, uint32_t tree, uint32_t lanes,
                       const bool *feeds, uint32_t *parent, uint32_t *leader, gbcast_error *err);

/* How many trees the algorithm makes that makes most. */
uint32_t gb_host_trees_most(const gbcast_plan *plan, const gb_host_choice *choice);

#endif
