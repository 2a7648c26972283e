/* The search for the candidate with the least predicted time.
 *
 *   1. the mix (each site's best LAN algorithm) with every tree over sites, uncut, then cut: the segment size
 * is found by walking downhill over powers of two from 16 KiB (one site: from formula (1)), all trees
 * together;
 *   2. the same with the first shape inside all hosts, with the tree that has been best so far;
 *   3. each single LAN algorithm for all sites, with that tree;
 *   4. `exact` at the segment size and with the LAN algorithms that were best; it takes the others' best tree
 * when the judge prefers that;
 *   5. the best of all with its tree changed (improve.c), and at segment sizes in smaller steps.
 *
 * A pair of algorithms keeps its best segment: that is one candidate. */
#include "plan/search.h"
#include "plan/local_choice.h"
#include "plan/segments.h"
#include "plan/trial.h"
#include <math.h>
#include <stdlib.h>

typedef struct gb_search_state {
  gb_planner *pl;
  const gb_limits *limits;
  size_t mix;             /* GB_MIX_SHAPES or GB_MIX_PLAIN */
  gb_trial *best;         /* (gb_intra_count + 1) * gb_inter_count; the last row is the mix */
  double lowest;          /* of the current call of price */
  gb_trial top;           /* over all */
  size_t exact;           /* its index */
  const gb_trial *follow; /* whose tree over sites is taken instead of all; NULL for none */
} gb_search_state;

static void keep(void *context, const gb_trial *trial) {
  gb_search_state *st = context;
  size_t row = trial->intra == GB_INTRA_MIXED ? gb_intra_count : trial->intra;
  gb_trial *slot = &st->best[row * gb_inter_count + trial->inter];
  if (trial->predicted < slot->predicted)
    *slot = *trial;
  if (trial->predicted < st->lowest)
    st->lowest = trial->predicted;
  if (trial->predicted < st->top.predicted)
    st->top = *trial;
}

/* All trees but exact, or the wanted one, or the one to follow; lowest gets the least price. */
static int price(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err) {
  st->lowest = INFINITY;
  if (st->follow)
    return gb_trial_price_like(st->pl, st->follow, segment, intra, st->mix, keep, st, err);
  size_t wanted = st->limits->inter;
  if (wanted != SIZE_MAX && wanted != st->exact)
    return gb_trial_price(st->pl, segment, intra, st->mix, wanted, wanted + 1, keep, st, err);
  if (st->pl->plan->site_count == 1)
    return gb_trial_price(st->pl, segment, intra, st->mix, 0, 1, keep, st, err);
  int status = gb_trial_price(st->pl, segment, intra, st->mix, 0, st->exact, keep, st, err);
  if (status == GBCAST_OK)
    status = gb_trial_price(st->pl, segment, intra, st->mix, st->exact + 1, gb_inter_count, keep, st, err);
  return status;
}

/* Downhill from a start, one step at a time, to where both neighbours are higher. */
static int descend(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t at,
                   gbcast_error *err) {
  double value[GB_MAX_SEGMENTS];
  for (size_t i = 0; i < GB_MAX_SEGMENTS; i++)
    value[i] = -1;
  for (;;) {
    size_t next = at;
    for (size_t i = at > 0 ? at - 1 : at; i <= at + 1 && i < count; i++) {
      if (value[i] < 0) {
        int status = price(st, list[i], intra, err);
        if (status != GBCAST_OK)
          return status;
        value[i] = st->lowest;
      }
      if (value[i] < value[next] || value[next] < 0)
        next = i;
    }
    if (next == at)
      return GBCAST_OK;
    at = next;
  }
}

/* Whether a choice of LAN algorithms may run cut, or whole. */
static bool allowed(const gb_planner *pl, size_t intra, bool cut) {
  if (pl->plan->operation == GBCAST_SCATTER)
    return true;
  for (uint32_t s = 0; s < pl->plan->site_count; s++) {
    size_t a = pl->forced_intra[s] != SIZE_MAX ? pl->forced_intra[s] : intra;
    if (a != GB_INTRA_MIXED && a != GB_INTRA_AUTO && cut && !gb_intra_table[a].segmented)
      return false;
  }
  return true;
}

static int try_intra(gb_search_state *st, size_t intra, const uint64_t *list, size_t count, size_t start,
                     gbcast_error *err) {
  if (st->limits->segment)
    return price(st, st->limits->segment, intra, err);
  int status = allowed(st->pl, intra, false) ? price(st, gb_segment_whole(st->pl), intra, err) : GBCAST_OK;
  if (status == GBCAST_OK && count > 0 && allowed(st->pl, intra, true))
    status = descend(st, intra, list, count, start, err);
  return status;
}

/* `exact` at the best segment so far; the judge's favourite among all trees there goes by its name too. */
static int try_exact(gb_search_state *st, gbcast_error *err) {
  gb_trial top = st->top;
  if (st->pl->plan->site_count == 1 || (st->limits->inter != SIZE_MAX && st->limits->inter != st->exact))
    return GBCAST_OK;
  if (top.predicted == INFINITY)
    return GBCAST_OK;
  size_t mix = top.mix - top.mix % GB_MIX_PAIR;
  int status = gb_trial_price(st->pl, top.segment, top.intra, mix, st->exact, st->exact + 1, keep, st, err);
  if (status != GBCAST_OK)
    return status;
  size_t row = top.intra == GB_INTRA_MIXED ? gb_intra_count : top.intra;
  gb_trial *slot = &st->best[row * gb_inter_count + st->exact];
  if (top.predicted < slot->predicted) {
    top.inter = st->exact;
    *slot = top;
  }
  return GBCAST_OK;
}

/* The tree to follow at segments that are times / by as large each time, none below `least`, while that
 * helps.
 */
static int creep(gb_search_state *st, uint64_t least, uint64_t by, uint64_t times, gbcast_error *err) {
  uint64_t total = st->pl->plan->class_bytes;
  int status = GBCAST_OK;
  for (uint64_t at = 0; status == GBCAST_OK && at != st->top.segment;) {
    at = st->top.segment;
    uint64_t size = gb_segment_even(st->pl, total, at / by * times < least ? least : at / by * times);
    if (size < total && size <= GB_MAX_SEGMENT)
      status = price(st, size, st->follow->intra, err);
  }
  return status;
}

/* Changes the tree of the best trial, where any will do, and goes on downhill from its segment in smaller
 * steps. */
static int improve(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  gb_trial own = st->top;
  bool changed, cut = count > 0 && own.segment < st->pl->plan->class_bytes && !st->limits->segment;
  if (st->pl->plan->operation != GBCAST_BCAST || own.predicted == INFINITY)
    return GBCAST_OK;
  bool may_change = st->limits->inter == SIZE_MAX || st->limits->inter == st->exact;
  int status = gb_trial_own(st->pl, &own, may_change, &changed, err);
  if (changed)
    own.inter = st->exact;
  if (status == GBCAST_OK && changed)
    keep(st, &own);
  st->follow = &own;
  if (status == GBCAST_OK && cut)
    status = creep(st, list[0], 4, 3, err);
  if (status == GBCAST_OK && cut && st->top.segment == own.segment)
    status = creep(st, list[0], 3, 4, err);
  st->follow = NULL;
  return status;
}

/* The best tree so far with less to choose from inside the sites: the first shape inside all hosts, and where
 * LAN algorithms are free each one for all sites. */
static int try_less(gb_search_state *st, size_t intra, bool free_choice, const uint64_t *list, size_t count,
                    gbcast_error *err) {
  gb_trial best = st->top;
  gb_flow flow = gb_trial_flow(st->pl, best.segment);
  int status = GBCAST_OK;
  if (best.predicted == INFINITY)
    return GBCAST_OK;
  st->follow = &best;
  size_t start = gb_segment_at(list, count, best.segment < flow.bytes ? best.segment : GB_START_SEGMENT);
  if (gb_plan_has_nodes(st->pl->plan)) {
    st->mix = GB_MIX_PLAIN;
    status = try_intra(st, intra, list, count, start, err);
    st->mix = GB_MIX_SHAPES;
  }
  for (size_t a = 0; status == GBCAST_OK && free_choice && a < gb_intra_count; a++) {
    bool cut = gb_intra_table[a].segmented;
    if (gb_local_fits(st->pl->plan, &flow, cut, &gb_intra_table[a]) && (!cut || count > 0))
      status = try_intra(st, a, list, count, start, err);
  }
  st->follow = NULL;
  return status;
}

static int explore(gb_search_state *st, gbcast_error *err) {
  uint64_t list[GB_MAX_SEGMENTS];
  size_t count;
  int status = gb_segments_list(st->pl, list, &count, err);
  if (status != GBCAST_OK)
    return status;
  bool free_choice = st->limits->intra == SIZE_MAX && !st->limits->per_site;
  size_t intra = st->limits->intra != SIZE_MAX ? st->limits->intra : GB_INTRA_MIXED;
  status = try_intra(st, intra, list, count, gb_segment_at(list, count, gb_segment_guess(st->pl)), err);
  if (status == GBCAST_OK)
    status = try_less(st, intra, free_choice, list, count, err);
  if (status == GBCAST_OK)
    status = try_exact(st, err);
  if (status == GBCAST_OK)
    status = improve(st, list, count, err);
  return status;
}

static int by_price(const void *a, const void *b) {
  const gb_trial *x = a, *y = b;
  if (x->predicted != y->predicted)
    return x->predicted < y->predicted ? -1 : 1;
  if (x->copies != y->copies) /* they would slow the root's streams to other sites: local_choice.c */
    return x->copies < y->copies ? -1 : 1;
  if (x->inter != y->inter)
    return x->inter < y->inter ? -1 : 1;
  return x->intra < y->intra ? -1 : x->intra > y->intra;
}

int gb_search(gb_planner *pl, const gb_limits *limits, gb_trial **trial, size_t *count, gbcast_error *err) {
  size_t slots = (gb_intra_count + 1) * gb_inter_count;
  gb_search_state st = {.pl = pl,
                        .limits = limits,
                        .best = malloc((slots + 1) * sizeof *st.best),
                        .top = {.predicted = INFINITY},
                        .exact = gb_inter_find("exact")};
  if (!st.best)
    return gb_no_memory(err);
  for (size_t i = 0; i < slots; i++)
    st.best[i] = (gb_trial){.predicted = INFINITY};
  int status = explore(&st, err);
  *count = 0;
  for (size_t i = 0; i < slots; i++)
    if (st.best[i].predicted < INFINITY &&
        (limits->inter == SIZE_MAX || pl->plan->site_count == 1 || st.best[i].inter == limits->inter))
      st.best[(*count)++] = st.best[i];
  if (status == GBCAST_OK && *count == 0)
    status = limits->segment ? GBCAST_EUSAGE : GBCAST_EINPUT; /* gb_trial_price has said why */
  qsort(st.best, *count, sizeof *st.best, by_price);
  if (status != GBCAST_OK) {
    free(st.best);
    return status;
  }
  *trial = st.best;
  return status;
}
