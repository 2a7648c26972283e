/* The channels of all operations but the all-to-all: a rank's edges in each tree. */
#include "mpi/schedule/fill.h"
#include "mpi/schedule/parts_up.h"
#include <math.h>
#include <stdlib.h>

/* What goes up and what goes down a tree have the same tag: their messages have other senders. */
_Static_assert(GB_TREES_MOST <= GB_TAGS, "each tree has a tag");

static int rank_at(const gb_wire *w, const gbcast_plan *plan, uint32_t endpoint) {
  return gb_wire_rank_of(w, plan->schedule.endpoint[endpoint].host, plan->schedule.endpoint[endpoint].k);
}

/* One way through a tree of the plan, as a tree of this rank's schedule. */
typedef struct gb_passage {
  const gb_wire *w;
  const gbcast_plan *plan;
  uint32_t tree, number; /* in the plan; in the schedule */
  uint32_t me;           /* endpoint */
  bool up;
} gb_passage;

static const gb_tree *tree_of(const gb_passage *p) {
  return &p->plan->schedule.tree[p->tree];
}

/* Whether pieces that a scatter sends inside this rank's site have to wait for those for other sites. */
static bool far_first(const gb_passage *p) {
  return p->plan->schedule.far_first && p->me == p->plan->schedule.root;
}

/* The edge between endpoint `child` and its parent; `other` is the end that is not this rank. */
static gb_channel edge_between(const gb_passage *p, uint32_t child, uint32_t other) {
  const gb_wire *w = p->w;
  const bool sends = (child == other) != p->up;
  const uint64_t unit = gb_combines(p->plan->operation) ? GB_OPERANDS : 1;
  gb_channel edge = {.direction = sends ? GB_SEND : GB_RECEIVE,
                     .rank = rank_at(w, p->plan, other),
                     .tag = p->tree,
                     .tree = p->number,
                     .segment = ((tree_of(p)->segment - 1) / unit + 1) * unit,
                     .pacing = tree_of(p)->pacing[child]};
  gb_pacing *pacing = &edge.pacing;
  edge.ahead = edge.segment * (pacing->window < GB_WINDOW_MOST ? pacing->window + 1 : GB_WINDOW_MOST);
  edge.wan = pacing->level == GB_LEVEL_WAN;
  if (w->near != NULL && w->near[edge.rank]) /* ranks that share memory use no link */
    pacing->paced = false;
  const bool meets = p->up && sends && gb_combines(p->plan->operation);
  if (meets && edge.wan)
    pacing->link_part = pacing->rate * gb_part_of_site(p->plan, child, other);
  if (meets && pacing->paced)
    pacing->rate = fmin(pacing->rate, gb_part_of_parent(p->plan, child, other) / pacing->port);
  if (!p->up && gb_carries_blocks(p->plan->operation) && !edge.wan && !far_first(p))
    pacing->paced = false;
  if (gb_this_machine.links_have_queues)
    pacing->shared_rate = fmin(pacing->shared_rate, pacing->link_part);
  edge.window_kind = pacing->level == GB_LEVEL_NODE                 ? GB_WINDOW_NODE
                     : edge.wan || pacing->streams || pacing->paced ? GB_WINDOW_OWN
                                                                    : GB_WINDOW_LAN;
  return edge;
}

static uint32_t children_of(const gb_tree *tree, uint32_t me) {
  return tree->child_start[me + 1] - tree->child_start[me];
}

/* The order of a stream that goes up is the reverse of one that goes down. */
static void reverse(gb_rank_tree *out, uint32_t children) {
  for (uint32_t i = 0, k = out->subtree - 1; i < k; i++, k--) {
    const uint32_t rank = out->order[i];
    out->order[i] = out->order[k];
    out->order[k] = rank;
  }
  for (uint32_t i = 0; 2 * i <= children; i++) {
    const uint32_t first = out->child_first[i], k = children - i;
    out->child_first[i] = out->subtree - out->child_first[k];
    out->child_first[k] = out->subtree - first;
  }
  out->own_at = out->subtree - 1 - out->own_at;
}

/* Lists the ranks below `me` in stream order: children in sending order, a node after its children. Not
 * recursive. */
static int list_subtree(const gb_passage *p, gb_rank_tree *out) {
  const gbcast_plan *plan = p->plan;
  const gb_tree *tree = tree_of(p);
  const uint32_t me = p->me;
  uint32_t first = tree->child_start[me], count = 0;
  uint32_t *next = malloc(sizeof *next * plan->schedule.endpoint_count);
  uint32_t *order = malloc(sizeof *order * plan->schedule.endpoint_count);
  out->child_first = malloc(sizeof *out->child_first * ((size_t)children_of(tree, me) + 1));
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
    order[count++] = (uint32_t)rank_at(p->w, plan, at);
    if (at == me)
      break;
    at = tree->parent[at];
  }
  free(next);
  uint32_t *fitted = realloc(order, sizeof *order * count);
  out->order = fitted != NULL ? fitted : order;
  out->subtree = count;
  out->own_at = count - 1;
  if (p->up)
    reverse(out, children_of(tree, me));
  return MPI_SUCCESS;
}

/* Where leaders exchange, no edge leads to another site. */
static bool is_edge(const gb_passage *p, uint32_t child) {
  return tree_of(p)->parent[child] != GB_NONE &&
         !(p->plan->schedule.exchange && tree_of(p)->pacing[child].level == GB_LEVEL_WAN);
}

static uint32_t add_parent(const gb_passage *p, gb_channel **next) {
  const uint32_t parent = tree_of(p)->parent[p->me];
  if (!is_edge(p, p->me))
    return 0;
  *(*next)++ = edge_between(p, p->me, parent);
  return 1;
}

/* In sending order; blocks that go up come in the other one. */
static uint32_t add_children(const gb_passage *p, gb_channel **next) {
  const gb_tree *tree = tree_of(p);
  const bool collects = p->up && gb_carries_blocks(p->plan->operation);
  const uint32_t first = tree->child_start[p->me], end = tree->child_start[p->me + 1];
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t child = tree->child[collects ? end - 1 - (i - first) : i];
    if (!is_edge(p, child))
      continue;
    *(*next)++ = edge_between(p, child, child);
    count++;
  }
  return count;
}

/* Takes the tree's channels from *next on. last_stage: of the plan; what goes up comes in the other order. */
static int fill_tree(const gb_passage *p, uint32_t last_stage, gb_channel **next, gb_rank_tree *out) {
  const gb_tree *tree = tree_of(p);
  out->weight = tree->weight;
  out->stage = p->up ? last_stage - tree->stage : tree->stage;
  out->scatters = !p->up && gb_carries_blocks(p->plan->operation);
  out->combines = p->up && gb_combines(p->plan->operation);
  out->collects = p->up && gb_carries_blocks(p->plan->operation);
  out->feeds = GB_NONE;
  out->sender = *next;
  out->sender_count = p->up ? add_children(p, next) : add_parent(p, next);
  out->receiver = *next;
  out->receiver_count = p->up ? add_parent(p, next) : add_children(p, next);
  for (uint32_t i = 0; i < out->receiver_count; i++)
    out->far |= out->receiver[i].wan;
  return gb_carries_blocks(p->plan->operation) ? list_subtree(p, out) : MPI_SUCCESS;
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

/* Number of the site that this rank leads, or GB_NONE. */
static uint32_t led_by(const gbcast_plan *plan, uint32_t me) {
  uint32_t site = 0;
  while (site < plan->site_count && plan->leaders[site] != me)
    site++;
  return site < plan->site_count ? site : GB_NONE;
}

/* The messages of a leader to or from that of another site. */
static gb_channel across(const gb_wire *w, const gbcast_plan *plan, enum gb_direction direction,
                         uint32_t site, uint32_t tree) {
  const uint64_t most = GB_SEGMENT_BYTES_MOST / GB_OPERANDS * GB_OPERANDS;
  return (gb_channel){.direction = direction,
                      .rank = rank_at(w, plan, plan->leaders[site]),
                      .tag = 1,
                      .tree = tree,
                      .segment = most,
                      .ahead = most,
                      .pacing = {.rate = INFINITY,
                                 .shared_rate = INFINITY,
                                 .link_part = INFINITY,
                                 .window = GB_WINDOW_MOST,
                                 .level = GB_LEVEL_WAN},
                      .wan = true,
                      .window_kind = GB_WINDOW_OWN};
}

/* The trees 0, 1 and 2: up inside the sites, across between their leaders, and down. The leaders combine in
 * the order of the sites, and send in that order from their own on. */
static int fill_exchange(const gb_wire *w, const gbcast_plan *plan, uint32_t me, gb_channel *next,
                         gb_rank_tree *tree) {
  const uint32_t own = led_by(plan, me), others = own != GB_NONE ? plan->site_count - 1 : 0;
  gb_passage p = {.w = w, .plan = plan, .me = me, .up = true};
  int rc = fill_tree(&p, 0, &next, &tree[0]);
  for (uint32_t i = 1; i <= others; i++)
    *next++ = across(w, plan, GB_SEND, (own + i) % plan->site_count, 0);
  tree[1] = (gb_rank_tree){.sender = next, .feeds = GB_NONE, .weight = tree[0].weight};
  for (uint32_t s = 0; own != GB_NONE && s < plan->site_count; s++)
    if (s != own)
      *next++ = across(w, plan, GB_RECEIVE, s, 1);
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
  return rc == MPI_SUCCESS ? fill_tree(&p, 0, &next, &tree[2]) : rc;
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
    gb_rank_tree *tree = &schedule->tree[number];
    before = t == 0 ? 0 : before;
    tree->weight_before = before;
    before += all->tree[t].weight;
    rc = fill_tree(&(gb_passage){w, plan, t, number, me, up}, last_stage, &next, tree);
    if (up && way == GB_WAY_BOTH && me == all->root)
      tree->feeds = number + all->tree_count;
  }
  return rc;
}

/* No fewer than this rank has. */
static uint32_t count_channels(const gbcast_plan *plan, uint32_t me, uint32_t ways) {
  const gb_schedule *all = &plan->schedule;
  uint32_t count = all->exchange ? 2 * plan->site_count : 0;
  for (uint32_t t = 0; t < all->tree_count; t++)
    count += ways * (children_of(&all->tree[t], me) + (me != all->root));
  return count;
}

int gb_fill_trees(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  const gb_schedule *all = &plan->schedule;
  const uint32_t ways = gb_way_of(plan->operation) == GB_WAY_BOTH ? 2 : 1;
  uint32_t me = 0;
  while (me < all->endpoint_count && rank_at(w, plan, me) != w->rank)
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
  schedule->tree_count = all->exchange ? 3 : ways * all->tree_count;
  const int rc = all->exchange ? fill_exchange(w, plan, me, schedule->channel, schedule->tree)
                               : fill_ways(w, plan, me, schedule);
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    schedule->channel_count += schedule->tree[t].sender_count + schedule->tree[t].receiver_count;
  return rc == MPI_SUCCESS ? find_firsts(w, plan, schedule) : rc;
}
