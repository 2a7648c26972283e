#ifndef GB_PLAN_BUILD_DUE_ORDER_H
#define GB_PLAN_BUILD_DUE_ORDER_H

#include "plan/build/build.h"

/* Puts the children of every sender of a scatter, which must be in label order, into the order that
 * due_order.c explains, and sets schedule->pace. interleave: of gb_flow. edge (endpoint_count): with label
 * costs and bytes (gb_edges_for_labels). GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_due_order(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, double interleave, const gb_edge *edge,
                 gbcast_error *err);

#endif
