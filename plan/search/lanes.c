/* Tries several lanes if one lane is far from the lower bound: with extended-dijkstra's tree over sites, with
 * the tree that is best in one lane, with several trees, and between many sites also with disjoint ones.
 *
 * The number of lanes is found with the LAN algorithm two-tree, in which few hosts send everything twice. It
 * is 4 at first, then doubled while that helps, if 4 lanes gain something over one, or halved, if they are
 * not far from one. If that is more than the hosts that can lead lanes in the root's site, these numbers are
 * tried, too: the next ones with which each of these hosts leads equally many lanes, and the number of pairs
 * of such a host and a leader in another site. Then follow the other LAN algorithms that `auto` may use, and
 * other segments, for the best candidate or for one that is as good and loads hosts less (lane_load.c).
 * Larger plans try less, to save time.
 *
 * All results are dropped unless they gain something: more trees have costs that the simulation does not
 * price, such as a first use's messages to and from every leader. Trees in stages have such costs, too, so
 * lanes only have to be as fast as these. */
#include "plan/search/lanes.h"
#include "plan/bound/bound.h"
#include "plan/search/host_choice.h"
#include "plan/search/lane_load.h"
#include "plan/search/segments.h"
#include <math.h>

#define FIRST_LANES 4u
#define MOST_LANES 16u  /* the most that are tried */
#define WORK (1u << 15) /* ranks times trees, over all simulations */
#define DESCENT 4u      /* simulations that going downhill takes, about */
#define NEAR_BOUND 1.08 /* times the lower bound: near enough, nothing more is tried */
#define NEAR_EVEN 1.03  /* the same for even numbers of lanes */
#define HELPS 0.98      /* a number of lanes helps if it takes at most this part of the time so far */
#define FAR 1.5         /* times the time in one lane: too far for fewer lanes to help */
#define WORTH_IT 0.95   /* lanes are worth it if they take at most this part of the time in one lane */

typedef struct gb_lane_search {
  gb_search_state *st;
  uint64_t segment;
  uint32_t work; /* that is left, of WORK */
  uint32_t lanes;
  uint32_t most;    /* lanes */
  bool streams_add; /* more streams than hosts have a use */
  double near;      /* s: near enough to the lower bound */
  double worth_it;  /* s: lanes are worth it if they take at most this */
  gb_spec tree;     /* the best in one lane with one tree over sites */
} gb_lane_search;

static bool joins_sites(const gbcast_plan *plan, const gb_link *link) {
  uint32_t ends = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    ends += plan->site[s].cluster == link->from || plan->site[s].cluster == link->to;
  return ends == 2;
}

static uint32_t most_hosts(const gbcast_plan *plan) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < plan->site_count; s++)
    most = plan->site[s].hosts > most ? plan->site[s].hosts : most;
  return most;
}

/* Whether more streams than hosts have a use: streams start slowly, or one for each host does not fill a
 * link. */
static bool streams_add(const gbcast_plan *plan, uint32_t hosts) {
  for (uint32_t i = 0; i < plan->platform->link_count; i++) {
    const gb_link *link = &plan->platform->link[i];
    const bool thin = link->stream_bandwidth * hosts < link->bandwidth;
    if ((link->initial_window < INFINITY || thin) && joins_sites(plan, link))
      return true;
  }
  return false;
}

/* Sets the most lanes to try: more than hosts only if more streams have a use. */
static void find_most(gb_lane_search *s) {
  const uint32_t hosts = most_hosts(s->st->pl->plan);
  s->streams_add = hosts > 1 && streams_add(s->st->pl->plan, hosts);
  s->most = hosts < MOST_LANES && !s->streams_add ? hosts : MOST_LANES;
}

/* The best spec in one lane with one tree, which may be the tree that the local search has changed. */
static gb_spec best_tree(const gb_search_state *st) {
  const size_t half = gb_search_slots() / 2;
  gb_spec best = st->top;
  if (best.tree_inter < st->packing)
    return best;
  best.predicted = INFINITY;
  for (size_t i = 0; i < half; i++)
    if (st->best[i].tree_inter < st->packing && st->best[i].predicted < best.predicted)
      best = st->best[i];
  return best;
}

/* The work of `simulations` simulations: ranks times trees. */
static uint32_t work_of(const gb_lane_search *s, const gb_spec *like, size_t intra, uint32_t simulations) {
  const gbcast_plan *plan = s->st->pl->plan;
  const uint32_t most = plan->site_count < GB_SITE_TREES_MOST ? plan->site_count : GB_SITE_TREES_MOST;
  const uint32_t trees = like->tree_inter >= s->st->packing ? most : 1;
  const uint32_t choice = intra == GB_INTRA_MIXED ? 2 : gb_intra_trees(intra);
  return simulations * s->lanes * trees * choice * plan->schedule.endpoint_count;
}

/* Prices the trees over sites of spec `like` with this many lanes, if there is work left. Lowers *time to the
 * result. */
static int price(gb_lane_search *s, const gb_spec *like, size_t intra, double *time, gbcast_error *err) {
  gb_search_state *st = s->st;
  const uint32_t work = work_of(s, like, intra, 1);
  if (work > s->work)
    return GBCAST_OK;
  s->work -= work;
  st->lanes = s->lanes;
  st->follow = like;
  int status = gb_search_price(st, s->segment, intra, err);
  st->follow = NULL;
  *time = st->lowest < *time ? st->lowest : *time;
  return status;
}

/* Sets *time to the s with `lanes` lanes; INFINITY if they were not tried. Several trees are made in both
 * variants if they are the best. Trees in stages are not tried: they are for sites where the leaders' own
 * links are the limit. */
static int price_lanes(gb_lane_search *s, uint32_t lanes, const gb_spec *alone, size_t intra, double *time,
                       gbcast_error *err) {
  const size_t first = gb_inter_find("extended-dijkstra"), packing = s->st->packing;
  const gb_spec *tree = &s->tree;
  const gb_spec labelled = {.inter = first, .tree_inter = first};
  const gb_spec packed = {.inter = packing, .tree_inter = packing};
  const gb_spec spares_leaders = {.inter = packing, .tree_inter = packing, .spares_leaders = true};
  const gb_spec disjoint = {.inter = s->st->disjoint, .tree_inter = s->st->disjoint};
  const uint32_t sites = s->st->pl->plan->site_count;
  const bool may_pack = sites > 2 && sites <= GB_PACKED_SITES;
  double by_packing = INFINITY;
  *time = INFINITY;
  s->lanes = lanes;
  int status = price(s, &labelled, intra, time, err);
  if (status == GBCAST_OK && alone->tree_inter != packing && (tree->own_tree || tree->tree_inter != first))
    status = price(s, tree, tree->own_tree ? tree->intra : intra, time, err); /* with its LAN trees */
  if (status == GBCAST_OK && may_pack)
    status = price(s, &packed, intra, &by_packing, err);
  if (status == GBCAST_OK && by_packing < *time)
    status = price(s, &spares_leaders, intra, &by_packing, err);
  *time = by_packing < *time ? by_packing : *time;
  if (status == GBCAST_OK && gb_search_spreads(s->st->pl->plan))
    status = price(s, &disjoint, intra, time, err);
  return status;
}

static uint32_t fewest_hosts_elsewhere(const gbcast_plan *plan) {
  uint32_t fewest = UINT32_MAX;
  for (uint32_t s = 0; s < plan->site_count; s++)
    if (s != plan->root_site && plan->site[s].hosts < fewest)
      fewest = plan->site[s].hosts;
  return fewest;
}

/* Tries the numbers next to `lanes` with which the leaders of the root's site lead equally many lanes, and
 * the one with which each has one stream to each leader of another site: equal streams end together. */
static int even_out(gb_lane_search *s, uint32_t lanes, double best, const gb_spec *alone, size_t intra,
                    gbcast_error *err) {
  const gbcast_plan *plan = s->st->pl->plan;
  const uint32_t hosts = plan->site[plan->root_site].hosts, leaders = hosts > 1 ? hosts - 1 : 1;
  const bool uneven = leaders > 1 && lanes > leaders && lanes % leaders > 0;
  const uint32_t below = uneven ? lanes / leaders * leaders : lanes, above = uneven ? below + leaders : lanes;
  const uint64_t pairs = (uint64_t)leaders * fewest_hosts_elsewhere(plan);
  const bool by_pairs = s->streams_add && pairs > 1 && pairs != below && pairs != above;
  const uint64_t even[] = {below, above, by_pairs ? pairs : lanes};
  int status = GBCAST_OK;
  if (best <= NEAR_EVEN / NEAR_BOUND * s->near)
    return GBCAST_OK;
  for (size_t i = 0; status == GBCAST_OK && i < sizeof even / sizeof *even; i++) {
    double time;
    if (even[i] != lanes && even[i] <= MOST_LANES)
      status = price_lanes(s, (uint32_t)even[i], alone, intra, &time, err);
  }
  return status;
}

static int find_number(gb_lane_search *s, const gb_spec *alone, size_t intra, gbcast_error *err) {
  uint32_t lanes = s->most < FIRST_LANES ? s->most : FIRST_LANES;
  double best, time;
  int status = price_lanes(s, lanes, alone, intra, &best, err);
  bool up = best < HELPS * alone->predicted && best > s->near;
  while (status == GBCAST_OK && best < FAR * alone->predicted) {
    const uint32_t next = up ? 2 * lanes : lanes / 2;
    time = INFINITY;
    if (next >= 2 && next <= s->most)
      status = price_lanes(s, next, alone, intra, &time, err);
    if (time < HELPS * best) {
      best = time;
      lanes = next;
    } else if (up && lanes <= FIRST_LANES)
      up = false;
    else
      break;
  }
  if (status == GBCAST_OK && best < FAR * alone->predicted)
    status = even_out(s, lanes, best, alone, intra, err);
  return status;
}

/* Tries other LAN algorithms and segments with the best number of lanes. */
static int vary(gb_lane_search *s, const gb_spec *alone, const uint64_t *list, size_t count, size_t first,
                gbcast_error *err) {
  gb_search_state *st = s->st;
  gb_spec like = *gb_search_best_in_lanes(st);
  const gb_flow flow = gb_spec_flow(st->pl, s->segment, s->lanes);
  double time = INFINITY;
  int status = GBCAST_OK;
  if (!(like.predicted < FAR * alone->predicted))
    return GBCAST_OK;
  s->lanes = like.lanes;
  for (size_t a = 0; status == GBCAST_OK && !like.own_tree && a < gb_intra_count; a++)
    if (a != first && gb_host_choice_fits(st->pl, NULL, &flow, true, &gb_intra_table[a]))
      status = price(s, &like, a, &time, err);
  gb_search_prefer_less_load(st, s->worth_it);
  like = *gb_search_best_in_lanes(st);
  if (status != GBCAST_OK || st->limits->segment || work_of(s, &like, like.intra, DESCENT) > s->work)
    return status;
  st->lanes = like.lanes;
  st->follow = &like;
  status = gb_search_descend(st, like.intra, list, count, gb_segment_at(list, count, like.segment), err);
  st->follow = NULL;
  return status;
}

static bool may_try(const gb_search_state *st, size_t count) {
  const gb_limits *limits = st->limits;
  const gbcast_plan *plan = st->pl->plan;
  const bool forced = limits->lanes || limits->inter != SIZE_MAX || limits->intra != SIZE_MAX;
  return !forced && !limits->per_site && plan->operation == GBCAST_BCAST && plan->site_count > 1 &&
         (limits->segment || count > 0) && st->top.predicted < INFINITY;
}

int gb_search_lanes(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const size_t intra = gb_intra_find("two-tree", GB_BCAST);
  const gb_spec alone = st->top;
  gb_lane_search s = {.st = st, .segment = st->limits->segment, .work = WORK, .tree = best_tree(st)};
  double bound = 0;
  if (!may_try(st, count))
    return GBCAST_OK;
  find_most(&s);
  if (s.most < 2)
    return GBCAST_OK;
  int status = gb_plan_bound(st->pl->plan, st->pl->plan->class_bytes, &bound, err);
  s.near = NEAR_BOUND * bound;
  s.worth_it = (alone.tree_inter == st->in_turn ? 1 : WORTH_IT) * alone.predicted;
  if (status != GBCAST_OK || alone.predicted <= s.near)
    return status;
  if (s.segment == 0)
    s.segment = list[gb_segment_at(list, count, alone.segment / 4)];
  status = find_number(&s, &alone, intra, err);
  if (status == GBCAST_OK)
    status = vary(&s, &alone, list, count, intra, err);
  if (st->top.predicted > s.worth_it) {
    for (size_t i = gb_search_slots() / 2; i < gb_search_slots(); i++)
      st->best[i].predicted = INFINITY;
    st->top = alone;
  }
  st->lanes = 1;
  return status;
}
