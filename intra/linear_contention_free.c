/* Contention-free linear tree: Algorithm 1 of Patarasuk, Yuan and Faraj. The switches of the cluster are
 * numbered as a depth-first walk from the root's switch meets them; the chain takes the hosts switch by
 * switch in that order. The walk crosses each cable once in each direction, so no two hops share a directed
 * link.
 *
 *        s0           root on s1:  walk  s1 s3 s0 s2,  chain  hosts of s1, of s3, of s0, of s2
 *       /  \
 *     s1    s2        (P - 1) (L(s) + g(s)) + (k - 1) g(s)   (formula 1)
 *     |
 *     s3
 *
 * Neighbours are visited in file order; the core, where tops and loose hosts meet, counts as one more switch
 * after all others. Hosts keep the order given, the root first. O(hosts + switches). */
#include "intra/algorithms.h"

#include <stdlib.h>

/* Nodes 0 .. node_count - 1: the switches low .. high of the file, then the core. Other clusters' switches
 * may lie between; they join nothing and are never visited. */
typedef struct walk {
  uint32_t low, node_count;
  uint32_t *above;   /* the node that a node's cable leads to, GB_NONE for the core */
  uint32_t *below;   /* last in file order of the nodes whose cables lead here, then `beside` */
  uint32_t *beside;  /* the one before it in file order */
  uint32_t *origin;  /* the node from which the walk came */
  uint32_t *pending; /* stack */
  uint32_t *first;   /* first host of a node, then `next` */
  uint32_t *next;    /* by index into host */
} walk;

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

static uint32_t node_of(const walk *w, uint32_t sw) {
  return sw == GB_NONE ? w->node_count - 1 : sw - w->low;
}

static void join_switches(walk *w, const gbcast_platform *p, uint32_t cluster) {
  uint32_t core = w->node_count - 1;
  for (uint32_t node = 0; node < w->node_count; node++) {
    w->above[node] = w->below[node] = w->beside[node] = w->first[node] = GB_NONE;
  }
  for (uint32_t node = 0; node < core; node++) {
    const gb_switch *sw = &p->sw[w->low + node];
    if (sw->cluster == cluster) {
      uint32_t up = node_of(w, sw->uplink);
      w->above[node] = up;
      w->beside[node] = w->below[up];
      w->below[up] = node;
    }
  }
}

static void place_hosts(walk *w, const gbcast_platform *p, const uint32_t *host, uint32_t count) {
  for (uint32_t i = count; i-- > 0;) {
    uint32_t node = node_of(w, p->host[host[i]].sw);
    w->next[i] = w->first[node];
    w->first[node] = i;
  }
}

/* Puts the neighbours on the stack, the last in file order first. Each was met from one side only: it is a
 * tree. */
static uint32_t push_neighbours(walk *w, uint32_t node, uint32_t depth) {
  uint32_t up = w->above[node];
  bool up_waits = up != GB_NONE && up != w->origin[node];
  for (uint32_t child = w->below[node]; child != GB_NONE; child = w->beside[child]) {
    if (up_waits && up > child) {
      w->origin[up] = node;
      w->pending[depth++] = up;
      up_waits = false;
    }
    if (child != w->origin[node]) {
      w->origin[child] = node;
      w->pending[depth++] = child;
    }
  }
  if (up_waits) {
    w->origin[up] = node;
    w->pending[depth++] = up;
  }
  return depth;
}

static void walk_from(walk *w, uint32_t start, uint32_t *parent) {
  uint32_t depth = 0, last = GB_NONE;
  w->origin[start] = GB_NONE;
  w->pending[depth++] = start;
  while (depth > 0) {
    uint32_t node = w->pending[--depth];
    for (uint32_t i = w->first[node]; i != GB_NONE; i = w->next[i]) {
      parent[i] = last;
      last = i;
    }
    depth = push_neighbours(w, node, depth);
  }
}

int gb_intra_build_linear_contention_free(const gbcast_platform *p, const uint32_t *host, uint32_t count,
                                          uint32_t tree, uint32_t *parent, gbcast_error *err) {
  uint32_t known = GB_NONE; /* a switch with a host on it */
  for (uint32_t i = 0; i < count; i++) {
    if (p->host[host[i]].cluster != p->host[host[0]].cluster) {
      return gb_fail(err, GBCAST_EUSAGE, "host '%s' is not in the cluster of '%s'", p->host[host[i]].name,
                     p->host[host[0]].name);
    }
    known = p->host[host[i]].sw != GB_NONE ? p->host[host[i]].sw : known;
  }
  if (known == GB_NONE) { /* one meeting point: the order given is free of contention */
    return gb_intra_build_chain(p, host, count, tree, parent, err);
  }
  uint32_t cluster = p->sw[known].cluster, high = known;
  walk w = {.low = known};
  find_switches(p, cluster, known, &w.low, &high);
  w.node_count = high - w.low + 2;
  size_t nodes = w.node_count;
  uint32_t *words = malloc((6 * nodes + count) * sizeof *words);
  if (words == NULL) {
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for the switches of cluster '%s'",
                   p->cluster[cluster].name);
  }
  w.above = words;
  w.below = w.above + nodes;
  w.beside = w.below + nodes;
  w.origin = w.beside + nodes;
  w.pending = w.origin + nodes;
  w.first = w.pending + nodes;
  w.next = w.first + nodes;
  join_switches(&w, p, cluster);
  place_hosts(&w, p, host, count);
  walk_from(&w, node_of(&w, p->host[host[0]].sw), parent);
  free(words);
  return GBCAST_OK;
}
