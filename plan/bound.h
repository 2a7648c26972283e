#ifndef GB_PLAN_BOUND_H
#define GB_PLAN_BOUND_H

#include "plan/plan.h"

/* Seconds that no schedule can beat. */
int gb_plan_bound(const gbcast_plan *plan, double *bound, gbcast_error *err);

#endif
