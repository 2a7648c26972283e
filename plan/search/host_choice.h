/* What is best inside each site. */
#ifndef GB_PLAN_SEARCH_HOST_CHOICE_H
#define GB_PLAN_SEARCH_HOST_CHOICE_H

#include "plan/search/planner.h"

/* For this flow: the forced LAN algorithm, `uniform`, or with GB_INTRA_MIXED the best by prediction for each
 * site; and the best shape inside its hosts. local: an entry for each site, for one mix after the other. */
int gb_host_choose(gb_planner *pl, const gb_flow *flow, size_t uniform, gb_host_choice *choice,
                   gbcast_error *err);

/* Whether auto may use an algorithm for this flow in a site, or with NULL in all sites. Where the message is
 * cut: those that cut. Where not: those that do not, and over several switches also those that do and whose
 * tree no other has. */
bool gb_host_choice_fits(const gb_planner *pl, const gb_site *site, const gb_flow *flow, bool cut,
                         const gb_intra_algorithm *algorithm);

/* Whether leaders may help a scatter between sites. */
bool gb_host_choice_needs_leaders(const gb_planner *pl);

#endif
