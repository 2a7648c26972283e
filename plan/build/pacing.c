/* Decides how fast the messages of each edge follow each other, and how many are in flight.
 *
 * Messages that start together share a link and arrive together, and so do all that start when these are
 * done. So they start one by one, as fast as the sender's own link and the narrowest link of the path take
 * them (mpi/exec/pace.h). As many are in flight as fill the path there and back:
 *
 *   window = 1 + 2 L B / segment + a few spare ones        L: latency (s), B: narrowest link (bytes/s)
 *
 * The numbers are measured: docs/planning.md, "Where the numbers come from". */
#include "plan/build/build.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

/* Messages that a sender has in flight beyond those that fill the path, and their bytes at most. */
typedef struct gb_spare {
  uint64_t messages, bytes;
} gb_spare;

/* Messages that are not cut are paced only over paths of so many links. On longer ones they are late in any
 * case, and more so if they wait. */
enum { HOPS_ON_A_SWITCH = 2 };

/* With few spare messages, a stream that shares a link loses its share while it waits for a receiver. But
 * between sites, spare messages inside a site take a leader's link from its streams to other sites. */
static gb_spare spare_of(const gbcast_plan *plan) {
  return plan->site_count == 1 ? (gb_spare){4, 128 << 10} : (gb_spare){1, 32 << 10};
}

/* path: bytes that the links hold there and back. Few messages are spare, because messages to several
 * children should arrive one after the other. */
static uint32_t window_of(double path, uint64_t segment, gb_spare spare) {
  uint64_t more = spare.bytes / segment;
  double messages = path / (double)segment + 0.9;
  messages += (double)(more < spare.messages ? more : spare.messages);
  return messages < GB_WINDOW_MOST - 1 ? 1 + (uint32_t)messages : GB_WINDOW_MOST;
}

/* The window between sites. A scatter in several trees fills its root's link, and messages for its own site
 * share that link with those for others. The latter take longer than their path alone, so more must be in
 * flight to keep a far uplink busy. */
static uint32_t window_across(const gbcast_plan *plan, uint32_t window) {
  const bool slowed = gb_carries_blocks(plan->operation) && plan->schedule.tree_count > 1;
  return !slowed ? window : window < GB_WINDOW_MOST / 2 ? 2 * window : GB_WINDOW_MOST;
}

/* Bytes/s: as measured for messages of this size, inside a cluster with measured gaps; otherwise those of the
 * link. */
static double rate_of(const gb_route *route, double link, uint64_t segment) {
  double gap = route->plogp != NULL && !route->wan ? gb_plogp_gap(route->plogp, segment) : 0;
  return gap > 0 ? (double)segment / gap : link;
}

/* Whether the bandwidth is a default of the hosts file; nothing is paced by that. */
static bool is_assumed(const gbcast_platform *p, uint32_t from, uint32_t to, const gb_route *route) {
  const uint32_t home = p->host[from].cluster, there = p->host[to].cluster;
  const gb_link *link = gb_platform_link(p, home, there);
  return route->wan ? link != NULL && link->assumed_bandwidth
                    : p->cluster[home].assumed_bandwidth && route->plogp == NULL;
}

/* Sets the pacing of the edge to endpoint v. below: s from v having a segment until all below it have it. */
static int pace_edge(gb_network *net, const gbcast_plan *plan, const gb_tree *tree, uint32_t v, double below,
                     gbcast_error *err) {
  const uint64_t segment = tree->segment, share = plan->bytes / plan->schedule.weight_total * tree->weight;
  const uint32_t u = tree->parent[v], from = plan->schedule.endpoint[u].host,
                 to = plan->schedule.endpoint[v].host;
  gb_pacing *pacing = &tree->pacing[v];
  *pacing = (gb_pacing){.level = gb_plan_level(plan, u, v),
                        .streams = gb_carries_blocks(plan->operation) || segment < share,
                        .shared_rate = INFINITY,
                        .link_part = INFINITY,
                        .window = window_of(0, segment, spare_of(plan))};
  if (pacing->level == GB_LEVEL_NODE)
    return GBCAST_OK;
  int status = gb_network_route(net, from, to, err);
  if (status != GBCAST_OK)
    return status;
  const gb_route *route = &net->route;
  pacing->window = window_of(2 * route->latency * route->narrowest, segment, spare_of(plan));
  if (route->wan) {
    pacing->window = window_across(plan, pacing->window);
    pacing->shared_rate = gb_route_shared(route);
  }
  pacing->latency = route->latency;
  pacing->delivery = route->latency + (!gb_carries_blocks(plan->operation) ? below : 0);
  pacing->rate = rate_of(route, route->narrowest, segment);
  pacing->port = 1 / rate_of(route, route->hop[0].bandwidth, segment);
  pacing->paced = !is_assumed(net->p, from, to, route) &&
                  (route->wan || pacing->streams || route->hop_count == HOPS_ON_A_SWITCH);
  return GBCAST_OK;
}

static int pace_tree(gb_network *net, gbcast_plan *plan, uint32_t number, double *below, gbcast_error *err) {
  gb_tree *tree = &plan->schedule.tree[number];
  int status = GBCAST_OK;
  if (tree->pacing == NULL)
    tree->pacing = calloc(plan->schedule.endpoint_count, sizeof *tree->pacing);
  if (tree->pacing == NULL)
    return gb_no_memory(err);
  for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
    below[e] = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    below[gb_plan_leader(plan, s, number)] = plan->site[s].label;
  for (uint32_t v = 0; status == GBCAST_OK && v < plan->schedule.endpoint_count; v++)
    if (tree->parent[v] != GB_NONE)
      status = pace_edge(net, plan, tree, v, below[v], err);
  return status;
}

static void set_part(void *context, uint32_t tree, uint32_t to, double rate) {
  ((gbcast_plan *)context)->schedule.tree[tree].pacing[to].link_part = rate;
}

/* Trees in stages do not meet. */
static int share_links(gbcast_plan *plan, gbcast_error *err) {
  if (gb_carries_blocks(plan->operation) || gb_plan_in_stages(plan))
    return GBCAST_OK;
  return gb_link_parts(&plan->schedule, plan->platform, set_part, plan, err);
}

/* Whether a scatter's root has more for its own site than it can send before the first bytes for the farthest
 * site arrive. Such messages take bandwidth from those for other sites, all the more with several trees,
 * which fill the link. order, blocks: memory, endpoint_count each. */
static bool is_far_first(const gbcast_plan *plan, uint32_t *order, uint32_t *blocks) {
  double near = 0, far = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    gb_tree_sizes(tree, plan->schedule.root, plan->schedule.endpoint_count, order, blocks);
    for (uint32_t i = tree->child_start[plan->schedule.root]; i < tree->child_start[plan->schedule.root + 1];
         i++) {
      const gb_pacing *pacing = &tree->pacing[tree->child[i]];
      if (pacing->level == GB_LEVEL_WAN)
        far = gb_larger(far, pacing->latency);
      else
        near += (double)blocks[tree->child[i]] * tree->weight / plan->schedule.weight_total *
                (double)plan->bytes * pacing->port;
    }
  }
  return plan->schedule.tree_count > 1 ? near > far / 2 : plan->schedule.pace > 1 && near > far;
}

static int set_far_first(gbcast_plan *plan, gbcast_error *err) {
  const size_t n = plan->schedule.endpoint_count;
  if (!gb_carries_blocks(plan->operation))
    return GBCAST_OK;
  uint32_t *order = malloc(2 * n * sizeof *order);
  if (order == NULL)
    return gb_no_memory(err);
  plan->schedule.far_first = is_far_first(plan, order, order + n);
  free(order);
  return GBCAST_OK;
}

int gb_plan_set_pacing(gb_network *net, gbcast_plan *plan, gbcast_error *err) {
  double *below = malloc(plan->schedule.endpoint_count * sizeof *below);
  int status = below != NULL ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < plan->schedule.tree_count; t++)
    status = pace_tree(net, plan, t, below, err);
  free(below);
  for (uint32_t s = 0; s < plan->site_count; s++)
    plan->site[s].one_uplink = plan->platform->cluster[plan->site[s].cluster].wan_bandwidth < INFINITY;
  if (status == GBCAST_OK)
    status = share_links(plan, err);
  return status == GBCAST_OK ? set_far_first(plan, err) : status;
}
