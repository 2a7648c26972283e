/* Maximum flow between two sites by shortest augmenting paths (Edmonds and Karp). A site is three nodes,
 * joined by arcs of its wan-bandwidth in each direction:
 *
 *        link --> [inward] --wan-bandwidth--> [inside] --wan-bandwidth--> [outward] --> link
 *
 * A flow starts and ends inside, so a source is held by its outgoing wan-bandwidth, a relay by both. */
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
  }
  for (uint32_t i = 0; i < p->link_count; i++)
    visit(net, outward(p->link[i].from), inward(p->link[i].to), gb_bound_link_capacity(&p->link[i]), fill);
}

int gb_flow_network_new(const gbcast_platform *p, gb_flow_network **out, gbcast_error *err) {
  gb_flow_network *net = calloc(1, sizeof *net);
  if (!net)
    return gb_no_memory(err);
  net->sites = p->cluster_count;
  net->nodes = 3 * p->cluster_count;
  size_t arcs = 2 * ((size_t)2 * p->cluster_count + p->link_count);
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

double gb_max_flow(gb_flow_network *net, uint32_t from, uint32_t to, double enough) {
  for (uint32_t i = 0; i < net->start[net->nodes]; i++)
    net->arc[i].left = net->arc[i].capacity;
  double flow = 0;
  uint32_t source = inside(from), sink = inside(to);
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
