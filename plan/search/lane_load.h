/* Candidates in several lanes: which one to take (lane_load.c). */
#ifndef GB_PLAN_SEARCH_LANE_LOAD_H
#define GB_PLAN_SEARCH_LANE_LOAD_H

#include "plan/search/steps.h"

/* The fastest spec in several lanes; its `predicted` is INFINITY if there is none. */
const gb_spec *gb_search_best_in_lanes(const gb_search_state *st);

/* Drops specs in several lanes that are hardly faster than one in which hosts send less, unless they take at
 * most `worth_it` s and that one takes longer. */
void gb_search_prefer_less_load(gb_search_state *st, double worth_it);

#endif
