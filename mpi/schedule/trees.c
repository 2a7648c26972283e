/* The channels of all operations but the all-to-all: a rank's edges in each tree. */
#include "mpi/schedule/fill.h"
#include "mpi/schedule/passage.h"
#include <stdlib.h>

/* What goes up and what goes down a tree have the same tag: their messages have other senders. */
_Static_assert(GB_TREES_MOST <= GB_TAGS, "each tree has a tag");

static const gb_site *site_of(const gb_wire *w, const gbcast_plan *plan, int rank) {
  const uint32_t cluster = plan->platform->host[w->rank_host[rank]].cluster;
  const gb_site *site = plan->site;
  while (site->cluster != cluster)
    site++;
  return site;
}

/* Finds the first channel to each receiver, and to each site. */
static int find_firsts(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  const size_t ranks = (size_t)w->size, all = ranks + plan->site_count;
  uint32_t *to_rank = malloc(all * sizeof *to_rank);
  if (to_rank == NULL)
    return MPI_ERR_NO_MEM;
  uint32_t *to_site = to_rank + ranks;
  for (size_t i = 0; i < all; i++)
    to_rank[i] = GB_NONE;
  for (uint32_t c = 0; c < schedule->channel_count; c++) {
    gb_channel *channel = &schedule->channel[c];
    if (channel->direction != GB_SEND)
      continue;
    uint32_t *first = &to_rank[channel->rank];
    channel->to_receiver = *first = *first == GB_NONE ? c : *first;
    if (channel->wan)
      first = &to_site[site_of(w, plan, channel->rank) - plan->site];
    channel->to_site = *first = *first == GB_NONE ? c : *first;
  }
  free(to_rank);
  return MPI_SUCCESS;
}

/* Where an edge carries all blocks, they are in the order in which the root has them: what goes down an
 * allgather in that in which it came up, what goes up a reduce-scatter in that in which it will go down. */
static int list_all(const gb_passage *p, gb_rank_tree *out) {
  const gb_passage top = {p->w, p->plan, p->tree, p->number, p->tag, p->plan->schedule.root, !p->up};
  return gb_passage_list_blocks(&top, out);
}

static int fill_ways(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_rank_schedule *schedule) {
  const gb_schedule *all = &plan->schedule;
  const enum gb_way way = gb_way_of(plan->operation);
  const uint32_t last_stage = all->tree[all->tree_count - 1].stage;
  gb_channel *next = schedule->channel;
  int rc = MPI_SUCCESS;
  for (uint32_t number = 0, before = 0; rc == MPI_SUCCESS && number < schedule->tree_count; number++) {
    const uint32_t t = number % all->tree_count;
    const bool up = way != GB_WAY_DOWN && number < all->tree_count;
    const gb_passage p = {w, plan, t, number, t, me, up};
    gb_rank_tree *tree = &schedule->tree[number];
    before = t == 0 ? 0 : before;
    tree->weight_before = before;
    before += all->tree[t].weight;
    rc = gb_passage_fill(&p, last_stage, &next, tree);
    if (up && way == GB_WAY_BOTH && me == all->root)
      tree->feeds = number + all->tree_count;
    if (rc == MPI_SUCCESS && gb_carries_parts(plan->operation) && !tree->scatters && !tree->collects)
      rc = list_all(&p, tree);
  }
  return rc;
}

/* No fewer than this rank has. */
static uint32_t count_channels(const gbcast_plan *plan, uint32_t me, uint32_t ways) {
  const gb_schedule *all = &plan->schedule;
  uint32_t count = all->exchange == GB_UP_AND_DOWN ? 0 : 2 * plan->site_count;
  if (all->exchange == GB_EXCHANGE_RINGS)
    return count + 2 * all->endpoint_count;
  for (uint32_t t = 0; t < all->tree_count; t++)
    count += ways * (gb_children(&all->tree[t], me) + (me != all->root));
  return count;
}

int gb_fill_trees(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  const gb_schedule *all = &plan->schedule;
  const uint32_t ways = all->exchange                               ? gb_exchange_trees(plan)
                        : gb_way_of(plan->operation) == GB_WAY_BOTH ? 2
                                                                    : 1;
  uint32_t me = 0;
  while (me < all->endpoint_count && gb_endpoint_rank(w, plan, me) != w->rank)
    me++;
  if (me == all->endpoint_count || all->tree_count == 0 || all->tree_count > GB_TREES_MOST)
    return MPI_ERR_INTERN;
  if (me == all->root)
    schedule->pace = all->pace;
  schedule->one_uplink = site_of(w, plan, w->rank)->one_uplink;
  schedule->in_stages = gb_plan_in_stages(plan);
  schedule->channel = calloc(count_channels(plan, me, ways) + (size_t)1, sizeof *schedule->channel);
  schedule->tree = calloc((size_t)all->tree_count * ways + 1, sizeof *schedule->tree);
  if (schedule->channel == NULL || schedule->tree == NULL)
    return MPI_ERR_NO_MEM;
  schedule->tree_count = all->tree_count * ways;
  const int rc = all->exchange ? gb_fill_exchange(w, plan, me, schedule->channel, schedule)
                               : fill_ways(w, plan, me, schedule);
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    schedule->channel_count += schedule->tree[t].sender_count + schedule->tree[t].receiver_count;
  return rc == MPI_SUCCESS ? find_firsts(w, plan, schedule) : rc;
}
