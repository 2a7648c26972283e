#ifndef GB_PLAN_SEARCH_DIRECT_H
#define GB_PLAN_SEARCH_DIRECT_H

#include "plan/search/steps.h"

/* Whether a scatter goes without leaders only: because that was asked for, or because they cannot help. */
bool gb_search_is_direct(const gb_search_state *st);

/* The candidates without leaders; none for a broadcast, and where another tree over sites was asked for. */
int gb_search_direct(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err);

/* After these: whether leaders are to be tried all the same, as there are wider ways over them. */
int gb_search_wants_leaders(const gb_search_state *st, bool *wants, gbcast_error *err);

/* After that: leaves them out where they gain little over the best without. */
void gb_search_weigh_leaders(gb_search_state *st, const gb_spec *straight);

#endif
