/* The search for the plan of a broadcast or a scatter, and the price of existing plans. Functions return
 * GBCAST_OK or an error status, and then fill *err. */
#ifndef GB_PLAN_SEARCH_SEARCH_H
#define GB_PLAN_SEARCH_SEARCH_H

#include "plan/core/core.h"

/* Chooses the trees of a plan whose platform, operation, sizes, endpoints and sites are set (gb_layout).
 * Fills in all else: trees and their pacing, algorithms, candidates, predicted time (s) and bound (s).
 * GBCAST_EUSAGE: the request names something that does not exist or cannot be combined; GBCAST_EINPUT: a site
 * is out of reach; GBCAST_EMEMORY. */
int gb_search_plan(gbcast_plan *plan, const gbcast_request *request, gbcast_error *err);

/* Sets job->root_host and job->root_k from the request's root: HOST, HOST#K or RANK, where a host of that
 * name comes first; without one, the first rank of the first host with ranks. job->ranks must be set.
 * GBCAST_EINPUT: there is no such rank; GBCAST_EMEMORY. */
int gb_request_root(const gbcast_platform *p, const gbcast_request *request, gb_job *job, gbcast_error *err);

/* Sets *seconds to the time that a plan would take over `p`, a platform with the same hosts and clusters as
 * its own: the same trees, orders and segments, simulated there for plan->bytes. Over its own platform that
 * is plan->predicted. GBCAST_EINPUT: an edge leads to a site that is out of reach there; GBCAST_EMEMORY. */
int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err);

/* Sets *usd to what no plan of a broadcast among its sites costs less than at these prices (gb_plan_prices);
 * NAN without prices, and for other operations. plan->bound must be set. GBCAST_EINPUT: a site is out of
 * reach; GBCAST_EMEMORY. */
int gb_cost_bound(const gbcast_plan *plan, const double *price, double *usd, gbcast_error *err);

/* Predicts a plan again over its own platform, if that has changed since: sets predicted, bound, efficiency
 * and pacing, and start and arrival of every tree. Statuses as above. */
int gb_plan_retime(gbcast_plan *plan, gbcast_error *err);

void gb_plan_scale_times(gbcast_plan *plan, double factor); /* multiplies start and arrival of every tree */

#endif
