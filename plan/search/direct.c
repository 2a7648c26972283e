/* A scatter without leaders: from the root to every host directly, or over several paths to a site. The
 * segment size is found by going downhill from the size of a block, so that sites that pass blocks on do not
 * wait for many of them.
 *
 * Several paths must gain much: a leader that passes blocks on shares its link with its own site's blocks.
 * The simulation lets these wait, a network does not.
 *
 * Blocks are also cut. MPI asks the receiver of a long message before it sends it, a round trip that the
 * simulation does not price. And whole messages share a link in any order, while pieces are paced
 * (mpi/exec/pace.h). So blocks on direct paths are cut if that costs next to nothing; on several paths, where
 * those that pass blocks on wait for less, also if it costs little. If the root's own link is the limit, no
 * order saves time, and long blocks stay whole.
 *
 * The direct link to a site may have the least latency and little bandwidth. If paths over leaders of other
 * sites are much wider, and the direct candidates are far from the lower bound, trees of leaders are tried as
 * well.
 *
 * Evidence for the constants: docs/planning.md, "Where the numbers come from". */
#include "plan/search/direct.h"
#include "plan/bound/bound.h"
#include "plan/search/host_choice.h"
#include "plan/search/segments.h"
#include "plan/search/wider_paths.h"
#include <math.h>

#define WORTH_IT 0.97 /* several paths must take at most this part of the direct time */
#define FREE 1.01     /* pieces may take this many times as long as whole blocks */
#define LITTLE 1.03   /* the same if blocks are passed on */
#define NEARLY 0.9    /* the root's link is the limit if it is busy for more than this part of the time */
#define FAR 1.25      /* times the lower bound: further away, wider paths over leaders are tried */
#define MUCH 0.9      /* with leaders it must take at most this part of the time without */
#define LONG 262144u  /* bytes of a block that is long: one more round trip matters little */

/* Bytes of a piece: most MPI libraries send this much without asking the receiver. Long blocks have larger
 * pieces, so that there are at most MANY, if that is within the limits. */
enum { LEAST_PIECE = 16 << 10, MOST_PIECE = 48 << 10, MANY = 64 };

bool gb_search_is_direct(const gb_search_state *st) {
  const gbcast_plan *plan = st->pl->plan;
  const gb_limits *limits = st->limits;
  if (plan->operation != GBCAST_SCATTER || plan->site_count == 1 || limits->per_site)
    return false; /* inside one site that would be the flat tree */
  if (limits->inter != SIZE_MAX && limits->inter != st->packing)
    return false;
  return limits->intra != SIZE_MAX ? gb_intra_table[limits->intra].leaderless
                                   : !gb_host_choice_needs_leaders(st->pl);
}

static int try_trees(gb_search_state *st, const char *inter, bool cut, const uint64_t *list, size_t count,
                     gbcast_error *err) {
  const size_t direct = gb_intra_find("direct", GB_SCATTER), at = gb_inter_find(inter);
  const gb_spec trees = {.inter = at, .tree_inter = at};
  st->follow = &trees;
  const uint64_t first = st->limits->segment ? st->limits->segment : gb_segment_whole(st->pl);
  int status = gb_search_price_rank_trees(st, first, direct, err);
  if (status == GBCAST_OK && cut && !st->limits->segment && count > 0)
    status = gb_search_descend(st, direct, list, count, gb_segment_at(list, count, st->pl->plan->class_bytes),
                               err);
  st->follow = NULL;
  return status;
}

static uint64_t piece_of(const gb_planner *pl) {
  const uint64_t bytes = pl->plan->class_bytes;
  uint64_t piece = bytes / MANY;
  if (piece < LEAST_PIECE)
    piece = LEAST_PIECE;
  if (piece > MOST_PIECE)
    piece = MOST_PIECE;
  return gb_segment_even(pl, bytes, piece);
}

/* Whether the root's own link is the limit of a scatter that takes `seconds`. */
static bool is_root_bound(const gb_planner *pl, double seconds) {
  const gbcast_plan *plan = pl->plan;
  const gbcast_platform *p = plan->platform;
  const gb_cluster *site = &p->cluster[p->host[plan->schedule.endpoint[plan->schedule.root].host].cluster];
  return (double)plan->class_bytes * (plan->schedule.endpoint_count - 1) / site->bandwidth > NEARLY * seconds;
}

/* Cuts the blocks of the best candidate so far, if it has no leaders and takes at most `most` times as long
 * then. */
static int cut_blocks(gb_search_state *st, double most, gbcast_error *err) {
  const gb_spec whole = st->top;
  const uint64_t piece = piece_of(st->pl);
  if (st->limits->segment || st->pl->plan->class_bytes <= LEAST_PIECE || whole.segment <= piece ||
      !gb_intra_table[whole.intra].leaderless)
    return GBCAST_OK;
  gb_spec *slot = gb_search_slot(st, whole.intra, whole.inter, false);
  slot->predicted = st->top.predicted = INFINITY;
  st->follow = &whole;
  int status = gb_search_price(st, piece, whole.intra, err);
  st->follow = NULL;
  if (!(slot->predicted < most * whole.predicted))
    *slot = st->top = whole;
  return status;
}

static int cut_straight(gb_search_state *st, gbcast_error *err) {
  if (st->pl->plan->class_bytes > LONG && is_root_bound(st->pl, st->top.predicted))
    return GBCAST_OK;
  return cut_blocks(st, FREE, err);
}

static void leave_out(gb_search_state *st, const gb_spec *before) {
  gb_search_slot(st, st->top.intra, st->packing, false)->predicted = INFINITY;
  st->top = *before;
}

int gb_search_direct(gb_search_state *st, const uint64_t *list, size_t count, gbcast_error *err) {
  const gbcast_plan *plan = st->pl->plan;
  const bool asked = st->limits->inter == st->packing;
  int status = GBCAST_OK;
  if (plan->operation != GBCAST_SCATTER || plan->site_count == 1 || (st->limits->inter != SIZE_MAX && !asked))
    return GBCAST_OK;
  if (!asked)
    status = try_trees(st, "flat", gb_plan_has_nodes(plan), list, count, err);
  if (status == GBCAST_OK && !asked)
    status = cut_straight(st, err);
  const gb_spec before = st->top;
  if (status == GBCAST_OK && (asked || (plan->site_count > 2 && plan->site_count <= GB_SPREAD_SITES)))
    status = try_trees(st, "packing", true, list, count, err);
  if (status == GBCAST_OK && st->top.inter == st->packing)
    status = cut_blocks(st, LITTLE, err);
  if (!asked && st->top.inter == st->packing && st->top.predicted > WORTH_IT * before.predicted)
    leave_out(st, &before);
  return status;
}

int gb_search_wants_leaders(const gb_search_state *st, bool *wants, gbcast_error *err) {
  const gb_limits *limits = st->limits;
  const gbcast_plan *plan = st->pl->plan;
  double bound = 0;
  *wants = false;
  if (limits->inter != SIZE_MAX || limits->intra != SIZE_MAX)
    return GBCAST_OK;
  const int status = gb_plan_bound(plan, plan->class_bytes, &bound, err); /* at this size */
  if (status != GBCAST_OK || st->top.predicted <= FAR * bound)
    return status;
  return gb_find_wider_paths(st->pl, wants, err);
}

void gb_search_weigh_leaders(gb_search_state *st, const gb_spec *straight) {
  if (st->top.predicted <= MUCH * straight->predicted)
    return;
  for (size_t i = 0; i < gb_search_slots(); i++)
    if (st->best[i].intra == GB_INTRA_MIXED || !gb_intra_table[st->best[i].intra].leaderless)
      st->best[i].predicted = INFINITY;
  st->top = *straight;
}
