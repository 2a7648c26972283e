/* Several lanes: see search_load.c. */
#ifndef GB_PLAN_SEARCH_LANE_LOAD_H
#define GB_PLAN_SEARCH_LANE_LOAD_H

#include "plan/search/steps.h"

/* The trial that is predicted to be fastest in several lanes; `predicted` is INFINITY when there is none. */
const gb_spec *gb_search_best_in_lanes(const gb_search_state *st);

/* Forgets trials in several lanes that are hardly faster than one that loads hosts less, unless only they
 * take at most `worth_it` s. */
void gb_search_prefer_less_load(gb_search_state *st, double worth_it);

#endif
