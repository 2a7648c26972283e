#ifndef GB_PLAN_BOUND_CUTS_H
#define GB_PLAN_BOUND_CUTS_H

#include "plan/core/core.h"

/* Seconds that no all-to-all of blocks of so many bytes between sites of a plan can beat, whatever ways they
 * take: see bound_cuts.c. 0 with one site. GBCAST_EMEMORY. */
int gb_bound_cuts(const gbcast_plan *plan, uint64_t block, double *bound, gbcast_error *err);

#endif
