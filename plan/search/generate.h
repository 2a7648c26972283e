#ifndef GB_PLAN_SEARCH_GENERATE_H
#define GB_PLAN_SEARCH_GENERATE_H

#include "plan/search/limits.h"

/* Trees that cost so much more than the cheapest ones, as a part, are as cheap. */
#define GB_SPENDING_LEAST (1.0 / 1024)

/* What may be chosen: the request's limits, and those of the plan. */
typedef struct gb_choices {
  const gb_planner *pl;
  const gb_limits *limits;
  uint64_t least, whole; /* bytes: the least segment, and the one that leaves the message whole */
  uint32_t most_lanes;
  bool one_switch; /* inside every site */
} gb_choices;

/* GBCAST_EMEMORY. */
int gb_choices_find(const gb_planner *pl, const gb_limits *limits, gb_choices *choices, gbcast_error *err);

/* Whether an algorithm may be tried inside the sites, for a message that is cut or whole. */
bool gb_choices_allow_inside(const gb_choices *choices, size_t intra, bool cut);

/* Whether leaders may exchange in place of a flat tree over sites, or blocks go round rings in place of
 * chains. */
bool gb_choices_allow_exchange(const gb_choices *choices, const gb_spec *spec);

static inline bool gb_spec_is_cut(const gb_choices *choices, const gb_spec *spec) {
  return spec->segment < choices->whole;
}

/* Sets *spec to an array of *count specs, to be given to free(), from which the search starts: every
 * algorithm between sites, in one lane and in several, with segments and in one piece. GBCAST_EMEMORY. */
int gb_specs_generate(const gb_choices *choices, gb_spec **spec, size_t *count, gbcast_error *err);

/* Sets *other to neighbour `k` of a spec, which differs from it in one choice; false: there is no such one,
 * or k is not below gb_spec_neighbours(). fine: the segment size changes by less. */
bool gb_spec_neighbour(const gb_choices *choices, const gb_spec *spec, size_t k, bool fine, gb_spec *other);
size_t gb_spec_neighbours(void);

#endif
