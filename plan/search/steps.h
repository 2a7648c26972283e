/* What the parts of the search share. */
#ifndef GB_PLAN_SEARCH_STEPS_H
#define GB_PLAN_SEARCH_STEPS_H

#include "plan/search/limits.h"
#include "plan/search/spec.h"

typedef struct gb_search_state {
  gb_planner *pl;
  const gb_limits *limits;
  size_t options; /* GB_HOST_OPTIONS_ALL or GB_HOST_OPTIONS_PLAIN, or the one of a trial that is followed
                     alone */
  size_t options_count;                     /* from there on, when trees are followed */
  uint32_t lanes;                           /* of what is priced next */
  gb_spec *best;                            /* gb_search_slots: one lane, then several */
  double lowest;                            /* of the current call of gb_search_price */
  gb_spec top;                              /* over all */
  size_t exact, packing, disjoint, in_turn; /* their indices; all from packing on make several trees */
  const gb_spec *follow; /* whose trees over sites are taken instead of all; NULL for none */
} gb_search_state;

/* A pair of algorithms has a place for one lane and one for several. */
static inline size_t gb_search_slots(void) {
  return 2 * (gb_intra_count + 1) * gb_inter_count;
}

/* The best trial so far with these algorithms, in one lane or in several; its price is INFINITY when there is
 * none. */
gb_spec *gb_search_slot(gb_search_state *st, size_t intra, size_t inter, bool lanes);

/* Remembers a trial where it is better; a gb_spec_visit. */
void gb_search_keep(void *context, const gb_spec *spec);

/* All trees but exact and packing, or the wanted one, or those to follow; st->lowest gets the least price. */
int gb_search_price(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err);

/* The same for both pairs of mixes: the shapes inside the hosts. */
int gb_search_price_rank_trees(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err);

/* Downhill from place `at` in a list of segment sizes, one step at a time, to where both neighbours are
 * higher. */
int gb_search_descend(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t at,
                      gbcast_error *err);

/* Whether a choice of LAN algorithms may run cut, or whole. */
bool gb_search_allows(const gb_search_state *st, size_t intra, bool cut);

/* Of more sites or ranks several trees are not tried unless asked for, for time: */
#define GB_PACKED_SITES 64u
#define GB_SPREAD_SITES 256u   /* disjoint ones, and a scatter's */
#define GB_SPREAD_RANKS 16384u /* disjoint ones */

/* Whether disjoint trees are tried: of fewer sites packing has a tree for each to pass on, and of more ranks
 * they take seconds. */
static inline bool gb_search_spreads(const gbcast_plan *plan) {
  return plan->site_count > GB_SITE_TREES_MOST + 1 && plan->site_count <= GB_SPREAD_SITES &&
         plan->endpoint_count <= GB_SPREAD_RANKS;
}

/* The first of a trial's pair of mixes. */
static inline size_t gb_search_pair(const gb_spec *spec) {
  return spec->options - spec->options % GB_HOST_OPTIONS_PAIR;
}

/* From now on what is followed keeps the mixes of this trial, or in larger plans its one. */
static inline void gb_search_stay(gb_search_state *st, const gb_spec *spec) {
  const bool large = st->pl->plan->endpoint_count >= GB_LARGE;
  st->options = large ? spec->options : gb_search_pair(spec);
  st->options_count = large ? 1 : GB_HOST_OPTIONS_PAIR;
}

/* All shapes again. */
static inline void gb_search_leave(gb_search_state *st) {
  st->follow = NULL;
  st->options = GB_HOST_OPTIONS_ALL;
  st->options_count = GB_HOST_OPTIONS_PAIR;
}

#endif
