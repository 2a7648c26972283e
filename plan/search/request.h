#ifndef GB_PLAN_SEARCH_REQUEST_H
#define GB_PLAN_SEARCH_REQUEST_H

#include "plan/search/limits.h"
#include "plan/search/search.h"

/* Reads the names of a request. Fills *limits, pl->forced_intra and pl->rendezvous. GBCAST_EUSAGE: an unknown
 * name or a number out of range; GBCAST_EMEMORY. */
int gb_request_limits(gb_planner *pl, const gbcast_request *request, gb_limits *limits, gbcast_error *err);

#endif
