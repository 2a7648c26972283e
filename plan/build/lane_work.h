#ifndef GB_PLAN_BUILD_LANE_WORK_H
#define GB_PLAN_BUILD_LANE_WORK_H

#include "plan/build/build.h"

/* What a site's busiest leader sends for one message, in messages. */
typedef struct gb_lane_work {
  double home; /* to hosts of its own site, over all lanes */
  double away; /* of each copy to another site: the part in the lanes that it leads */
} gb_lane_work;

/* With one lane, `away` is 1 and `home` is the number of its children on other hosts of the site.
 * GBCAST_EMEMORY. */
int gb_lane_work_of(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t lanes, gb_lane_work *work,
                    gbcast_error *err);

#endif
