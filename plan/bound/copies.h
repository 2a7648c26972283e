#ifndef GB_PLAN_BOUND_COPIES_H
#define GB_PLAN_BOUND_COPIES_H

#include "plan/core/core.h"

#define GB_BOUND_COPIES_SITES 64u /* of more sites, for time, it is not asked for */

/* Raises *bound (s) to when a broadcast of so many bytes over three sites or more can be everywhere, as it
 * must leave the root's site several times or be passed on: see plan/bound/copies.c. distance: per cluster of
 * the platform, the least latency from the root's. Not for an assumed mesh. GBCAST_EMEMORY. */
int gb_bound_copies(const gbcast_plan *plan, const double *distance, double bytes, double *bound,
                    gbcast_error *err);

#endif
