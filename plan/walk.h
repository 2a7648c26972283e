#ifndef GB_PLAN_WALK_H
#define GB_PLAN_WALK_H

#include "plan/planner.h"

/* The judge (design, rule 1): a discrete-event walk of the flow through the tree. start[v] and arrival[v] (n
 * each, may be NULL): when the first byte leaves for v, and when v has all of its bytes; the root's are 0 and
 * its last segment. */
int gb_walk(const gb_shape *shape, const gb_flow *flow, const gb_edges *edges, double *start, double *arrival,
            double *makespan, gbcast_error *err);

#endif
