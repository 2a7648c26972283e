/* The trees of a rank where the leaders of sites exchange what their sites have.
 *
 *   allreduce   0       up inside the site
 *               1       across, combined
 *               2       down inside the site
 *   allgather   0       up inside the site
 *               1 + s   from the leader of site s to all others, and down inside each site
 *
 * A reduce-scatter is an allgather backwards, and its blocks are combined on their way:
 *
 *               s       up inside each site, and to the leader of site s: the blocks of its ranks
 *               sites   down inside the site
 *
 * A leader sends to the sites in their order, from the one after its own on. */
#include "mpi/schedule/passage.h"
#include <math.h>
#include <stdlib.h>

/* Number of the site that this rank leads, or GB_NONE. */
static uint32_t led_by(const gbcast_plan *plan, uint32_t me) {
  uint32_t site = 0;
  while (site < plan->site_count && plan->leaders[site] != me)
    site++;
  return site < plan->site_count ? site : GB_NONE;
}

gb_channel gb_channel_across(const gb_wire *w, const gbcast_plan *plan, enum gb_direction direction,
                             uint32_t endpoint, uint32_t tree, unsigned tag) {
  const bool parts = gb_carries_parts(plan->operation);
  const uint64_t most =
      gb_whole_operands(plan, parts ? plan->schedule.tree[0].segment : GB_SEGMENT_BYTES_MOST);
  return (gb_channel){.direction = direction,
                      .rank = gb_endpoint_rank(w, plan, endpoint),
                      .tag = tag,
                      .tree = tree,
                      .segment = most,
                      .ahead = parts ? most * GB_WINDOW_MOST : most,
                      .pacing = {.rate = INFINITY,
                                 .shared_rate = INFINITY,
                                 .link_part = INFINITY,
                                 .window = GB_WINDOW_MOST,
                                 .level = GB_LEVEL_WAN},
                      .wan = true,
                      .window_kind = GB_WINDOW_OWN};
}

/* The messages of a leader to or from that of another site. */
static gb_channel across(const gb_wire *w, const gbcast_plan *plan, enum gb_direction direction,
                         uint32_t site, uint32_t tree, unsigned tag) {
  return gb_channel_across(w, plan, direction, plan->leaders[site], tree, tag);
}

/* The leaders combine in the order of the sites. */
static int fill_reduction(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                          gb_rank_tree *tree) {
  const uint32_t own = led_by(plan, me), others = own != GB_NONE ? plan->site_count - 1 : 0;
  gb_passage p = {.w = w, .plan = plan, .me = me, .up = true};
  int rc = gb_passage_fill(&p, 0, &next, &tree[0]);
  for (uint32_t i = 1; i <= others; i++)
    *next++ = across(w, plan, GB_SEND, (own + i) % plan->site_count, 0, 1);
  tree[1] = (gb_rank_tree){.sender = next, .feeds = GB_NONE, .weight = tree[0].weight};
  for (uint32_t s = 0; own != GB_NONE && s < plan->site_count; s++)
    if (s != own)
      *next++ = across(w, plan, GB_RECEIVE, s, 1, 1);
  tree[1].receiver = next;
  if (own != GB_NONE) {
    tree[0].receiver_count = tree[1].sender_count = others;
    tree[0].far = tree[1].combines = true;
    tree[0].feeds = 1;
    tree[1].own_at = own;
    tree[1].feeds = 2;
  }
  p.up = false;
  p.number = 2;
  return rc == MPI_SUCCESS ? gb_passage_fill(&p, 0, &next, &tree[2]) : rc;
}

/* The tree that begins at the leader of site `from`. own: the site that this rank leads, or GB_NONE. */
static int fill_from(const gb_passage *p, uint32_t from, uint32_t own, gb_channel **next,
                     gb_rank_tree *tree) {
  gb_channel *first = *next;
  if (own == from)
    for (uint32_t i = 1; i < p->plan->site_count; i++)
      *(*next)++ = across(p->w, p->plan, GB_SEND, (own + i) % p->plan->site_count, p->number, p->tag);
  else if (own != GB_NONE)
    *(*next)++ = across(p->w, p->plan, GB_RECEIVE, from, p->number, p->tag);
  const uint32_t across_sites = (uint32_t)(*next - first);
  const int rc = gb_passage_fill(p, 0, next, tree);
  if (own == from) {
    tree->receiver = first;
    tree->receiver_count += across_sites;
    tree->far = true;
  } else if (own != GB_NONE) {
    tree->sender = first;
    tree->sender_count = across_sites;
  }
  const gb_passage top = {.w = p->w, .plan = p->plan, .me = p->plan->leaders[from], .up = true};
  return rc == MPI_SUCCESS ? gb_passage_list_blocks(&top, tree) : rc;
}

static int fill_allgather(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                          gb_rank_tree *tree) {
  const uint32_t own = led_by(plan, me);
  gb_passage p = {.w = w, .plan = plan, .me = me, .up = true};
  int rc = gb_passage_fill(&p, 0, &next, &tree[0]);
  tree[0].feeds = own != GB_NONE ? 1 + own : GB_NONE;
  p.up = false;
  for (uint32_t s = 0; rc == MPI_SUCCESS && s < plan->site_count; s++) {
    p.tag = p.number = 1 + s;
    rc = fill_from(&p, s, own, &next, &tree[1 + s]);
  }
  return rc;
}

/* The tree that ends at the leader of site `to`, where what comes from other sites is combined last. */
static int fill_to(const gb_passage *p, uint32_t to, uint32_t own, gb_channel **next, gb_rank_tree *tree) {
  const int rc = gb_passage_fill(p, 0, next, tree);
  if (own == to) {
    for (uint32_t s = 0; s < p->plan->site_count; s++)
      if (s != own)
        *(*next)++ = across(p->w, p->plan, GB_RECEIVE, s, p->number, p->tag);
    tree->sender_count = (uint32_t)(*next - tree->sender);
    tree->receiver = *next;
    tree->feeds = p->plan->site_count;
  } else if (own != GB_NONE) {
    tree->receiver = *next;
    tree->receiver_count = 1;
    tree->far = true;
    *(*next)++ = across(p->w, p->plan, GB_SEND, to, p->number, p->tag);
  }
  const gb_passage top = {.w = p->w, .plan = p->plan, .me = p->plan->leaders[to]};
  return rc == MPI_SUCCESS ? gb_passage_list_blocks(&top, tree) : rc;
}

/* All ranks send the blocks of the sites in the order of these, those of their own site last: tree->stage. */
static int fill_reduce_scatter(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                               gb_rank_tree *tree) {
  const uint32_t own = led_by(plan, me), sites = plan->site_count,
                 mine = (uint32_t)(gb_endpoint_site(plan, me) - plan->site);
  gb_passage p = {.w = w, .plan = plan, .me = me, .up = true};
  int rc = MPI_SUCCESS;
  for (uint32_t s = 0; rc == MPI_SUCCESS && s < sites; s++) {
    p.tag = p.number = s;
    rc = fill_to(&p, s, own, &next, &tree[s]);
    tree[s].stage = (s + sites - mine - 1) % sites;
  }
  p.up = false;
  p.tag = p.number = sites;
  return rc == MPI_SUCCESS ? gb_passage_fill(&p, 0, &next, &tree[sites]) : rc;
}

uint32_t gb_exchange_trees(const gbcast_plan *plan) {
  return plan->schedule.exchange == GB_EXCHANGE_RINGS ? plan->schedule.endpoint_count
         : gb_carries_parts(plan->operation)          ? 1 + plan->site_count
                                                      : 3;
}

int gb_fill_exchange(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                     gb_rank_schedule *schedule) {
  if (plan->schedule.exchange == GB_EXCHANGE_RINGS)
    return gb_fill_rings(w, plan, me, next, schedule);
  return gb_gathers_all(plan->operation)       ? fill_allgather(w, plan, me, next, schedule->tree)
         : gb_scatters_result(plan->operation) ? fill_reduce_scatter(w, plan, me, next, schedule->tree)
                                               : fill_reduction(w, plan, me, next, schedule->tree);
}
