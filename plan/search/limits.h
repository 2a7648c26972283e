#ifndef GB_PLAN_SEARCH_LIMITS_H
#define GB_PLAN_SEARCH_LIMITS_H

#include "plan/build/build.h"

/* What the request leaves to choose. */
typedef struct gb_limits {
  size_t inter;     /* index in gb_inter_table, or SIZE_MAX for any */
  size_t intra;     /* index in gb_intra_table, for all sites; or SIZE_MAX for any */
  bool per_site;    /* pl->forced_intra names algorithms for some sites */
  uint64_t segment; /* bytes, or 0 for any */
  uint32_t lanes;   /* or 0 for any */
  double within;    /* as in gbcast_request */
} gb_limits;

/* What is made least: seconds, or USD. */
double gb_value_of(const gb_limits *limits, double seconds, double usd);

/* A spec and its score. */
typedef struct gb_scored {
  gb_spec spec;
  gb_score score;
  double value; /* of gb_value_of */
} gb_scored;

/* Order for ties: below 0 if x is simpler. Simplicity stands for costs that the time does not show: more
 * trees need more streams; before a long message MPI asks the receiver; leaders of a scatter share their
 * links with what they pass on; copies inside the root's site slow its streams to other sites. */
int gb_scored_simpler(const gb_scored *x, const gb_scored *y);

/* For qsort() of gb_scored: the best first. */
int gb_scored_order(const void *x, const void *y);

/* Searches the candidates: sets *item to an array of *count specs with their scores, best first, with room
 * for one more, to be given to free(). GBCAST_EUSAGE: no candidate keeps the limits; GBCAST_EINPUT: a site is
 * out of reach; GBCAST_EMEMORY. */
int gb_search(gb_planner *pl, const gb_limits *limits, gb_scored **item, size_t *count, gbcast_error *err);

#endif
