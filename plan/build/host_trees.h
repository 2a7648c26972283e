/* The trees inside the sites. */
#ifndef GB_PLAN_BUILD_HOST_TREES_H
#define GB_PLAN_BUILD_HOST_TREES_H

#include "plan/build/build.h"

/* How many hosts of a site lead its lanes, if there are enough lanes. The root does not lead one of several,
 * unless it is alone. */
uint32_t gb_lane_hosts(const gbcast_plan *plan, uint32_t site, uint32_t lanes);

/* Fills parent with one tree of a site, as positions in the site's endpoints, GB_NONE at the tree's root, and
 * *leader with the position of its leader. parent: endpoint_count of the site.
 *
 * The tree is that of lane `tree` % `lanes`, and in it number `tree` / `lanes`, modulo the number of trees
 * that the algorithm makes. Its root is the leader or, with several lanes in the root's site, the root.
 * GBCAST_EMEMORY, or a status of the algorithm. */
int gb_host_tree(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t tree, uint32_t lanes,
                 uint32_t *parent, uint32_t *leader, gbcast_error *err);

/* The same for all sites, with endpoints of the plan in parent (the plan's endpoint_count) and leader
 * (site_count). choice: by site. */
int gb_host_trees_join(gb_planner *pl, const gb_host_choice *choice, uint32_t tree, uint32_t lanes,
                       uint32_t *parent, uint32_t *leader, gbcast_error *err);

/* The largest number of trees that one of the chosen algorithms makes. choice: by site. */
uint32_t gb_host_trees_most(const gbcast_plan *plan, const gb_host_choice *choice);

#endif
