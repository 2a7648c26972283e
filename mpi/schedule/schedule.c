/* One rank's part of a plan: whom it hears from, whom it sends to, in which order and in which pieces. */
#include "mpi/schedule/schedule.h"
#include "mpi/schedule/shared_links.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

/* Messages, and bytes at most, that a sender has in flight beyond those that fill the path. */
typedef struct gb_in_hand {
  uint64_t messages, bytes;
} gb_in_hand;

/* Whole messages are paced only over such ways: those that take longer are late anyway, and the more so if
 * they wait here. Simulated, 64 B from one host to 31 others on four switches take 420 us paced, 383 not. */
enum { HOPS_ON_A_SWITCH = 2 };

static int rank_at(const gb_wire *w, const gbcast_plan *plan, uint32_t endpoint) {
  return gb_wire_rank_of(w, plan->endpoint[endpoint].host, plan->endpoint[endpoint].k);
}

/* With few in hand a stream that meets others on a link loses its part of it while it waits for a receiver:
 * simulated, 16 MiB over four switches take 1.16 of the bound with one message, 1.10 with four. But between
 * sites what is in hand at home takes a leader's link from its streams to other sites. */
static gb_in_hand in_hand_of(const gbcast_plan *plan) {
  return plan->site_count == 1 ? (gb_in_hand){4, 128 << 10} : (gb_in_hand){1, 32 << 10};
}

/* Messages in flight to one receiver: those of `segment` bytes that fill the path there and back, and some in
 * hand, but not many bytes: messages to several children are to arrive one after the other. */
static unsigned window_of(double path_bytes, uint64_t segment, gb_in_hand in_hand) {
  uint64_t more = in_hand.bytes / segment;
  double messages = path_bytes / (double)segment + 0.9;
  messages += (double)(more < in_hand.messages ? more : in_hand.messages);
  return messages < GB_WINDOW_MOST - 1 ? 1 + (unsigned)messages : GB_WINDOW_MOST;
}

/* A scatter in several trees fills its root's link, and messages for its own site are beside those for others
 * on it: these take longer than the path alone, so that what is in flight must be more to keep a far uplink
 * busy. Simulated, on a mesh of five sites 256 KiB take 140.9 ms with a window that fills an idle path, and
 * 128.3 ms with two; four do no better, and a star in one tree is 1 % slower with two. */
static unsigned window_across(const gbcast_plan *plan, unsigned window) {
  const bool slowed = plan->operation == GBCAST_SCATTER && plan->tree_count > 1;
  return !slowed ? window : window < GB_WINDOW_MOST / 2 ? 2 * window : GB_WINDOW_MOST;
}

/* Bytes a second: as measured for messages of this size inside a cluster, or those of the link. */
static double rate_of(const gb_route *route, double link, uint64_t segment) {
  double gap = route->plogp != NULL && !route->wan ? gb_plogp_gap(route->plogp, segment) : 0;
  return gap > 0 ? (double)segment / gap : link;
}

/* Of the site whose leader this is in a tree; 0 for others. */
static double label_of(const gbcast_plan *plan, uint32_t tree, uint32_t endpoint) {
  for (uint32_t s = 0; s < plan->site_count; s++)
    if (gb_plan_leader(plan, s, tree) == endpoint)
      return plan->site[s].label;
  return 0;
}

static uint64_t segment_of(const gbcast_plan *plan, uint32_t tree) {
  const uint64_t segment = plan->tree[tree].segment;
  return segment < 1 ? 1 : segment > GB_MESSAGE_MAX ? GB_MESSAGE_MAX : segment;
}

static gb_rank_edge edge_between(const gb_wire *w, const gbcast_plan *plan, uint32_t tree, uint32_t from,
                                 uint32_t to, uint32_t other) {
  const gbcast_platform *p = plan->platform;
  const uint64_t segment = segment_of(plan, tree);
  const uint64_t share = plan->bytes / plan->weight_total * plan->tree[tree].weight;
  const gb_in_hand in_hand = in_hand_of(plan);
  gb_rank_edge edge = {
      .rank = rank_at(w, plan, other), .lane = GB_LANE_NODE, .window = window_of(0, segment, in_hand)};
  enum gb_level level = gb_plan_level(plan, from, to);
  const bool streams = plan->operation == GBCAST_SCATTER || segment < share;
  edge.wan = level == GB_LEVEL_WAN;
  if (level == GB_LEVEL_NODE)
    return edge;
  edge.lane = GB_LANE_OWN;
  edge.window = GB_WINDOW_MOST;
  gb_route route = {0};
  uint32_t from_host = plan->endpoint[from].host, to_host = plan->endpoint[to].host;
  if (gb_route_between(p, from_host, to_host, NULL, &route, NULL) == GBCAST_OK) {
    edge.window = window_of(2 * route.latency * route.narrowest, segment, in_hand);
    if (edge.wan)
      edge.window = window_across(plan, edge.window);
    edge.latency = route.latency;
    edge.way = route.latency + (plan->operation == GBCAST_BCAST ? label_of(plan, tree, to) : 0);
    edge.rate = rate_of(&route, route.narrowest, segment);
    edge.links = edge.wan ? gb_route_shared(&route) : INFINITY;
    edge.port = 1 / rate_of(&route, route.hop[0].bandwidth, segment);
    bool assumed = p->cluster[p->host[from_host].cluster].assumed_bandwidth && route.plogp == NULL;
    const gb_link *link = gb_platform_link(p, p->host[from_host].cluster, p->host[to_host].cluster);
    edge.paced = edge.wan ? link == NULL || !link->assumed_bandwidth
                          : !assumed && (streams || route.hop_count == HOPS_ON_A_SWITCH);
  }
  edge.paced =
      edge.paced && !(w->near != NULL && w->near[edge.rank]); /* ranks that share memory use no link */
  gb_route_release(&route);
  if (level == GB_LEVEL_LAN && !streams && !edge.paced)
    edge.lane = GB_LANE_LAN;
  return edge;
}

/* The ranks below `me` in stream order, by a walk without recursion: children in sending order, a node after
 * its children. */
static int list_subtree(const gb_wire *w, const gbcast_plan *plan, const gb_tree *tree, uint32_t me,
                        gb_rank_tree *out) {
  uint32_t first = tree->child_start[me], count = 0;
  uint32_t *next = malloc(sizeof *next * plan->endpoint_count);
  uint32_t *order = malloc(sizeof *order * plan->endpoint_count);
  out->child_first = malloc(sizeof *out->child_first * ((size_t)out->child_count + 1));
  if (next == NULL || order == NULL || out->child_first == NULL) {
    free(next);
    free(order);
    return MPI_ERR_NO_MEM;
  }
  for (uint32_t e = 0; e < plan->endpoint_count; e++)
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

static int fill_tree(const gb_wire *w, const gbcast_plan *plan, uint32_t number, uint32_t me,
                     gb_rank_tree *out) {
  const gb_tree *tree = &plan->tree[number];
  out->segment = segment_of(plan, number);
  out->weight = tree->weight;
  out->stage = tree->turn;
  out->parent.rank = -1;
  if (tree->parent[me] != GB_NONE)
    out->parent = edge_between(w, plan, number, tree->parent[me], me, tree->parent[me]);
  uint32_t first = tree->child_start[me], count = tree->child_start[me + 1] - first;
  out->child = malloc(sizeof *out->child * (count + (size_t)1));
  if (out->child == NULL)
    return MPI_ERR_NO_MEM;
  out->child_count = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t child = tree->child[first + i];
    out->child[i] = edge_between(w, plan, number, me, child, child);
    out->far |= out->child[i].wan;
  }
  return plan->operation == GBCAST_SCATTER ? list_subtree(w, plan, tree, me, out) : MPI_SUCCESS;
}

static int fill(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root,
                gb_rank_schedule *schedule) {
  schedule->operation = plan->operation;
  schedule->root = root;
  schedule->class_bytes = gb_size_class(bytes);
  schedule->predicted = plan->predicted;
  schedule->rendezvous = plan->rendezvous;
  schedule->hash = gb_plan_hash_for(plan, schedule->class_bytes);
  schedule->weight_total = plan->weight_total;
  schedule->bytes_at_most =
      sizeof *schedule + ((uint64_t)plan->tree_count + 1) * (uint64_t)w->size * sizeof(gb_rank_edge);
  schedule->pace = 1;
  schedule->efficiency[0] = plan->efficiency[0];
  schedule->efficiency[1] = plan->efficiency[1];
  if (plan->operation == GBCAST_ALLTOALL)
    return gb_class_of_status(
        gb_exchange_new(plan->alltoall, w->rank_host[w->rank], &schedule->exchange, NULL));
  uint32_t me = 0;
  while (me < plan->endpoint_count && rank_at(w, plan, me) != w->rank)
    me++;
  if (me == plan->endpoint_count || plan->tree_count == 0 || plan->tree_count > GB_TREES_MOST)
    return MPI_ERR_INTERN;
  if (me == plan->root)
    schedule->pace = plan->pace;
  schedule->tree = calloc(plan->tree_count, sizeof *schedule->tree);
  if (schedule->tree == NULL)
    return MPI_ERR_NO_MEM;
  schedule->tree_count = plan->tree_count;
  schedule->in_stages = gb_plan_in_turn(plan);
  int rc = MPI_SUCCESS;
  uint32_t before = 0;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < plan->tree_count; t++) {
    schedule->tree[t].weight_before = before;
    before += plan->tree[t].weight;
    rc = fill_tree(w, plan, t, me, &schedule->tree[t]);
  }
  return rc == MPI_SUCCESS ? gb_rank_find_shared_links(w, plan, schedule) : rc;
}

int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out) {
  gb_rank_schedule *schedule = calloc(1, sizeof *schedule);
  int rc = schedule == NULL ? MPI_ERR_NO_MEM : fill(w, plan, bytes, root, schedule);
  if (rc != MPI_SUCCESS) {
    gb_rank_schedule_free(schedule);
    return rc;
  }
  schedule->native = native;
  *out = schedule;
  return MPI_SUCCESS;
}

void gb_rank_schedule_free(gb_rank_schedule *schedule) {
  if (schedule == NULL)
    return;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    free(schedule->tree[t].child);
    free(schedule->tree[t].order);
    free(schedule->tree[t].child_first);
  }
  gb_exchange_free(&schedule->exchange);
  gbcast_plan_free(schedule->plan);
  free(schedule->tree);
  free(schedule);
}
