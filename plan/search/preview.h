#ifndef GB_PLAN_SEARCH_PREVIEW_H
#define GB_PLAN_SEARCH_PREVIEW_H

#include "plan/search/compose.h"

/* Orders the trees of a trial and walks them: in full, or where their first segments say that they are far
 * behind the fastest only these; trial->previewed says which. */
int gb_preview_simulate(gb_planner *pl, const gb_flow *flow, gb_spec *spec, gb_composed *composed,
                        gbcast_error *err);

#endif
