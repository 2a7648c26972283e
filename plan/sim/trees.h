#ifndef GB_PLAN_SIM_TREES_H
#define GB_PLAN_SIM_TREES_H

#include "plan/search/planner.h"

/* `trees` trees of equal weight over n endpoints, without edges yet. */
int gb_forest_new(const gb_endpoint *endpoint, uint32_t n, uint32_t root, uint32_t trees, gb_forest *forest,
                  gbcast_error *err);
void gb_forest_free(gb_forest *forest); /* not the endpoints */

/* What goes down one tree of the flow: its share. */
gb_flow gb_forest_flow(const gb_forest *forest, const gb_flow *flow, uint32_t tree);

/* Seconds until the root has segment `index` of a tree's share, by flow->pace: the segments of all trees come
 * to it in turn, those of a tree with a larger share more often. */
double gb_forest_fed(const gb_forest *forest, const gb_flow *flow, uint32_t tree, uint64_t index);

/* Label order in every tree (plan/search/label_order.h), for the flow that is decided on. */
int gb_forest_order(gb_planner *pl, gb_forest *forest, const gb_flow *flow, gbcast_error *err);

/* How often the whole message leaves the root's host for others of its cluster. */
double gb_forest_copies(const gbcast_platform *p, const gb_forest *forest);

#endif
