#ifndef GB_PLAN_SIM_ARRIVAL_ORDER_H
#define GB_PLAN_SIM_ARRIVAL_ORDER_H

#include "plan/sim/sim.h"

/* Of all uses that may be late keeps those as such for which it matters, and lists their edges. After the
 * queues are known. */
int gb_late_find(gb_forest *forest, gbcast_error *err);

#endif
