#ifndef GB_PLAN_SHOW_CRITICAL_H
#define GB_PLAN_SHOW_CRITICAL_H

#include "plan/core/core.h"

/* The critical path of a broadcast or scatter: sends of which each had to wait for the one before, from the
 * root to the rank that has its last byte last. Sets critical[tree * endpoint_count + endpoint] of the edges
 * to these endpoints (all false before); returns how many there are. */
uint32_t gb_critical_path(const gbcast_plan *plan, bool *critical);
bool *gb_critical_new(const gbcast_plan *plan); /* the same in an array of its own; NULL: out of memory */

#endif
