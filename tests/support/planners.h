/* Planners for a plan, to price single trials. */
#ifndef GB_TESTS_SUPPORT_PLANNERS_H
#define GB_TESTS_SUPPORT_PLANNERS_H

#include "plan/search/spec.h"
#include <criterion/criterion.h>

/* Free to choose everything; to be given to gb_planner_release. */
static inline void new_planner(gbcast_plan *plan, gb_planner *pl) {
  cr_assert_eq(gb_planner_new(pl, plan, NULL), GBCAST_OK);
  for (uint32_t s = 0; s < plan->site_count; s++)
    pl->forced_intra[s] = SIZE_MAX;
}

/* The least price, a double; a gb_spec_visit. */
static inline void keep_least(void *context, const gb_spec *spec) {
  double *least = context;
  *least = spec->predicted < *least ? spec->predicted : *least;
}

#endif
