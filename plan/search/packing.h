#ifndef GB_PLAN_SEARCH_PACKING_H
#define GB_PLAN_SEARCH_PACKING_H

#include "plan/search/steps.h"

/* Tries several trees over the sites of a broadcast, where nothing else was asked for; after all single
 * trees. */
int gb_search_packing(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

#endif
