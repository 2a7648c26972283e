#ifndef GB_PLAN_SEARCH_LANES_H
#define GB_PLAN_SEARCH_LANES_H

#include "plan/search/steps.h"

/* Tries several lanes for a broadcast between sites, after all candidates with one lane. Does nothing if the
 * request names algorithms or lanes. list (count): segment sizes. Statuses of gb_search_price. */
int gb_search_lanes(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

#endif
