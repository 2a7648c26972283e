#ifndef GB_PLAN_SIM_GROUPS_H
#define GB_PLAN_SIM_GROUPS_H

#include "plan/sim/sim.h"

/* Fills forest->sender and forest->group. A group can be walked when those before it have been. */
int gb_groups_find(gb_forest *forest, gbcast_error *err);

#endif
