#ifndef GB_PLAN_LATE_H
#define GB_PLAN_LATE_H

#include "plan/planner.h"

/* Of all uses that may be late keeps those as such for which it matters, and lists their edges. After the
 * queues are known. */
int gb_late_find(gb_forest *forest, gbcast_error *err);

#endif
