#ifndef GB_PLAN_SEARCH_KEPT_HOST_CHOICES_H
#define GB_PLAN_SEARCH_KEPT_HOST_CHOICES_H

#include "plan/search/planner.h"

/* Sets *choice (site_count) to what gb_host_choose chooses with one of the host options. gb_host_choose
 * simulates each site many times, so it is called once for each segment size and algorithm. Statuses of
 * gb_host_choose. */
int gb_host_choices_find(gb_planner *pl, const gb_flow *flow, size_t intra, size_t options,
                         const gb_host_choice **choice, gbcast_error *err);

#endif
