#ifndef GB_PLAN_SEARCH_TERMS_H
#define GB_PLAN_SEARCH_TERMS_H

#include "plan/search/compose.h"

/* Splits the composed tree's makespan; the three sum to it and none is negative. */
int gb_terms_of(gb_planner *pl, const gb_composed *composed, gb_terms *terms, gbcast_error *err);

#endif
