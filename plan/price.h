#ifndef GB_PLAN_PRICE_H
#define GB_PLAN_PRICE_H

#include "plan/plan.h"

/* The time that a plan would take over `p`, a platform with the same hosts and clusters as its own: the same
 * trees, orders and segments, walked there, at the size that the plan is for. Over its own platform that is
 * plan->predicted. GBCAST_EMEMORY; GBCAST_EINPUT: some edge leads to a site that is out of reach there. */
int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err);

#endif
