#ifndef GB_PLAN_SEARCH_TERMS_H
#define GB_PLAN_SEARCH_TERMS_H

#include "plan/search/compose.h"

/* Splits the composed trees' predicted time into terms that sum to it; none is negative. Statuses of
 * gb_network_route; GBCAST_EMEMORY. */
int gb_terms_of(gb_planner *pl, const gb_composed *composed, gb_terms *terms, gbcast_error *err);

#endif
