#ifndef GB_PLAN_API_PRICE_H
#define GB_PLAN_API_PRICE_H

#include "plan/core/core.h"

/* The time that a plan would take over `p`, a platform with the same hosts and clusters as its own: the same
 * trees, orders and segments, walked there, at the size that the plan is for. Over its own platform that is
 * plan->predicted. GBCAST_EMEMORY; GBCAST_EINPUT: some edge leads to a site that is out of reach there. */
int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err);

/* Predicts the plan anew over its own platform, which is another than the one that its times are of: sets
 * predicted, bound, and when every edge starts and every share is there. Errors as above. */
int gb_plan_retime(gbcast_plan *plan, gbcast_error *err);

void gb_plan_scale_times(gbcast_plan *plan, double factor); /* of the edges */

#endif
