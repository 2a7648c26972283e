/* Maximum flow between sites by shortest augmenting paths (Edmonds and Karp). A site is three nodes, joined
 * by arcs of its wan-bandwidth in each direction:
 *
 *        link --> [inward] --wan-bandwidth--> [inside] --wan-bandwidth--> [outward] --> link
 *                                                |
 *                                                `--blocks / T--> [sink]
 *
 * A flow starts and ends inside, so a source is held by its outgoing wan-bandwidth, a relay by both. A flow
 * to all sites ends at one more node, to which each site has an arc. */
#include "plan/bound/maxflow.h"
#include "plan/bound/limits.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gb_arc {
  uint32_t to, reverse; /* node, index of the opposite arc */
  double capacity, left;
} gb_arc;

struct gb_flow_network {
  uint32_t nodes, sites;
  uint32_t *start; /* nodes + 1 */
  gb_arc *arc;
  uint32_t *via, *queue; /* scratch: the arc that reached a node */
};

static uint32_t inward(uint32_t c) {
  return 3 * c;
}
static uint32_t inside(uint32_t c) {
  return 3 * c + 1;
}
static uint32_t outward(uint32_t c) {
  return 3 * c + 2;
}
static uint32_t sink_of(const gb_flow_network *net) {
  return 3 * net->sites;
}

typedef void gb_each_arc(gb_flow_network *net, uint32_t from, uint32_t to, double capacity, uint32_t *fill);

static void count_arc(gb_flow_network *net, uint32_t from, uint32_t to, double capacity, uint32_t *fill) {
  (void)capacity;
  (void)fill;
  net->start[from + 1]++;
  net->start[to + 1]++;
}

static void put_arc(gb_flow_network *net, uint32_t from, uint32_t to, double capacity, uint32_t *fill) {
  uint32_t i = fill[from]++, j = fill[to]++;
  net->arc[i] = (gb_arc){.to = to, .reverse = j, .capacity = capacity};
  net->arc[j] = (gb_arc){.to = from, .reverse = i, .capacity = 0};
}

static void each_arc(const gbcast_platform *p, gb_flow_network *net, gb_each_arc *visit, uint32_t *fill) {
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    visit(net, inward(c), inside(c), gb_bound_site_capacity(p, c), fill);
    visit(net, inside(c), outward(c), gb_bound_site_capacity(p, c), fill);
    visit(net, inside(c), sink_of(net), 0, fill);
  }
  for (uint32_t i = 0; i < p->link_count; i++)
    visit(net, outward(p->link[i].from), inward(p->link[i].to), gb_bound_link_capacity(&p->link[i]), fill);
}

int gb_flow_network_new(const gbcast_platform *p, gb_flow_network **out, gbcast_error *err) {
  gb_flow_network *net = calloc(1, sizeof *net);
  if (!net)
    return gb_no_memory(err);
  net->sites = p->cluster_count;
  net->nodes = 3 * p->cluster_count + 1;
  size_t arcs = 2 * ((size_t)3 * p->cluster_count + p->link_count);
  net->start = calloc((size_t)net->nodes + 1, sizeof *net->start);
  net->arc = calloc(arcs, sizeof *net->arc);
  net->via = calloc(net->nodes, sizeof *net->via);
  net->queue = calloc(net->nodes, sizeof *net->queue);
  uint32_t *fill = calloc(net->nodes, sizeof *fill);
  if (!net->start || !net->arc || !net->via || !net->queue || !fill) {
    free(fill);
    gb_flow_network_free(net);
    return gb_no_memory(err);
  }
  each_arc(p, net, count_arc, NULL);
  for (uint32_t v = 0; v < net->nodes; v++)
    net->start[v + 1] += net->start[v];
  memcpy(fill, net->start, net->nodes * sizeof *fill);
  each_arc(p, net, put_arc, fill);
  free(fill);
  *out = net;
  return GBCAST_OK;
}

void gb_flow_network_free(gb_flow_network *net) {
  if (!net)
    return;
  free(net->start);
  free(net->arc);
  free(net->via);
  free(net->queue);
  free(net);
}

/* Breadth first to `to`; false when no path is left. */
static bool find_path(gb_flow_network *net, uint32_t from, uint32_t to) {
  memset(net->via, 0xff, net->nodes * sizeof *net->via);
  uint32_t tail = 0;
  net->queue[tail++] = from;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = net->start[net->queue[head]]; i < net->start[net->queue[head] + 1]; i++) {
      uint32_t v = net->arc[i].to;
      if (net->arc[i].left <= 0 || v == from || net->via[v] != GB_NONE)
        continue;
      net->via[v] = i;
      if (v == to)
        return true;
      net->queue[tail++] = v;
    }
  return false;
}

/* The flow between two nodes, or `enough`. */
static double flow_between(gb_flow_network *net, uint32_t source, uint32_t sink, double enough) {
  for (uint32_t i = 0; i < net->start[net->nodes]; i++)
    net->arc[i].left = net->arc[i].capacity;
  double flow = 0;
  while (flow < enough && find_path(net, source, sink)) {
    double push = INFINITY;
    for (uint32_t v = sink; v != source; v = net->arc[net->arc[net->via[v]].reverse].to)
      if (net->arc[net->via[v]].left < push)
        push = net->arc[net->via[v]].left;
    if (push == INFINITY)
      return enough;
    for (uint32_t v = sink; v != source; v = net->arc[net->arc[net->via[v]].reverse].to) {
      gb_arc *a = &net->arc[net->via[v]];
      a->left -= push;
      net->arc[a->reverse].left += push;
    }
    flow += push;
  }
  return flow < enough ? flow : enough;
}

double gb_max_flow(gb_flow_network *net, uint32_t from, uint32_t to, double enough) {
  return flow_between(net, inside(from), inside(to), enough);
}

/* Sets what each site takes in, bytes/s. Returns the sum. */
static double set_sinks(gb_flow_network *net, const double *bytes, double seconds) {
  double sum = 0;
  for (uint32_t c = 0; c < net->sites; c++)
    for (uint32_t i = net->start[inside(c)]; i < net->start[inside(c) + 1]; i++)
      if (net->arc[i].to == sink_of(net)) {
        net->arc[i].capacity = bytes[c] / seconds;
        sum += net->arc[i].capacity;
      }
  return sum;
}

/* A node that the last search for a path has reached. */
static bool is_reached(const gb_flow_network *net, uint32_t v, uint32_t source) {
  return v == source || net->via[v] != GB_NONE;
}

/* When all can have crossed the cut behind what the last search has reached: the first byte is over after the
 * least latency to a site beyond. */
static double time_over_cut(const gb_flow_network *net, uint32_t source, const double *bytes,
                            const double *distance, double *seconds) {
  double rate = 0, beyond = 0, latency = INFINITY;
  for (uint32_t v = 0; v < sink_of(net); v++)
    for (uint32_t i = net->start[v]; is_reached(net, v, source) && i < net->start[v + 1]; i++)
      rate += is_reached(net, net->arc[i].to, source) || net->arc[i].to == sink_of(net)
                  ? 0
                  : net->arc[i].capacity;
  for (uint32_t c = 0; c < net->sites; c++)
    if (bytes[c] > 0 && !is_reached(net, inside(c), source)) {
      beyond += bytes[c];
      latency = distance[c] < latency ? distance[c] : latency;
    }
  *seconds = beyond / rate;
  return latency + *seconds;
}

#define AS_MUCH 0.999999 /* of what all sites take in: rounding */

double gb_flow_time(gb_flow_network *net, uint32_t from, const double *bytes, const double *distance,
                    double seconds) {
  const uint32_t source = inside(from);
  double bound = 0, next = seconds;
  do {
    seconds = next;
    const double all = set_sinks(net, bytes, seconds);
    if (flow_between(net, source, sink_of(net), INFINITY) >= AS_MUCH * all)
      break;
    const double time = time_over_cut(net, source, bytes, distance, &next);
    bound = time > bound ? time : bound;
  } while (next > seconds && next < INFINITY);
  (void)set_sinks(net, bytes, INFINITY);
  return bound;
}
