#ifndef GB_PLAN_BOUND_H
#define GB_PLAN_BOUND_H

#include "plan/plan.h"

/* Seconds that no schedule of a message or block of so many bytes can beat. */
int gb_plan_bound(const gbcast_plan *plan, uint64_t bytes, double *bound, gbcast_error *err);

#endif
