#ifndef GB_PLAN_SEARCH_STREAMS_MEET_H
#define GB_PLAN_SEARCH_STREAMS_MEET_H

#include "inter/inter.h"
#include "plan/core/core.h"

/* Whether streams of a plan's several trees meet between sites: streams of several leaders do, and streams
 * that reach a site from different ones. They do not if all that goes over each link is in flight before its
 * first byte is acknowledged, because no queue grows in that time (evidence: docs/planning.md, "Where the
 * numbers come from"). */
bool gb_plan_streams_meet(const gbcast_plan *plan);

/* The same for other trees over the plan's sites, in `lanes` lanes. */
bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes);

/* Sets plan->schedule.efficiency from the plan's trees. */
void gb_plan_set_efficiency(gbcast_plan *plan);

#endif
