#ifndef GB_PLAN_SEARCH_LANE_WORK_H
#define GB_PLAN_SEARCH_LANE_WORK_H

#include "plan/search/planner.h"

/* What a site's busiest leader does for one message, in messages. */
typedef struct gb_lane_work {
  double home; /* that it sends to hosts of its own site, of all lanes */
  double away; /* of each copy to another site: the lanes that it leads */
} gb_lane_work;

/* With one lane: 1 of each copy; what it sends at home is the sum of its children's. */
int gb_lane_work_of(gb_planner *pl, uint32_t site, gb_host_choice choice, uint32_t lanes, gb_lane_work *work,
                    gbcast_error *err);

#endif
