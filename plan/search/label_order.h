#ifndef GB_PLAN_SEARCH_LABEL_ORDER_H
#define GB_PLAN_SEARCH_LABEL_ORDER_H

#include "plan/search/planner.h"

/* Orders every sender's children by label, over all levels at once (labeling/labeling.h), for one segment
 * (bcast) or each edge's bytes (scatter). Fills the tree's child_start, child and, where wanted, label, and
 * the label costs of edge (endpoint_count). */
int gb_order_children(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, const gb_flow *flow,
                      gb_edge *edge, gbcast_error *err);

/* The same in every tree, for the flow that is decided on. */
int gb_schedule_order(gb_planner *pl, gb_schedule *schedule, gb_traffic *traffic, const gb_flow *flow,
                      gbcast_error *err);

#endif
