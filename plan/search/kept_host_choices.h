#ifndef GB_PLAN_SEARCH_KEPT_HOST_CHOICES_H
#define GB_PLAN_SEARCH_KEPT_HOST_CHOICES_H

#include "plan/search/planner.h"

/* What gb_host_choose chooses in one of the mixes, an entry for each site. It walks each site in many ways,
 * so that is done once for each segment size and algorithm. */
int gb_host_choices_find(gb_planner *pl, const gb_flow *flow, size_t intra, size_t options,
                         const gb_host_choice **choice, gbcast_error *err);

#endif
