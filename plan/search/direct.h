#ifndef GB_PLAN_SEARCH_DIRECT_H
#define GB_PLAN_SEARCH_DIRECT_H

#include "plan/search/steps.h"

/* Whether the operation is a scatter between sites for which only candidates without leaders are tried:
 * because the request says so, or because leaders cannot help (but see gb_search_wants_leaders). */
bool gb_search_is_direct(const gb_search_state *st);

/* Prices the candidates without leaders. Does nothing for a broadcast, and if the request names another tree
 * over sites. list (count): segment sizes. Statuses of gb_search_price. */
int gb_search_direct(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

/* After gb_search_direct: sets *wants if leaders should be tried all the same, because paths over them are
 * wider. Statuses of gb_plan_bound and gb_find_wider_paths. */
int gb_search_wants_leaders(const gb_search_state *st, bool *wants, gbcast_error *err);

/* After leaders were tried: drops the candidates with leaders if they gain little over the best without,
 * `straight`. */
void gb_search_weigh_leaders(gb_search_state *st, const gb_spec *straight);

#endif
