#ifndef GB_PLAN_SEARCH_LABEL_ORDER_H
#define GB_PLAN_SEARCH_LABEL_ORDER_H

#include "plan/search/planner.h"

/* Orders every sender's children by label, over all levels at once (labeling/labeling.h), for one segment
 * (bcast) or each edge's bytes (scatter). Fills shape->child_start, shape->child, the label costs of
 * edge (n) and, if not NULL, label (n). */
int gb_order_children(gb_planner *pl, gb_shape *shape, const gb_flow *flow, gb_edge *edge, double *label,
                      gbcast_error *err);

/* The same in every tree, for the flow that is decided on. */
int gb_forest_order(gb_planner *pl, gb_forest *forest, const gb_flow *flow, gbcast_error *err);

#endif
