#ifndef GB_PLAN_SIM_WAN_STREAMS_H
#define GB_PLAN_SIM_WAN_STREAMS_H

#include "plan/sim/sim.h"

/* Lengthens the time that messages between sites take on their streams (gb_edge.busy), after the costs of all
 * edges are known. GBCAST_EMEMORY. */
int gb_wan_streams_slow_down(const gb_schedule *schedule, const gbcast_platform *p, const gb_flow *flow,
                             gb_traffic *traffic, gbcast_error *err);

#endif
