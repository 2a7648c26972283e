/* Several trees over the sites: at the best segment so far with the mix, then with the best single LAN
 * algorithms, fewer of them in larger plans, for time. If the best of these is not far behind the best of
 * all, downhill from there: the segments that are best for one tree need not be for several. */
#include "plan/search_packing.h"
#include "plan/segments.h"
#include <math.h>

#define MOST_RANKS 1024u /* over all LAN algorithms that are tried with it */
#define NOT_FAR 1.02     /* times the best of all */

/* The LAN algorithm for all sites that was best so far of those not tried yet; SIZE_MAX when there is none.
 */
static size_t next_single(gb_search_state *st, uint64_t tried) {
  size_t best = SIZE_MAX;
  double least = INFINITY;
  const gb_trial *row = gb_search_slot(st, 0, 0, st->lanes > 1);
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
  const uint64_t ranks = st->pl->plan->endpoint_count;
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

static const gb_trial *best_packed(gb_search_state *st) {
  const gb_trial *best = gb_search_slot(st, 0, st->packing, st->lanes > 1);
  for (size_t a = 1; a <= gb_intra_count; a++) {
    const size_t intra = a < gb_intra_count ? a : GB_INTRA_MIXED;
    const gb_trial *slot = gb_search_slot(st, intra, st->packing, st->lanes > 1);
    if (slot->predicted < best->predicted)
      best = slot;
  }
  return best;
}

/* The pair of mixes is chosen with the first of them. */
static int try_all(gb_search_state *st, uint64_t segment, const uint64_t *list, size_t count,
                   gbcast_error *err) {
  const bool any = st->limits->intra == SIZE_MAX && !st->limits->per_site;
  const size_t intra = any ? GB_INTRA_MIXED : st->top.intra;
  const gb_trial *slot = gb_search_slot(st, intra, st->packing, st->lanes > 1);
  if (!gb_search_allows(st, intra, true))
    return GBCAST_OK;
  int status = gb_search_price_shapes(st, segment, intra, err);
  if (status != GBCAST_OK || slot->predicted == INFINITY || slot->site_trees == 1)
    return status; /* one tree will do, and single trees have been tried */
  st->mix = gb_search_pair(slot);
  if (any)
    status = try_singles(st, segment, err);
  const gb_trial best = *best_packed(st);
  gb_search_stay(st, &best);
  if (status == GBCAST_OK && !st->limits->segment && best.predicted <= NOT_FAR * st->top.predicted)
    status = gb_search_descend(st, best.intra, list, count, gb_segment_at(list, count, segment), err);
  return status;
}

int gb_search_packing(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gbcast_plan *plan = st->pl->plan;
  const gb_trial packed = {.inter = st->packing, .tree_inter = st->packing};
  uint64_t segment = st->limits->segment;
  if (st->limits->inter != SIZE_MAX || plan->operation != GBCAST_BCAST || plan->site_count < 3 ||
      plan->site_count > GB_PACKED_SITES || (segment == 0 && count == 0) || st->top.predicted == INFINITY)
    return GBCAST_OK;
  if (segment == 0)
    segment = list[gb_segment_at(list, count,
                                 st->top.segment < plan->class_bytes ? st->top.segment : GB_START_SEGMENT)];
  st->follow = &packed;
  int status = try_all(st, segment, list, count, err);
  gb_search_leave(st);
  return status;
}
