#ifndef GB_PLAN_SEARCH_LIMITS_H
#define GB_PLAN_SEARCH_LIMITS_H

#include "plan/search/planner.h"

/* What the request leaves to choose. */
typedef struct gb_limits {
  size_t inter;     /* index in gb_inter_table, or SIZE_MAX for any */
  size_t intra;     /* index in gb_intra_table, for all sites; or SIZE_MAX for any */
  bool per_site;    /* pl->forced_intra names algorithms for some sites */
  uint64_t segment; /* bytes, or 0 for any */
  uint32_t lanes;   /* or 0 for any */
} gb_limits;

/* Searches the candidates: sets *spec to an array of *count specs, best first, to be given to free(). Each
 * pair of algorithms has its best segment. GBCAST_EUSAGE: no candidate keeps the limits; GBCAST_EINPUT: a
 * site is out of reach; GBCAST_EMEMORY. */
int gb_search(gb_planner *pl, const gb_limits *limits, gb_spec **spec, size_t *count, gbcast_error *err);

#endif
