/* The search for the plan of a broadcast or a scatter, and the price of plans that are there: what the other
 * rooms may use of this one. */
#ifndef GB_PLAN_SEARCH_SEARCH_H
#define GB_PLAN_SEARCH_SEARCH_H

#include "plan/core/core.h"

/* Chooses the trees of a plan whose endpoints and sites are there (gb_layout), and fills in all about them:
 * trees, algorithms, candidates, predicted time and bound. GBCAST_EUSAGE: the request names something that is
 * not there, or does not go together; GBCAST_EINPUT: a site is out of reach; GBCAST_EMEMORY. */
int gb_search_plan(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err);

/* HOST, HOST#K or RANK of a request: a host of that name wins. */
int gb_request_root(const gbcast_platform *p, const gbcast_request *request, gb_job *job, gbcast_error *err);

/* The time that a plan would take over `p`, a platform with the same hosts and clusters as its own: the same
 * trees, orders and segments, walked there, at the size that the plan is for. Over its own platform that is
 * plan->predicted. GBCAST_EMEMORY; GBCAST_EINPUT: some edge leads to a site that is out of reach there. */
int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err);

/* Predicts the plan anew over its own platform, which is another than the one that its times are of: sets
 * predicted, bound, and when every edge starts and every share is there. Errors as above. */
int gb_plan_retime(gbcast_plan *plan, gbcast_error *err);

void gb_plan_scale_times(gbcast_plan *plan, double factor); /* of the edges */

#endif
