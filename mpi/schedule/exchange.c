/* The trees of a rank where the leaders of sites exchange what their sites have.
 *
 *   allreduce   0: up inside the site   1: across, combined         2: down inside the site
 *   allgather   0: up inside the site   1 + s: from the leader of site s to all others, and down inside each
 * site
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

/* The messages of a leader to or from that of another site. Operands go in one piece. */
static gb_channel across(const gb_wire *w, const gbcast_plan *plan, enum gb_direction direction,
                         uint32_t site, uint32_t tree, unsigned tag) {
  const uint64_t most = gb_gathers_all(plan->operation) ? plan->schedule.tree[0].segment
                                                        : GB_SEGMENT_BYTES_MOST / GB_OPERANDS * GB_OPERANDS;
  return (gb_channel){.direction = direction,
                      .rank = gb_passage_rank(&(gb_passage){.w = w, .plan = plan}, plan->leaders[site]),
                      .tag = tag,
                      .tree = tree,
                      .segment = most,
                      .ahead = gb_gathers_all(plan->operation) ? most * GB_WINDOW_MOST : most,
                      .pacing = {.rate = INFINITY,
                                 .shared_rate = INFINITY,
                                 .link_part = INFINITY,
                                 .window = GB_WINDOW_MOST,
                                 .level = GB_LEVEL_WAN},
                      .wan = true,
                      .window_kind = GB_WINDOW_OWN};
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
  const uint32_t others = own == GB_NONE ? 0 : own == from ? p->plan->site_count - 1 : 1;
  if (own != GB_NONE && own != from)
    *(*next)++ = across(p->w, p->plan, GB_RECEIVE, from, p->number, p->tag);
  for (uint32_t i = 1; own == from && i <= others; i++)
    *(*next)++ = across(p->w, p->plan, GB_SEND, (own + i) % p->plan->site_count, p->number, p->tag);
  int rc = gb_passage_fill(p, 0, next, tree);
  if (own != GB_NONE) {
    tree->sender = first;
    tree->sender_count = own == from ? 0 : 1;
    tree->receiver = first + tree->sender_count;
    tree->receiver_count += own == from ? others : 0;
    tree->far = own == from;
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

uint32_t gb_exchange_trees(const gbcast_plan *plan) {
  return gb_gathers_all(plan->operation) ? 1 + plan->site_count : 3;
}

int gb_fill_exchange(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                     gb_rank_schedule *schedule) {
  return gb_gathers_all(plan->operation) ? fill_allgather(w, plan, me, next, schedule->tree)
                                         : fill_reduction(w, plan, me, next, schedule->tree);
}
