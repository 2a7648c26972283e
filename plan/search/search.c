/* The search for the candidate with the least predicted time.
 *
 *   1. mixed LAN algorithms (the best for each site) with every tree over sites, whole, then in segments: the
 *      segment size goes downhill over powers of two from 16 KiB (one site: from formula (1)), with all trees
 *      at each size;
 *   2. the same with the first rank algorithm inside all hosts, with the tree that has been the best so far;
 *   3. each single LAN algorithm for all sites, with that tree;
 *   4. `exact` at the segment size and with the LAN algorithms that were the best; it takes the best tree of
 *      the others if that is faster;
 *   5. the best of all with its tree changed (local_search.c);
 *   6. several trees over the sites, at once or in stages (packing.c);
 *   7. several lanes (lanes.c);
 *   8. the best of all, if it is in one lane, at segment sizes in smaller steps.
 *
 * Most scatters go without leaders (direct.c), and then only those candidates are tried.
 *
 * A candidate is a pair of algorithms with its best segment size. */
#include "plan/search/direct.h"
#include "plan/search/host_choice.h"
#include "plan/search/lanes.h"
#include "plan/search/limits.h"
#include "plan/search/packing.h"
#include "plan/search/segments.h"
#include "plan/search/steps.h"
#include <math.h>
#include <stdlib.h>

static int try_intra(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t start,
                     gbcast_error *err) {
  if (st->limits->segment)
    return gb_search_price(st, st->limits->segment, intra, err);
  int status = gb_search_allows(st, intra, false) ? gb_search_price(st, gb_segment_whole(st->pl), intra, err)
                                                  : GBCAST_OK;
  if (status == GBCAST_OK && count > 0 && gb_search_allows(st, intra, true))
    status = gb_search_descend(st, intra, list, count, start, err);
  return status;
}

/* Prices `exact` at the best segment so far. The fastest tree of all others at that size counts as its tree,
 * too. */
static int try_exact(gb_search_state *st, gbcast_error *err) {
  gb_spec top = st->top;
  if (st->pl->plan->site_count == 1 || (st->limits->inter != SIZE_MAX && st->limits->inter != st->exact))
    return GBCAST_OK;
  if (top.predicted == INFINITY)
    return GBCAST_OK;
  int status = gb_specs_price(st->pl, top.segment, top.lanes, top.intra, gb_search_pair(&top), st->exact,
                              st->exact + 1, gb_search_keep, st, err);
  if (status != GBCAST_OK)
    return status;
  gb_spec *slot = gb_search_slot(st, top.intra, st->exact, top.lanes > 1);
  if (top.predicted < slot->predicted) {
    top.inter = st->exact;
    *slot = top;
  }
  return GBCAST_OK;
}

/* Takes over the tree of the best spec, and changes it if the request allows any tree. Several trees or lanes
 * stay as they are. */
static int change_tree(gb_search_state *st, gbcast_error *err) {
  gb_spec own = st->top;
  bool changed;
  if (st->pl->plan->operation != GBCAST_BCAST || own.predicted == INFINITY || own.site_trees > 1 ||
      own.lanes > 1)
    return GBCAST_OK;
  bool may_change = st->limits->inter == SIZE_MAX || st->limits->inter == st->exact;
  int status = gb_spec_own(st->pl, &own, may_change, &changed, err);
  if (status != GBCAST_OK)
    return status;
  if (changed) {
    own.inter = st->exact;
    gb_search_keep(st, &own);
  }
  st->top = own;
  return GBCAST_OK;
}

/* Prices the trees of st->follow at segments that change by the factor times / by each time, none below
 * `least`, as long as that helps. */
static int creep(gb_search_state *st, uint64_t least, uint64_t by, uint64_t times, gbcast_error *err) {
  uint64_t total = st->pl->plan->class_bytes;
  int status = GBCAST_OK;
  for (uint64_t at = 0; status == GBCAST_OK && at != st->top.segment;) {
    at = st->top.segment;
    uint64_t size = gb_segment_even(st->pl, total, at / by * times < least ? least : at / by * times);
    if (size < total && size <= GB_SEGMENT_BYTES_MOST)
      status = gb_search_price(st, size, st->follow->intra, err);
  }
  return status;
}

/* Goes downhill from the best of all over segments in smaller steps; not with several lanes, to save time. */
static int refine(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  gb_spec best = st->top;
  bool cut = count > 0 && best.segment < st->pl->plan->class_bytes && !st->limits->segment;
  if (st->pl->plan->operation != GBCAST_BCAST || best.predicted == INFINITY || !cut || best.lanes > 1)
    return GBCAST_OK;
  st->follow = &best;
  gb_search_stay(st, &best);
  int status = creep(st, list[0], 4, 3, err);
  if (status == GBCAST_OK && st->top.segment == best.segment)
    status = creep(st, list[0], 3, 4, err);
  gb_search_leave(st);
  return status;
}

/* Prices the best tree so far with restricted choices inside the sites: the first rank algorithm inside all
 * hosts, and each LAN algorithm for all sites if the request does not name one. */
static int try_less(gb_search_state *st, size_t intra, bool free_choice, const uint64_t *list, size_t count,
                    gbcast_error *err) {
  gb_spec best = st->top;
  gb_flow flow = gb_spec_flow(st->pl, best.segment, best.lanes);
  int status = GBCAST_OK;
  if (best.predicted == INFINITY)
    return GBCAST_OK;
  st->follow = &best;
  size_t start = gb_segment_at(list, count, best.segment < flow.bytes ? best.segment : GB_START_SEGMENT);
  if (gb_plan_has_nodes(st->pl->plan)) {
    st->options = GB_HOST_OPTIONS_PLAIN;
    status = try_intra(st, intra, list, count, start, err);
    st->options = GB_HOST_OPTIONS_ALL;
  }
  for (size_t a = 0; status == GBCAST_OK && free_choice && a < gb_intra_count; a++) {
    bool cut = gb_intra_table[a].segmented && count > 0;
    if (gb_host_choice_fits(st->pl, NULL, &flow, cut, &gb_intra_table[a]))
      status = try_intra(st, a, list, count, start, err);
  }
  st->follow = NULL;
  return status;
}

static int try_leaders(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  bool free_choice = st->limits->intra == SIZE_MAX && !st->limits->per_site;
  size_t intra = st->limits->intra != SIZE_MAX ? st->limits->intra : GB_INTRA_MIXED;
  int status = try_intra(st, intra, list, count, gb_segment_at(list, count, gb_segment_guess(st->pl)), err);
  if (status == GBCAST_OK)
    status = try_less(st, intra, free_choice, list, count, err);
  if (status == GBCAST_OK)
    status = try_exact(st, err);
  if (status == GBCAST_OK)
    status = change_tree(st, err);
  if (status == GBCAST_OK)
    status = gb_search_packing(st, list, count, err);
  if (status == GBCAST_OK && free_choice && !st->pl->over_leaders)
    status = gb_search_direct(st, list, count, err);
  if (status == GBCAST_OK)
    status = gb_search_lanes(st, list, count, err);
  if (status == GBCAST_OK)
    status = refine(st, list, count, err);
  return status;
}

static int explore(gb_search_state *st, gbcast_error *err) {
  uint64_t list[GB_SEGMENT_SIZES_MOST];
  size_t count;
  int status = gb_segments_list(st->pl, list, &count, err);
  if (status != GBCAST_OK)
    return status;
  if (!gb_search_is_direct(st))
    return try_leaders(st, list, count, err);
  status = gb_search_direct(st, list, count, err);
  if (status == GBCAST_OK)
    status = gb_search_wants_leaders(st, &st->pl->over_leaders, err);
  if (status != GBCAST_OK || !st->pl->over_leaders)
    return status;
  const gb_spec straight = st->top;
  status = try_leaders(st, list, count, err);
  gb_search_weigh_leaders(st, &straight);
  return status;
}

static int by_price(const void *a, const void *b) {
  const gb_spec *x = a, *y = b;
  if (x->predicted != y->predicted)
    return x->predicted < y->predicted ? -1 : 1;
  if (x->copies != y->copies) /* copies would slow the root's streams to other sites (host_choice.c) */
    return x->copies < y->copies ? -1 : 1;
  if (x->inter != y->inter)
    return x->inter < y->inter ? -1 : 1;
  if (x->intra != y->intra)
    return x->intra < y->intra ? -1 : 1;
  return x->lanes < y->lanes ? -1 : x->lanes > y->lanes;
}

int gb_search(gb_planner *pl, const gb_limits *limits, gb_spec **spec, size_t *count, gbcast_error *err) {
  size_t slots = gb_search_slots();
  gb_search_state st = {.pl = pl,
                        .limits = limits,
                        .options_count = GB_HOST_OPTIONS_PAIR,
                        .lanes = limits->lanes > 1 ? limits->lanes : 1,
                        .best = malloc((slots + 1) * sizeof *st.best),
                        .top = {.predicted = INFINITY, .lanes = 1},
                        .exact = gb_inter_find("exact"),
                        .packing = gb_inter_find("packing"),
                        .disjoint = gb_inter_find("disjoint"),
                        .in_turn = gb_inter_find("in-turn")};
  if (!st.best)
    return gb_no_memory(err);
  for (size_t i = 0; i < slots; i++)
    st.best[i] = (gb_spec){.predicted = INFINITY};
  int status = explore(&st, err);
  *count = 0;
  for (size_t i = 0; i < slots; i++)
    if (st.best[i].predicted < INFINITY &&
        (limits->inter == SIZE_MAX || pl->plan->site_count == 1 || st.best[i].inter == limits->inter))
      st.best[(*count)++] = st.best[i];
  if (status == GBCAST_OK && *count == 0)
    status = limits->segment || limits->lanes > 1 ? GBCAST_EUSAGE
                                                  : GBCAST_EINPUT; /* gb_specs_price has filled *err */
  qsort(st.best, *count, sizeof *st.best, by_price);
  if (status != GBCAST_OK) {
    free(st.best);
    return status;
  }
  *spec = st.best;
  return status;
}
