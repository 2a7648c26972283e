#ifndef GB_PLAN_SIM_SIMULATE_H
#define GB_PLAN_SIM_SIMULATE_H

#include "plan/search/planner.h"

/* The judge (design, rule 1): a discrete-event walk of the flow through all trees at once, after
 * gb_queues_find. Fills start and arrival of the parts that want them; at the root they are 0 and when it has
 * its last segment, and 0 for an empty share. */
int gb_walk(gb_forest *forest, const gb_flow *flow, double *makespan, gbcast_error *err);

#endif
