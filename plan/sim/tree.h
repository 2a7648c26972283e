#ifndef GB_PLAN_SIM_TREE_H
#define GB_PLAN_SIM_TREE_H

#include "plan/search/planner.h"

int gb_shape_new(const gb_endpoint *endpoint, uint32_t n, gb_shape *shape, gbcast_error *err);
void gb_shape_free(gb_shape *shape); /* not the endpoints */

/* Child lists from the parents, in the order of the nodes' numbers. */
void gb_shape_link(gb_shape *shape);

/* order (n): every node after its parent, from the child lists. */
void gb_shape_order(const gb_shape *shape, uint32_t *order);

#endif
