#ifndef GB_PLAN_NATIVE_H
#define GB_PLAN_NATIVE_H

#include "plan/planner.h"

/* Seconds that the MPI library's own collective takes for the plan's operation on one site, by a
 * topology-blind model (intra/native.c) over its hosts, then over the ranks of the fullest host; on one
 * host, as a single message; not less than the plan's bound. -1 when there is no model. */
double gb_native_predict(const gbcast_plan *plan, uint64_t bytes);

#endif
