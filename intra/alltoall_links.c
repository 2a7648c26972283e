/* The machines of a cluster and the directed links between them. */
#include "intra/intra.h"

#include <stdlib.h>

/* branches: node_count zeros, for what a node has below it: machines of its own, cables that lead to some.
 * Node 0 has a machine, so a node with two branches below it and one above is a fork. */
static void find_above(gb_machines *m, uint32_t *branches) {
  const gb_switch_order *w = &m->order;
  for (uint32_t i = 0; i < m->count; i++) {
    branches[m->node[i]] = 2;
  }
  for (uint32_t v = 1; v < w->node_count; v++) {
    branches[w->from[v]] += w->end[v] > w->first[v];
  }
  m->above[0] = GB_NONE;
  for (uint32_t v = 1; v < w->node_count; v++) {
    m->above[v] = branches[w->from[v]] > 1 ? w->from[v] : m->above[w->from[v]];
  }
}

int gb_machines_new(const gbcast_platform *p, const uint32_t *host, uint32_t count, gb_machines *m,
                    gbcast_error *err) {
  *m = (gb_machines){.p = p, .host = host, .count = count};
  int status = gb_switch_order_new(p, host, count, &m->order, err);
  if (status != GBCAST_OK) {
    return status;
  }
  m->node = calloc((size_t)count + m->order.node_count, sizeof *m->node);
  uint32_t *branches = calloc(m->order.node_count, sizeof *branches);
  if (m->node == NULL || branches == NULL) {
    free(branches);
    gb_machines_free(m);
    return gb_no_memory(err);
  }
  m->above = m->node + count;
  for (uint32_t position = 0; position < count; position++) {
    m->node[m->order.host[position]] = m->order.node[position];
  }
  find_above(m, branches);
  free(branches);
  return GBCAST_OK;
}

void gb_machines_free(gb_machines *m) {
  gb_switch_order_free(&m->order);
  free(m->node);
  *m = (gb_machines){0};
}

uint32_t gb_machines_links(const gb_machines *m) {
  return 2 * (m->count + m->order.node_count);
}

/* Of the cable between a node and the one nearer to node 0: it belongs to the lower of the two, wherever the
 * order begins. */
static const gb_switch *cable(const gb_machines *m, uint32_t node) {
  const uint32_t sw = m->order.sw[node], nearer = m->order.sw[m->order.from[node]];
  return &m->p->sw[sw != GB_NONE && m->p->sw[sw].uplink == nearer ? sw : nearer];
}

double gb_machines_bandwidth(const gb_machines *m, uint32_t link) {
  return link < 2 * m->count ? m->p->cluster[m->p->host[m->host[0]].cluster].bandwidth
                             : cable(m, link / 2 - m->count)->bandwidth;
}

static double cables_latency(const gb_machines *m, uint32_t from, uint32_t to) {
  double latency = 0;
  for (uint32_t a = m->node[from], b = m->node[to]; a != b;) { /* the larger number is not on the way */
    uint32_t *far = a > b ? &a : &b;
    latency += cable(m, *far)->latency;
    *far = m->order.from[*far];
  }
  return latency;
}

/* Goes twice to the farthest machine: in a tree the second time is the longest path of all. */
double gb_machines_farthest(const gb_machines *m) {
  uint32_t at = 0;
  double most = 0;
  for (int sweep = 0; sweep < 2; sweep++) {
    const uint32_t from = at;
    for (uint32_t i = 0; i < m->count; i++) {
      const double latency = cables_latency(m, from, i);
      if (latency > most) {
        most = latency;
        at = i;
      }
    }
  }
  return most;
}

uint32_t gb_machines_path(const gb_machines *m, uint32_t from, uint32_t to, uint32_t *link) {
  uint32_t a = m->node[from], b = m->node[to], count = 0;
  link[count++] = 2 * from;
  while (a != b) { /* the larger number is not on the way to the other */
    if (a > b) {
      link[count++] = 2 * (m->count + a);
      a = m->above[a];
    } else {
      link[count++] = 2 * (m->count + b) + 1;
      b = m->above[b];
    }
  }
  link[count++] = 2 * to + 1;
  return count;
}
