/* What comes in during an allgather. */
#ifndef GB_PLAN_BOUND_ALLGATHER_H
#define GB_PLAN_BOUND_ALLGATHER_H

#include "plan/core/core.h"

/* Seconds that an allgather of so many bytes in all takes at least for what comes into hosts and sites. */
double gb_bound_allgather_in(const gbcast_plan *plan, uint64_t bytes);

#endif
