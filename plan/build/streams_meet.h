#ifndef GB_PLAN_BUILD_STREAMS_MEET_H
#define GB_PLAN_BUILD_STREAMS_MEET_H

#include "inter/inter.h"
#include "plan/core/core.h"

/* gb_plan_streams_meet for other trees over the plan's sites, in `lanes` lanes. */
bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes);

#endif
