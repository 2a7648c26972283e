/* What the steps of the search share. */
#ifndef GB_PLAN_SEARCH_STEPS_H
#define GB_PLAN_SEARCH_STEPS_H

#include "plan/search/limits.h"
#include "plan/search/spec.h"

typedef struct gb_search_state {
  gb_planner *pl;
  const gb_limits *limits;
  size_t options; /* index of the first host options: GB_HOST_OPTIONS_ALL, GB_HOST_OPTIONS_PLAIN, or those of
                     a spec that is followed */
  size_t options_count;                     /* how many options, if trees are followed */
  uint32_t lanes;                           /* of the specs that are priced next */
  gb_spec *best;                            /* gb_search_slots: the best specs in one lane, then in several */
  double lowest;                            /* s: the least time in the present call of gb_search_price */
  gb_spec top;                              /* the best spec of all */
  size_t exact, packing, disjoint, in_turn; /* indices; all from packing on make several trees */
  const gb_spec *follow; /* the spec whose trees over sites are priced instead of all; NULL for none */
} gb_search_state;

/* How many specs are kept: for each pair of algorithms one in one lane and one in several. */
static inline size_t gb_search_slots(void) {
  return 2 * (gb_intra_count + 1) * gb_inter_count;
}

/* The best spec so far with these algorithms, in one lane or in several; its price is INFINITY if there is
 * none. */
gb_spec *gb_search_slot(gb_search_state *st, size_t intra, size_t inter, bool lanes);

/* Keeps a spec if it is better; a gb_spec_visit. */
void gb_search_keep(void *context, const gb_spec *spec);

/* Prices all trees over sites except `exact` and those after it, or those of the algorithm that the request
 * names, or those to follow. Sets st->lowest to the least time. Statuses of gb_specs_price. */
int gb_search_price(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err);

/* The same with both pairs of host options, that is, with all rank algorithms and with the first one only. */
int gb_search_price_rank_trees(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err);

/* Goes downhill in a list of segment sizes from index `at`, one step at a time, until both neighbours are
 * higher. */
int gb_search_descend(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t at,
                      gbcast_error *err);

/* Whether a choice of LAN algorithms allows segments (cut), or a whole message. */
bool gb_search_allows(const gb_search_state *st, size_t intra, bool cut);

/* In larger plans, several trees are only tried if the request names them, to save time: */
#define GB_PACKED_SITES 64u    /* sites: other trees */
#define GB_SPREAD_SITES 256u   /* sites: disjoint trees, and those of a scatter */
#define GB_SPREAD_RANKS 16384u /* ranks: disjoint trees */

/* Whether disjoint trees are tried. With fewer sites, packing has a tree for each site to pass on; with more
 * ranks they take seconds. */
static inline bool gb_search_spreads(const gbcast_plan *plan) {
  return plan->site_count > GB_SITE_TREES_MOST + 1 && plan->site_count <= GB_SPREAD_SITES &&
         plan->schedule.endpoint_count <= GB_SPREAD_RANKS;
}

/* The first of the pair of host options of a spec. */
static inline size_t gb_search_pair(const gb_spec *spec) {
  return spec->options - spec->options % GB_HOST_OPTIONS_PAIR;
}

/* From now on, followed trees use the pair of host options of this spec; in large plans only its own. */
static inline void gb_search_stay(gb_search_state *st, const gb_spec *spec) {
  const bool large = st->pl->plan->schedule.endpoint_count >= GB_LARGE;
  st->options = large ? spec->options : gb_search_pair(spec);
  st->options_count = large ? 1 : GB_HOST_OPTIONS_PAIR;
}

/* Ends following; all host options again. */
static inline void gb_search_leave(gb_search_state *st) {
  st->follow = NULL;
  st->options = GB_HOST_OPTIONS_ALL;
  st->options_count = GB_HOST_OPTIONS_PAIR;
}

#endif
