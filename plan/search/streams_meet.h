#ifndef GB_PLAN_SEARCH_STREAMS_MEET_H
#define GB_PLAN_SEARCH_STREAMS_MEET_H

#include "inter/inter.h"
#include "plan/core/core.h"

/* Whether streams of a plan's several trees meet between sites: those of several leaders do, and those that
 * get to some site from different ones. But not if all that goes over each link is on its way before the
 * first byte of it is answered: no queue grows in that time. Simulated, 1 MiB over mesh4 of bench/peers takes
 * 1.27 of the bound with 0.9, 1.19 with 1. */
bool gb_plan_streams_meet(const gbcast_plan *plan);

/* The same of other trees over the plan's sites, in so many lanes. */
bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes);

/* Sets plan->efficiency: what the streams of several trees leave each other. Once the trees are there. */
void gb_plan_set_efficiency(gbcast_plan *plan);

#endif
