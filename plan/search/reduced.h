#ifndef GB_PLAN_SEARCH_REDUCED_H
#define GB_PLAN_SEARCH_REDUCED_H

#include "plan/build/build.h"

/* A planner for a plan with fewer ranks; `small` is zeros, and pl the planner that it was made from, if that
 * has few already. */
typedef struct gb_reduced {
  gb_planner *pl;
  gb_planner small;
  gbcast_plan plan;
} gb_reduced;

/* To be given to gb_reduced_release, which `reduced` must outlive in its place. GBCAST_EMEMORY. */
int gb_reduced_new(gb_planner *pl, gb_reduced *reduced, gbcast_error *err);
void gb_reduced_release(gb_reduced *reduced);

#endif
