/* How fast the streams between sites are.
 *
 * Parts. If several ranks of a site send to another one, each is paced at the share of the link that it has
 * of the bytes (plan/build/pacing.c):
 *
 *   lane 0   a0 ==\\
 *                  =====> site b      a0 and a1 get half of the link each
 *   lane 1   a1 ==//
 *
 * Pauses. Messages inside a site, on a short round trip, take a link from streams between sites on a long
 * one. These get only GB_LEFT_BY_INSIDE of it meanwhile, so a stream that needs more pauses for
 *
 *   1 - GB_LEFT_BY_INSIDE * link / rate of the stream, not below 0
 *
 * of the time in which its sender sends, or its receiver receives, inside their sites, whichever is longer.
 * The pauses are spread over all messages of the stream. A message that is alone on its stream pauses only
 * for what its sender sends after it, and no longer than until it is over. */
#include "plan/sim/wan_streams.h"
#include <math.h>
#include <stdlib.h>

/* Bytes that TCP sends without an answer (RFC 6928); messages that are no longer do not pause. */
#define GB_BURST ((uint64_t)10 * GB_PACKET_BYTES)

static uint32_t site_of(const gb_schedule *schedule, const gbcast_platform *p, uint32_t endpoint) {
  return p->host[schedule->endpoint[endpoint].host].cluster;
}

/* Adds to part (by cluster) sign times the weights that endpoints u to end - 1 send to each cluster. */
static void add_weights(const gb_schedule *schedule, const gbcast_platform *p, uint32_t u, uint32_t end,
                        double sign, double *part) {
  for (; u < end; u++)
    for (uint32_t t = 0; t < schedule->tree_count; t++) {
      const gb_tree *tree = &schedule->tree[t];
      for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++)
        part[site_of(schedule, p, tree->child[i])] += sign * tree->weight;
    }
}

/* Bytes/s of the link between two sites; INFINITY if the path has several links. */
static double rate_between(const gbcast_platform *p, uint32_t from, uint32_t to) {
  const gb_link *link = gb_platform_link(p, from, to);
  return link == NULL ? INFINITY
                      : gb_smaller(link->bandwidth,
                                   gb_smaller(p->cluster[from].wan_bandwidth, p->cluster[to].wan_bandwidth));
}

static void visit_sender(const gb_schedule *schedule, const gbcast_platform *p, uint32_t u, double *mine,
                         const double *all, gb_link_part_visit *visit, void *context) {
  add_weights(schedule, p, u, u + 1, 1, mine);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const gb_tree *tree = &schedule->tree[t];
    for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++) {
      const uint32_t v = tree->child[i], from = site_of(schedule, p, u), to = site_of(schedule, p, v);
      if (to != from)
        visit(context, t, v, rate_between(p, from, to) * mine[to] / all[to]);
    }
  }
  add_weights(schedule, p, u, u + 1, -1, mine);
}

int gb_link_parts(const gb_schedule *schedule, const gbcast_platform *p, gb_link_part_visit *visit,
                  void *context, gbcast_error *err) {
  double *mine = calloc(2 * (size_t)p->cluster_count, sizeof *mine);
  if (mine == NULL)
    return gb_no_memory(err);
  double *all = mine + p->cluster_count;
  for (uint32_t first = 0, end; first < schedule->endpoint_count; first = end) {
    end = first + 1;
    while (end < schedule->endpoint_count && site_of(schedule, p, end) == site_of(schedule, p, first))
      end++;
    add_weights(schedule, p, first, end, 1, all);
    for (uint32_t u = first; u < end; u++)
      visit_sender(schedule, p, u, mine, all, visit, context);
    add_weights(schedule, p, first, end, -1, all);
  }
  free(mine);
  return GBCAST_OK;
}

static void take_part(void *context, uint32_t tree, uint32_t to, double rate) {
  gb_edge *edge = &((gb_traffic *)context)->edge[tree][to];
  if (edge->measured)
    return;
  edge->busy[0] = gb_larger(edge->busy[0], (double)edge->full / (rate * edge->efficiency));
  edge->busy[1] = gb_larger(edge->busy[1], (double)edge->last / (rate * edge->efficiency));
}

static double messages_of(const gb_edge *edge) {
  const uint64_t messages = (edge->bytes - 1) / edge->full + 1;
  return (double)messages;
}

/* s that the messages to v keep its sender's own link busy, of those inside a site. */
static double busy_inside(const gb_edge *edge) {
  return edge->wan || edge->bytes == 0 ? 0 : (messages_of(edge) - 1) * edge->into[0] + edge->into[1];
}

/* What endpoints send and receive inside their sites, and how many messages each stream has. */
typedef struct gb_inside {
  double *sent, *received; /* n: s on the own link */
  double *messages;        /* index gb_edge.stream */
} gb_inside;

static void add_up(const gb_schedule *schedule, const gb_traffic *traffic, const gb_inside *inside) {
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      const gb_edge *edge = &traffic->edge[t][v];
      if (schedule->tree[t].parent[v] == GB_NONE || edge->bytes == 0)
        continue;
      if (edge->wan)
        inside->messages[edge->stream] += messages_of(edge);
      const double busy = busy_inside(edge);
      inside->sent[schedule->tree[t].parent[v]] += busy;
      inside->received[v] += busy;
    }
}

/* Of streams that u sends in one tree. */
static void pause_sender(const gb_tree *tree, const gb_inside *inside, uint32_t u, gb_edge *edges) {
  double over = 0; /* s that u has sent inside before */
  for (uint32_t i = tree->child_start[u]; i < tree->child_start[u + 1]; i++) {
    const uint32_t v = tree->child[i];
    gb_edge *edge = &edges[v];
    over += busy_inside(edge);
    if (!edge->wan || !(edge->into[0] > 0) || edge->bytes <= GB_BURST)
      continue;
    const bool alone = edge->bytes <= edge->full;
    const double sent = inside->sent[u] - (alone ? over : 0), all = gb_larger(sent, inside->received[v]);
    const double left = gb_smaller(1, GB_LEFT_BY_INSIDE * edge->busy[0] / edge->into[0]);
    double pause = (1 - left) * all / inside->messages[edge->stream];
    if (alone)
      pause = gb_smaller(pause, (1 - left) / left * gb_larger(0, edge->busy[0] - edge->into[0]));
    edge->busy[0] += pause;
    edge->busy[1] += pause;
  }
}

int gb_wan_streams_slow_down(const gb_schedule *schedule, const gbcast_platform *p, const gb_flow *flow,
                             gb_traffic *traffic, gbcast_error *err) {
  const size_t n = schedule->endpoint_count;
  int status = GBCAST_OK;
  if (!gb_carries_blocks(flow->operation) && schedule->tree[schedule->tree_count - 1].stage == 0)
    status = gb_link_parts(schedule, p, take_part, traffic, err);
  double *memory =
      status == GBCAST_OK ? calloc(n * (2 + (size_t)schedule->tree_count), sizeof *memory) : NULL;
  if (memory) {
    const gb_inside inside = {memory, memory + n, memory + 2 * n};
    add_up(schedule, traffic, &inside);
    for (uint32_t t = 0; t < schedule->tree_count; t++)
      for (uint32_t u = 0; u < n; u++)
        pause_sender(&schedule->tree[t], &inside, u, traffic->edge[t]);
  } else if (status == GBCAST_OK)
    status = gb_no_memory(err);
  free(memory);
  return status;
}
