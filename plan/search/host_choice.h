/* The choice of algorithms inside each site. */
#ifndef GB_PLAN_SEARCH_HOST_CHOICE_H
#define GB_PLAN_SEARCH_HOST_CHOICE_H

#include "plan/search/planner.h"

/* Chooses for each site the LAN algorithm and the rank algorithm for this flow. The LAN algorithm is the
 * forced one of the site, or `uniform`, or with GB_INTRA_MIXED the one with the least simulated time. Fills
 * choice (GB_HOST_OPTIONS * site_count; index options * site_count + site). GBCAST_EUSAGE: no algorithm fits;
 * GBCAST_EMEMORY; statuses of gb_network_route. */
int gb_host_choose(gb_planner *pl, const gb_flow *flow, size_t uniform, gb_host_choice *choice,
                   gbcast_error *err);

/* Whether `auto` may use an algorithm for this flow in a site, or if `site` is NULL in all sites. cut: the
 * message is sent in segments; then only algorithms that cut fit. If it is sent whole, algorithms that do not
 * cut fit, and over several switches also those that cut and whose tree no other algorithm has. */
bool gb_host_choice_fits(const gb_planner *pl, const gb_site *site, const gb_flow *flow, bool cut,
                         const gb_intra_algorithm *algorithm);

/* Whether leaders may help a scatter between sites. */
bool gb_host_choice_needs_leaders(const gb_planner *pl);

#endif
