#ifndef GB_PLAN_SEARCH_LIMITS_H
#define GB_PLAN_SEARCH_LIMITS_H

#include "plan/search/planner.h"

/* What may be chosen. */
typedef struct gb_limits {
  size_t inter;     /* index, or SIZE_MAX for any */
  size_t intra;     /* one algorithm for all sites, or SIZE_MAX for any */
  bool per_site;    /* pl->forced_intra says something for some sites */
  uint64_t segment; /* bytes, or 0 for any */
  uint32_t lanes;   /* or 0 for any */
} gb_limits;

/* The candidates, best first: for each pair of algorithms the best segment. *trial is to be given to free().
 */
int gb_search(gb_planner *pl, const gb_limits *limits, gb_spec **spec, size_t *count, gbcast_error *err);

#endif
