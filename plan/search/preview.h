#ifndef GB_PLAN_SEARCH_PREVIEW_H
#define GB_PLAN_SEARCH_PREVIEW_H

#include "plan/search/compose.h"

/* Orders the trees of a spec and simulates them, in full or, if they are far behind the fastest, only for the
 * first segments; spec->previewed says which. Sets composed->makespan. Statuses of gb_traffic_find. */
int gb_preview_simulate(gb_planner *pl, const gb_flow *flow, gb_spec *spec, gb_composed *composed,
                        gbcast_error *err);

#endif
