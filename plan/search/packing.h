#ifndef GB_PLAN_SEARCH_PACKING_H
#define GB_PLAN_SEARCH_PACKING_H

#include "plan/search/steps.h"

/* Tries several trees over the sites of a broadcast, after all single trees. Does nothing if the request
 * names a tree over sites. list (count): segment sizes. Statuses of gb_search_price. */
int gb_search_packing(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

#endif
