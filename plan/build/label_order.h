#ifndef GB_PLAN_BUILD_LABEL_ORDER_H
#define GB_PLAN_BUILD_LABEL_ORDER_H

#include "plan/build/build.h"

/* Orders every sender's children by label, over all levels at once (labeling/label.c), for one segment
 * (broadcast) or each edge's bytes (scatter). Fills child_start, child and, if it is not NULL, label of the
 * tree, and the label costs in edge (endpoint_count). Statuses of gb_edges_for_labels. */
int gb_order_children(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, const gb_flow *flow,
                      gb_edge *edge, gbcast_error *err);

/* The same in every tree of the schedule. */
int gb_schedule_order(gb_planner *pl, gb_schedule *schedule, gb_traffic *traffic, const gb_flow *flow,
                      gbcast_error *err);

#endif
