/* Tries several trees over the sites, at once or in stages: at the best segment so far with mixed LAN
 * algorithms, then with the best single LAN algorithms, fewer in larger plans, to save time. If the best of
 * these is close to the best of all, it goes downhill over segments from there: the segments that are best
 * for one tree need not be the best for several. */
#include "plan/search/packing.h"
#include "plan/search/segments.h"
#include <math.h>

#define MOST_RANKS 1024u     /* ranks times LAN algorithms that are tried */
#define NOT_FAR 1.02         /* times the best of all: close */
#define ENOUGH 32u           /* segments: enough to share out among trees */
#define STAGES_WORTH_IT 0.99 /* of the time without: trees in stages must take at most this */
#define WORTH_IT 0.95        /* the same for disjoint trees */

/* The LAN algorithm for all sites that was best so far, of those not tried yet; SIZE_MAX if there is none. */
static size_t next_single(gb_search_state *st, uint64_t tried) {
  size_t best = SIZE_MAX;
  double least = INFINITY;
  const gb_spec *row = gb_search_slot(st, 0, 0, st->lanes > 1);
  for (size_t i = 0; i < gb_intra_count * gb_inter_count; i++) {
    size_t intra = i / gb_inter_count;
    if (!(tried >> intra & 1) && gb_intra_table[intra].segmented && row[i].predicted < least) {
      best = intra;
      least = row[i].predicted;
    }
  }
  return best;
}

static int try_singles(gb_search_state *st, uint64_t segment, gbcast_error *err) {
  const uint64_t ranks = st->pl->plan->schedule.endpoint_count;
  uint64_t tried = 0;
  int status = GBCAST_OK;
  for (uint64_t i = 0; status == GBCAST_OK && i * ranks < MOST_RANKS; i++) {
    const size_t intra = next_single(st, tried);
    if (intra == SIZE_MAX)
      break;
    tried |= (uint64_t)1 << intra;
    status = gb_search_price(st, segment, intra, err);
  }
  return status;
}

static const gb_spec *best_of(gb_search_state *st, size_t inter) {
  const gb_spec *best = gb_search_slot(st, 0, inter, st->lanes > 1);
  for (size_t a = 1; a <= gb_intra_count; a++) {
    const size_t intra = a < gb_intra_count ? a : GB_INTRA_MIXED;
    const gb_spec *slot = gb_search_slot(st, intra, inter, st->lanes > 1);
    if (slot->predicted < best->predicted)
      best = slot;
  }
  return best;
}

/* Trees in stages are simulated from the first segment to the last: whether that is quick enough with the
 * largest segments that are tried. */
static bool can_be_simulated(const gb_search_state *st) {
  const gb_flow flow = gb_spec_flow(st->pl, GB_START_SEGMENT, st->lanes);
  return flow.bytes <= flow.segment * flow.simulated;
}

/* Drops trees that gain little. What of one stage is still in flight when the next one begins costs time that
 * the simulation does not price; and one tree may still gain a few percent with other segments. */
static void weigh(gb_search_state *st, size_t inter, const gb_spec *before) {
  const double worth = inter == st->in_turn ? STAGES_WORTH_IT : WORTH_IT;
  if (st->top.tree_inter != inter || st->top.predicted <= worth * before->predicted)
    return;
  for (size_t a = 0; a <= gb_intra_count; a++)
    gb_search_slot(st, a < gb_intra_count ? a : GB_INTRA_MIXED, inter, st->lanes > 1)->predicted = INFINITY;
  st->top = *before;
}

/* Segments from which to go downhill, in descending order: the best so far; the one with which single trees
 * start, as trees share links segment by segment; and one of which there are enough to share out. */
typedef struct gb_starts {
  size_t count;
  struct gb_start {
    uint64_t segment;
    double price;
  } at[3];
} gb_starts;

static void add_start(gb_starts *starts, const uint64_t *list, size_t count, uint64_t segment) {
  const uint64_t near = list[gb_segment_at(list, count, segment)];
  if (starts->count == 0 || near < starts->at[starts->count - 1].segment)
    starts->at[starts->count++] = (struct gb_start){near, INFINITY};
}

static gb_starts find_starts(const gb_search_state *st, const uint64_t *list, size_t count) {
  const uint64_t total = st->pl->plan->class_bytes;
  gb_starts starts = {0};
  if (st->limits->segment)
    return (gb_starts){1, {{st->limits->segment, INFINITY}}};
  add_start(&starts, list, count, st->top.segment < total ? st->top.segment : GB_START_SEGMENT);
  add_start(&starts, list, count, GB_START_SEGMENT);
  add_start(&starts, list, count, total / ENOUGH);
  return starts;
}

/* Prices one algorithm's trees from all starts. The host options are chosen with the first one. */
static int try_all(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const bool any = st->limits->intra == SIZE_MAX && !st->limits->per_site;
  const size_t intra = any ? GB_INTRA_MIXED : st->top.intra;
  const gb_spec *slot = gb_search_slot(st, intra, st->follow->tree_inter, st->lanes > 1);
  gb_starts starts = find_starts(st, list, count);
  int status = GBCAST_OK;
  if (!gb_search_allows(st, intra, true))
    return GBCAST_OK;
  for (size_t i = 0; status == GBCAST_OK && i < starts.count; i++) {
    status = gb_search_price_rank_trees(st, starts.at[i].segment, intra, err);
    starts.at[i].price = st->lowest;
  }
  if (status != GBCAST_OK || slot->predicted == INFINITY || slot->site_trees == 1)
    return status; /* a single tree is best, and those have been tried */
  st->options = gb_search_pair(slot);
  if (any && st->follow->tree_inter != st->in_turn)
    status = try_singles(st, slot->segment, err);
  const gb_spec best = *best_of(st, st->follow->tree_inter);
  gb_search_stay(st, &best);
  const double near = NOT_FAR * st->top.predicted;
  for (size_t i = 0; status == GBCAST_OK && !st->limits->segment && i < starts.count; i++)
    if (best.predicted <= near && (i == 0 || starts.at[i].price <= NOT_FAR * slot->predicted))
      status = gb_search_descend(st, best.intra, list, count,
                                 gb_segment_at(list, count, starts.at[i].segment), err);
  return status;
}

static bool is_tried(const gb_search_state *st, size_t inter) {
  const gbcast_plan *plan = st->pl->plan;
  if (inter == st->disjoint)
    return gb_search_spreads(plan);
  return plan->site_count <= GB_PACKED_SITES && (inter != st->in_turn || can_be_simulated(st));
}

int gb_search_packing(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gbcast_plan *plan = st->pl->plan;
  if (st->limits->inter != SIZE_MAX || plan->operation != GBCAST_BCAST || plan->site_count < 3 ||
      (st->limits->segment == 0 && count == 0) || st->top.predicted == INFINITY)
    return GBCAST_OK;
  int status = GBCAST_OK;
  for (size_t inter = st->packing; status == GBCAST_OK && inter < gb_inter_count; inter++) {
    const gb_spec several = {.inter = inter, .tree_inter = inter}, before = st->top;
    if (!is_tried(st, inter))
      continue;
    st->follow = &several;
    status = try_all(st, list, count, err);
    gb_search_leave(st);
    if (inter != st->packing)
      weigh(st, inter, &before);
  }
  return status;
}
