/* The channels of a broadcast or scatter: a rank's edges in each tree. */
#include "mpi/schedule/fill.h"
#include <math.h>
#include <stdlib.h>

_Static_assert(GB_TREES_MOST <= GB_TAGS, "each tree has a tag");

static int rank_at(const gb_wire *w, const gbcast_plan *plan, uint32_t endpoint) {
  return gb_wire_rank_of(w, plan->schedule.endpoint[endpoint].host, plan->schedule.endpoint[endpoint].k);
}

/* The plan's edge that leads to endpoint `to` of a tree; `other` is the end that is not this rank. */
static gb_channel edge_to(const gb_wire *w, const gbcast_plan *plan, uint32_t tree, uint32_t to,
                          uint32_t other) {
  gb_channel edge = {.direction = to == other ? GB_SEND : GB_RECEIVE,
                     .rank = rank_at(w, plan, other),
                     .tag = tree,
                     .tree = tree,
                     .segment = plan->schedule.tree[tree].segment,
                     .pacing = plan->schedule.tree[tree].pacing[to]};
  gb_pacing *pacing = &edge.pacing;
  edge.ahead = edge.segment * (pacing->window < GB_WINDOW_MOST ? pacing->window + 1 : GB_WINDOW_MOST);
  edge.wan = pacing->level == GB_LEVEL_WAN;
  if (w->near != NULL && w->near[edge.rank]) /* ranks that share memory use no link */
    pacing->paced = false;
  if (gb_this_machine.links_have_queues)
    pacing->shared_rate = fmin(pacing->shared_rate, pacing->link_part);
  edge.window_kind = pacing->level == GB_LEVEL_NODE                 ? GB_WINDOW_NODE
                     : edge.wan || pacing->streams || pacing->paced ? GB_WINDOW_OWN
                                                                    : GB_WINDOW_LAN;
  return edge;
}

/* Lists the ranks below `me` in stream order: children in sending order, a node after its children. Not
 * recursive. */
static int list_subtree(const gb_wire *w, const gbcast_plan *plan, const gb_tree *tree, uint32_t me,
                        gb_rank_tree *out) {
  uint32_t first = tree->child_start[me], count = 0;
  uint32_t *next = malloc(sizeof *next * plan->schedule.endpoint_count);
  uint32_t *order = malloc(sizeof *order * plan->schedule.endpoint_count);
  out->child_first = malloc(sizeof *out->child_first * ((size_t)out->child_count + 1));
  if (next == NULL || order == NULL || out->child_first == NULL) {
    free(next);
    free(order);
    return MPI_ERR_NO_MEM;
  }
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    next[e] = tree->child_start[e];
  uint32_t at = me;
  for (;;) {
    if (at == me)
      out->child_first[next[me] - first] = count;
    if (next[at] < tree->child_start[at + 1]) {
      at = tree->child[next[at]++];
      continue;
    }
    order[count++] = (uint32_t)rank_at(w, plan, at);
    if (at == me)
      break;
    at = tree->parent[at];
  }
  free(next);
  uint32_t *fitted = realloc(order, sizeof *order * count);
  out->order = fitted != NULL ? fitted : order;
  return MPI_SUCCESS;
}

static uint32_t children_of(const gb_tree *tree, uint32_t me) {
  return tree->child_start[me + 1] - tree->child_start[me];
}

/* Takes the tree's channels from *next on. */
static int fill_tree(const gb_wire *w, const gbcast_plan *plan, uint32_t number, uint32_t me,
                     gb_channel **next, gb_rank_tree *out) {
  const gb_tree *tree = &plan->schedule.tree[number];
  const uint32_t *child = &tree->child[tree->child_start[me]];
  out->weight = tree->weight;
  out->stage = tree->stage;
  if (tree->parent[me] != GB_NONE) {
    **next = edge_to(w, plan, number, me, tree->parent[me]);
    out->parent = (*next)++;
  }
  out->child = *next;
  out->child_count = children_of(tree, me);
  for (uint32_t i = 0; i < out->child_count; i++) {
    **next = edge_to(w, plan, number, child[i], child[i]);
    out->far |= (*next)++->wan;
  }
  return gb_carries_blocks(plan->operation) ? list_subtree(w, plan, tree, me, out) : MPI_SUCCESS;
}

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

int gb_fill_trees(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  const gb_schedule *all = &plan->schedule;
  uint32_t me = 0;
  while (me < all->endpoint_count && rank_at(w, plan, me) != w->rank)
    me++;
  if (me == all->endpoint_count || all->tree_count == 0 || all->tree_count > GB_TREES_MOST)
    return MPI_ERR_INTERN;
  if (me == all->root) {
    schedule->pace = all->pace;
    schedule->far_first = all->far_first;
  }
  for (uint32_t t = 0; t < all->tree_count; t++)
    schedule->channel_count += children_of(&all->tree[t], me) + (me != all->root);
  schedule->one_uplink = site_of(w, plan, w->rank)->one_uplink;
  schedule->in_stages = gb_plan_in_stages(plan);
  schedule->channel = calloc(schedule->channel_count + (size_t)1, sizeof *schedule->channel);
  schedule->tree = calloc(all->tree_count, sizeof *schedule->tree);
  if (schedule->channel == NULL || schedule->tree == NULL)
    return MPI_ERR_NO_MEM;
  schedule->tree_count = all->tree_count;
  gb_channel *next = schedule->channel;
  int rc = MPI_SUCCESS;
  uint32_t before = 0;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < all->tree_count; t++) {
    schedule->tree[t].weight_before = before;
    before += all->tree[t].weight;
    rc = fill_tree(w, plan, t, me, &next, &schedule->tree[t]);
  }
  return rc == MPI_SUCCESS ? find_firsts(w, plan, schedule) : rc;
}
