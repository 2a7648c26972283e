#ifndef GB_PLAN_SEARCH_LANES_H
#define GB_PLAN_SEARCH_LANES_H

#include "plan/search/steps.h"

/* Tries several lanes for a broadcast between sites, where nothing but a segment was asked for; after all
 * that one lane can do. */
int gb_search_lanes(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

#endif
