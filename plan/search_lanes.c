/* Several lanes, where one leaves much to be gained. Two-tree, which sends least twice, tells how many: 4
 * with all trees over sites, then doubled, or halved, with the best of them while that helps; each time also
 * with several trees over the sites. With that many each other LAN algorithm that makes few copies; then
 * downhill over segments from the best. All are forgotten unless they gain something: more trees have costs
 * that the judge does not see, such as a first use's words to and from every leader. */
#include "plan/search_lanes.h"
#include "plan/bound.h"
#include "plan/segments.h"
#include <math.h>

#define FIRST_LANES 4u
#define MOST_LANES 16u       /* of its own accord */
#define MOST_ENDS (1u << 16) /* ranks in all trees; more take too long */
#define NEAR_BOUND 1.1       /* nobody looks for the rest */
#define HELPS 0.98           /* of the time so far */
#define WORTH_IT 0.95        /* of the time in one lane */

static uint32_t most_lanes(const gbcast_plan *plan, size_t intra) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < plan->site_count; s++)
    most = plan->site[s].hosts > most ? plan->site[s].hosts : most;
  const uint32_t ends = MOST_ENDS / plan->endpoint_count / gb_intra_trees(intra);
  most = most < ends ? most : ends;
  return most < MOST_LANES ? most : MOST_LANES;
}

static gb_trial *best_in_lanes(const gb_search_state *st) {
  const size_t half = gb_search_slots() / 2;
  gb_trial *best = &st->best[half];
  for (size_t i = half; i < 2 * half; i++)
    if (st->best[i].predicted < best->predicted)
      best = &st->best[i];
  return best;
}

/* Seconds with so many lanes; INFINITY when there are no such plans. */
static int price(gb_search_state *st, uint32_t lanes, uint64_t segment, size_t intra, double *time,
                 gbcast_error *err) {
  const gb_trial like = *best_in_lanes(st);
  const gb_trial packed = {.inter = st->packing, .tree_inter = st->packing};
  const uint32_t sites = st->pl->plan->site_count;
  st->lanes = lanes;
  st->follow = like.predicted < INFINITY && like.inter != st->packing ? &like : NULL;
  int status = gb_search_price(st, segment, intra, err);
  *time = st->lowest;
  st->follow = &packed;
  if (status == GBCAST_OK && sites > 2 && sites <= GB_PACKED_SITES)
    status = gb_search_price(st, segment, intra, err);
  *time = st->lowest < *time ? st->lowest : *time;
  st->follow = NULL;
  return status;
}

static int find_number(gb_search_state *st, uint64_t segment, size_t intra, gbcast_error *err) {
  const uint32_t most = most_lanes(st->pl->plan, intra);
  uint32_t lanes = most < FIRST_LANES ? most : FIRST_LANES;
  double best = INFINITY, time;
  bool up = true;
  int status = price(st, lanes, segment, intra, &best, err);
  while (status == GBCAST_OK) {
    const uint32_t next = up ? 2 * lanes : lanes / 2;
    time = INFINITY;
    if (next >= 2 && next <= most)
      status = price(st, next, segment, intra, &time, err);
    if (time < HELPS * best) {
      best = time;
      lanes = next;
    } else if (up && lanes <= FIRST_LANES)
      up = false;
    else
      break;
  }
  st->lanes = lanes;
  return status;
}

/* What else may be done with so many lanes. */
static int vary(gb_search_state *st, uint64_t segment, size_t first, gbcast_error *err) {
  const gb_trial like = *best_in_lanes(st);
  int status = GBCAST_OK;
  if (like.predicted == INFINITY)
    return GBCAST_OK;
  st->follow = &like;
  for (size_t a = 0; status == GBCAST_OK && a < gb_intra_count; a++)
    if (gb_intra_table[a].automatic && gb_intra_table[a].few_copies && a != first)
      status = gb_search_price(st, segment, a, err);
  st->follow = NULL;
  return status;
}

static int descend(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gb_trial best = *best_in_lanes(st);
  if (st->limits->segment || best.predicted == INFINITY)
    return GBCAST_OK;
  st->follow = &best;
  st->lanes = best.lanes;
  int status = gb_search_descend(st, best.intra, list, count, gb_segment_at(list, count, best.segment), err);
  st->follow = NULL;
  return status;
}

static bool may_try(const gb_search_state *st, size_t count, size_t intra) {
  const gb_limits *limits = st->limits;
  const gbcast_plan *plan = st->pl->plan;
  const bool forced = limits->lanes || limits->inter != SIZE_MAX || limits->intra != SIZE_MAX;
  return !forced && !limits->per_site && plan->operation == GBCAST_BCAST && plan->site_count > 1 &&
         (limits->segment || count > 0) && st->top.predicted < INFINITY && most_lanes(plan, intra) > 1;
}

int gb_search_lanes(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const size_t intra = gb_intra_find("two-tree", GB_BCAST);
  const gb_trial alone = st->top;
  double bound = 0;
  if (!may_try(st, count, intra))
    return GBCAST_OK;
  int status = gb_plan_bound(st->pl->plan, st->pl->plan->class_bytes, &bound, err);
  if (status != GBCAST_OK || alone.predicted < NEAR_BOUND * bound)
    return status;
  uint64_t segment = st->limits->segment;
  if (segment == 0)
    segment = list[gb_segment_at(list, count, alone.segment / 2)];
  status = find_number(st, segment, intra, err);
  if (status == GBCAST_OK)
    status = vary(st, segment, intra, err);
  if (status == GBCAST_OK)
    status = descend(st, list, count, err);
  if (st->top.predicted > WORTH_IT * alone.predicted) {
    for (size_t i = gb_search_slots() / 2; i < gb_search_slots(); i++)
      st->best[i].predicted = INFINITY;
    st->top = alone;
  }
  st->lanes = 1;
  return status;
}
