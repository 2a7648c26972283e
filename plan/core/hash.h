#ifndef GB_PLAN_CORE_HASH_H
#define GB_PLAN_CORE_HASH_H

#include "plan/core/core.h"

/* Of the trees, whatever the size; gb_plan_hash_for adds the size. */
uint64_t gb_plan_hash_decision(const gbcast_plan *plan);

#endif
