#ifndef GB_PLAN_SIM_ARRIVAL_ORDER_H
#define GB_PLAN_SIM_ARRIVAL_ORDER_H

#include "plan/sim/sim.h"

/* Decides which uses of shared links are delayed (gb_edge.at_once, gb_edge.delayed), and lists their edges in
 * traffic->delayed. traffic->use must be filled. GBCAST_EMEMORY. */
int gb_arrival_order_find(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err);

#endif
