/* Lower bounds: times that no schedule can beat. Formulas: bound.c, links.c, copies.c and cuts.c. */
#ifndef GB_PLAN_BOUND_BOUND_H
#define GB_PLAN_BOUND_BOUND_H

#include "plan/core/core.h"

/* *bound: seconds that the plan's operation cannot beat with a message, or blocks, of so many bytes. The
 * plan's endpoints and sites are there. GBCAST_EINPUT: a site cannot be reached. GBCAST_EMEMORY. */
int gb_plan_bound(const gbcast_plan *plan, uint64_t bytes, double *bound, gbcast_error *err);

/* Sets the root of an operation that any rank can be the root of: the leader of the site from which a
 * broadcast has the least bound. Statuses as above. */
int gb_plan_choose_root(gbcast_plan *plan, gbcast_error *err);

/* *bound: seconds that no all-to-all of blocks of so many bytes between the sites of a plan can beat,
 * whatever paths they take. 0 with one site. GBCAST_EMEMORY. */
int gb_bound_cuts(const gbcast_plan *plan, uint64_t block, double *bound, gbcast_error *err);

#endif
