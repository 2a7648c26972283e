/* Hosts and switches of a cluster in depth-first order.
 *
 *        s0           root on s1:  order  s1 s3 s0 s2,  positions  hosts of s1, of s3, of s0, of s2
 *       /  \
 *     s1    s2
 *     |
 *     s3
 *
 * Neighbours are visited in file order; the core, where tops and loose hosts meet, counts as one more switch
 * after all others. Hosts of a switch keep the order given, the root first. O(hosts + switches). */
#include "intra/intra.h"

#include <stdlib.h>

/* Nodes 0 .. node_count - 1, here by the file: its switches low .. high, then the core. Other clusters'
 * switches may lie between; they join nothing and are never visited. */
typedef struct switch_tree {
  uint32_t low, node_count;
  uint32_t *above;   /* the node that a node's cable leads to, GB_NONE for the core */
  uint32_t *below;   /* last in file order of the nodes whose cables lead here, then `sibling` */
  uint32_t *sibling; /* the one before it in file order */
  uint32_t *origin;  /* the node from which the walk came */
  uint32_t *number;  /* in the order of the walk */
  uint32_t *pending; /* stack */
  uint32_t *first;   /* first host of a node, then `next` */
  uint32_t *next;    /* by index into host */
} switch_tree;

/* The stretch of the file that holds all switches of the cluster, found outward from one of them. */
static void find_switches(const gbcast_platform *p, uint32_t cluster, uint32_t known, uint32_t *low,
                          uint32_t *high) {
  uint32_t found = 1, wanted = p->cluster[cluster].switch_count;
  *low = *high = known;
  while (found < wanted && (*low > 0 || *high + 1 < p->switch_count)) {
    if (*low > 0) {
      found += p->sw[--*low].cluster == cluster;
    }
    if (*high + 1 < p->switch_count) {
      found += p->sw[++*high].cluster == cluster;
    }
  }
}

static uint32_t node_of(const switch_tree *c, uint32_t sw) {
  return sw == GB_NONE ? c->node_count - 1 : sw - c->low;
}

static void join_switches(switch_tree *c, const gbcast_platform *p, uint32_t cluster) {
  uint32_t core = c->node_count - 1;
  for (uint32_t node = 0; node < c->node_count; node++) {
    c->above[node] = c->below[node] = c->sibling[node] = c->first[node] = GB_NONE;
  }
  for (uint32_t node = 0; node < core; node++) {
    const gb_switch *sw = &p->sw[c->low + node];
    if (sw->cluster == cluster) {
      uint32_t up = node_of(c, sw->uplink);
      c->above[node] = up;
      c->sibling[node] = c->below[up];
      c->below[up] = node;
    }
  }
}

static void place_hosts(switch_tree *c, const gbcast_platform *p, const uint32_t *host, uint32_t count) {
  for (uint32_t i = count; i-- > 0;) {
    uint32_t node = node_of(c, p->host[host[i]].sw);
    c->next[i] = c->first[node];
    c->first[node] = i;
  }
}

/* Puts the neighbours on the stack, the last in file order first. Each was met from one side only: it is a
 * tree. */
static uint32_t push_neighbours(switch_tree *c, uint32_t node, uint32_t depth) {
  uint32_t up = c->above[node];
  bool up_waits = up != GB_NONE && up != c->origin[node];
  for (uint32_t child = c->below[node]; child != GB_NONE; child = c->sibling[child]) {
    if (up_waits && up > child) {
      c->origin[up] = node;
      c->pending[depth++] = up;
      up_waits = false;
    }
    if (child != c->origin[node]) {
      c->origin[child] = node;
      c->pending[depth++] = child;
    }
  }
  if (up_waits) {
    c->origin[up] = node;
    c->pending[depth++] = up;
  }
  return depth;
}

static void walk_from(switch_tree *c, uint32_t start, gb_switch_order *w) {
  uint32_t depth = 0, position = 0;
  w->node_count = 0;
  c->origin[start] = GB_NONE;
  c->pending[depth++] = start;
  while (depth > 0) {
    uint32_t node = c->pending[--depth], number = w->node_count++;
    c->number[node] = number;
    w->from[number] = c->origin[node] == GB_NONE ? GB_NONE : c->number[c->origin[node]];
    w->first[number] = position;
    w->sw[number] = node == c->node_count - 1 ? GB_NONE : c->low + node;
    for (uint32_t i = c->first[node]; i != GB_NONE; i = c->next[i]) {
      w->node[position] = number;
      w->host[position++] = i;
    }
    w->end[number] = position;
    depth = push_neighbours(c, node, depth);
  }
  for (uint32_t v = w->node_count; v-- > 1;) {
    if (w->end[v] > w->end[w->from[v]]) {
      w->end[w->from[v]] = w->end[v];
    }
  }
}

static int walk_cluster(const gbcast_platform *p, const uint32_t *host, uint32_t known, gb_switch_order *w,
                        gbcast_error *err) {
  switch_tree c = {.low = 0, .node_count = 1};
  if (known != GB_NONE) {
    uint32_t high = known;
    find_switches(p, p->sw[known].cluster, known, &c.low, &high);
    c.node_count = high - c.low + 2;
  }
  size_t nodes = c.node_count, count = w->count;
  w->words = malloc((2 * count + 4 * nodes) * sizeof *w->words);
  uint32_t *words = calloc(7 * nodes + count, sizeof *words);
  if (w->words == NULL || words == NULL) {
    free(words);
    gb_switch_order_free(w);
    return gb_no_memory(err);
  }
  w->host = w->words;
  w->node = w->host + count;
  w->from = w->node + count;
  w->first = w->from + nodes;
  w->end = w->first + nodes;
  w->sw = w->end + nodes;
  c.above = words;
  c.below = c.above + nodes;
  c.sibling = c.below + nodes;
  c.origin = c.sibling + nodes;
  c.number = c.origin + nodes;
  c.pending = c.number + nodes;
  c.first = c.pending + nodes;
  c.next = c.first + nodes;
  join_switches(&c, p, known == GB_NONE ? GB_NONE : p->sw[known].cluster);
  place_hosts(&c, p, host, w->count);
  walk_from(&c, count == 0 ? 0 : node_of(&c, p->host[host[0]].sw), w);
  free(words);
  return GBCAST_OK;
}

int gb_switch_order_new(const gbcast_platform *p, const uint32_t *host, uint32_t count,
                        gb_switch_order *order, gbcast_error *err) {
  uint32_t known = GB_NONE; /* a switch with a host on it; without one all hosts are on the core */
  *order = (gb_switch_order){.count = count};
  for (uint32_t i = 0; i < count; i++) {
    if (p->host[host[i]].cluster != p->host[host[0]].cluster) {
      return gb_fail(err, GBCAST_EUSAGE, "host '%s' is not in the cluster of '%s'", p->host[host[i]].name,
                     p->host[host[0]].name);
    }
    known = p->host[host[i]].sw != GB_NONE ? p->host[host[i]].sw : known;
  }
  return walk_cluster(p, host, known, order, err);
}

void gb_switch_order_free(gb_switch_order *order) {
  free(order->words);
  *order = (gb_switch_order){0};
}

uint32_t gb_switch_order_ancestor(const gb_switch_order *order, uint32_t a, uint32_t b) {
  while (a != b) { /* the larger number is not on the way to the other */
    if (a > b) {
      a = order->from[a];
    } else {
      b = order->from[b];
    }
  }
  return a;
}
