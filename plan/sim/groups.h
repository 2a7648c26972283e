#ifndef GB_PLAN_SIM_GROUPS_H
#define GB_PLAN_SIM_GROUPS_H

#include "plan/sim/sim.h"

/* Fills traffic->sender and traffic->group. A group can be walked when those before it have been. */
int gb_groups_find(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err);

#endif
