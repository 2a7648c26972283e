#ifndef GB_PLAN_SEARCH_DUE_ORDER_H
#define GB_PLAN_SEARCH_DUE_ORDER_H

#include "plan/search/planner.h"

/* Puts the children of every sender of a scatter, which are in label order, into the order that due_order.c
 * explains. turns: of all trees, for one of this. edge: with label costs and bytes. */
int gb_due_order(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, double interleave, const gb_edge *edge,
                 gbcast_error *err);

#endif
