#ifndef GB_PLAN_KEPT_LOCALS_H
#define GB_PLAN_KEPT_LOCALS_H

#include "plan/planner.h"

/* gb_local_choose, which walks each site with each algorithm for the mix: once for each segment size. */
int gb_locals_find(gb_planner *pl, const gb_flow *flow, size_t intra, gb_locals *locals, gbcast_error *err);

void gb_locals_copy(size_t sites, const gb_locals *from, gb_locals *to);

#endif
