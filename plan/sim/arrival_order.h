#ifndef GB_PLAN_SIM_ARRIVAL_ORDER_H
#define GB_PLAN_SIM_ARRIVAL_ORDER_H

#include "plan/sim/sim.h"

/* Of all uses that may be late keeps those as such for which it matters, and lists their edges. After the
 * queues are known. */
int gb_arrival_order_find(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err);

#endif
