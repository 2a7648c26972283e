/* A scatter without leaders: straight from the root to every host; and over several ways to a site, at the
 * segment size that is found downhill from the size of a block, so that those that pass blocks on do not wait
 * for many of them.
 *
 * A leader that passes blocks on shares its link with its site's own blocks, which the walk lets wait and a
 * network does not: on the example of three sites several ways were predicted 2 % faster, and took 17 %
 * longer in the simulator. So they are left out where they gain little.
 *
 * MPI asks a receiver before it sends it a long message, and waits for the answer: a round trip that the walk
 * does not see. On an emulated link of 40 ms blocks of 64 KiB took 143 ms whole, and 79 ms in four pieces.
 * And whole messages share a link in which order they like, pieces are sent when their time has come
 * (mpi/exec/pace.h): simulated, blocks of 1 MiB over a star take 1.07 of the bound whole, and 1.01 in pieces.
 * So blocks on the straight way are cut where that costs next to nothing, and on several ways, where those
 * who pass them on wait for less, also where it costs little. Where the root's own link says when all ends no
 * order saves anything, and long blocks are left whole: 1 MiB over the emulated link took 716 ms so, and
 * 777 ms in pieces.
 *
 * A link may be the shortest way and a narrow one. Where leaders of other sites make up a way that is much
 * wider, and what is straight is far from the bound, trees of leaders are tried, too: simulated, with such a
 * link of 20 Mbit/s in a mesh of four sites, 64 KiB to each of 32 hosts took 108 ms straight and 36 ms over
 * leaders, 1 MiB 1.68 s and 0.57 s. */
#include "plan/search/direct.h"
#include "plan/bound/bound.h"
#include "plan/search/host_choice.h"
#include "plan/search/segments.h"
#include "plan/search/wider_paths.h"
#include <math.h>

#define WORTH_IT 0.97 /* so much faster several ways have to be */
#define FREE 1.01     /* times what it takes whole */
#define LITTLE 1.03   /* the same where blocks are passed on */
#define NEARLY 0.9    /* of the time the root's own link is busy: it says when all ends */
#define FAR 1.25      /* times the lower bound: leaders may know wider ways */
#define MUCH 0.9      /* of the time without leaders: less than they may lose against their prediction */
#define LONG 262144u  /* bytes of a block for which a round trip more is little */

/* Bytes of a piece: what most MPI libraries send without asking, and of long blocks more, so that the
 * messages do not get too many. */
enum { LEAST_PIECE = 16 << 10, MOST_PIECE = 48 << 10, MANY = 64 };

bool gb_search_is_direct(const gb_search_state *st) {
  const gbcast_plan *plan = st->pl->plan;
  const gb_limits *limits = st->limits;
  if (plan->operation != GBCAST_SCATTER || plan->site_count == 1 || limits->per_site)
    return false; /* one site is flat then */
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

/* Whether the root's own link says when all ends, which is after `seconds`. */
static bool is_root_bound(const gb_planner *pl, double seconds) {
  const gbcast_plan *plan = pl->plan;
  const gbcast_platform *p = plan->platform;
  const gb_cluster *site = &p->cluster[p->host[plan->endpoint[plan->root].host].cluster];
  return (double)plan->class_bytes * (plan->endpoint_count - 1) / site->bandwidth > NEARLY * seconds;
}

/* The best so far in pieces, if it takes at most so many times as long, and needs no leaders. */
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
  const int status = gb_plan_bound(plan, plan->class_bytes, &bound, err); /* plan->bound is of its own size */
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
