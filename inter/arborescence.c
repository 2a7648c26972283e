/* The spanning tree of least total cost that leads from the root to every site: the algorithm of Chu and Liu
 * and of Edmonds ("Optimum branchings", 1967) on a matrix of costs.
 *
 * Every site takes the cheapest edge into it. Where these close a cycle, its sites become one node. An edge
 * into it costs the difference to the edge of the cycle that it replaces:
 *
 *     --5--> a --1--> b            --4--> (a b)         5 replaces b's edge to a, of cost 1
 *            ^---1---/
 *
 * and so on, up to n - 1 cycles; then they are taken apart again, from the last to the first. A row is
 * looked through once for each cycle that its owner is in: O(n^2) in all. */
#include "inter/packing.h"
#include <stdlib.h>

typedef struct contraction {
  uint32_t n, nodes; /* sites, and sites with cycles: a cycle is a node that comes after all in it */
  uint32_t *group;   /* n: the outermost cycle that a site is in, or itself */
  uint32_t *row;     /* by node from here on: whose rows it uses */
  uint32_t *nest;    /* the cycle that it is part of */
  uint32_t *from, *to;
  uint32_t *path;
  enum { UNSEEN, ON_PATH, REACHED } * state;
  double *cost;     /* n x n, row: the node that is entered; the cheapest edge from each site */
  uint32_t *target; /* n x n: the site that this edge leads to */
} contraction;

/* The cheapest edge into node x; false when there is none. */
static bool take_cheapest(contraction *c, uint32_t x, double *price) {
  const double *cost = c->cost + (size_t)c->row[x] * c->n;
  *price = INFINITY;
  for (uint32_t u = 0; u < c->n; u++)
    if (c->group[u] != x && cost[u] < *price) {
      *price = cost[u];
      c->from[x] = u;
    }
  if (*price == INFINITY)
    return false;
  c->to[x] = c->target[(size_t)c->row[x] * c->n + c->from[x]];
  for (uint32_t u = 0; u < c->n; u++)
    c->cost[(size_t)c->row[x] * c->n + u] -= *price;
  return true;
}

/* Makes one node of the cycle at the end of the path that begins at node `first`. Returns the new length. */
static uint32_t close_cycle(contraction *c, uint32_t first, uint32_t length) {
  uint32_t z = c->nodes++, x;
  c->row[z] = c->row[first];
  c->state[z] = UNSEEN;
  do {
    x = c->path[--length];
    c->nest[x] = z;
    double *into = c->cost + (size_t)c->row[z] * c->n, *other = c->cost + (size_t)c->row[x] * c->n;
    for (uint32_t u = 0; u < c->n; u++) {
      if (c->group[u] == x)
        c->group[u] = z;
      if (other[u] < into[u]) {
        into[u] = other[u];
        c->target[(size_t)c->row[z] * c->n + u] = c->target[(size_t)c->row[x] * c->n + u];
      }
    }
  } while (x != first);
  return length;
}

static bool contract(contraction *c) {
  for (uint32_t s = 0; s < c->n; s++) {
    uint32_t length = 0;
    for (uint32_t x = c->group[s]; c->state[x] == UNSEEN;) {
      double price;
      if (!take_cheapest(c, x, &price))
        return false;
      c->state[x] = ON_PATH;
      c->path[length++] = x;
      x = c->group[c->from[x]];
      if (c->state[x] == ON_PATH) {
        length = close_cycle(c, x, length);
        x = c->nodes - 1;
      }
    }
    while (length > 0)
      c->state[c->path[--length]] = REACHED;
  }
  return true;
}

/* The edge into a cycle replaces one edge of the cycle. */
static void expand(contraction *c, uint32_t *parent) {
  for (uint32_t z = c->nodes; z-- > c->n;) {
    uint32_t x = c->to[z];
    while (c->nest[x] != z)
      x = c->nest[x];
    c->from[x] = c->from[z];
    c->to[x] = c->to[z];
  }
  for (uint32_t v = 0; v < c->n; v++)
    parent[v] = c->from[v];
}

int gb_inter_arborescence(uint32_t n, uint32_t root, const double *cost, uint32_t *parent,
                          gbcast_error *err) {
  const size_t nodes = 2 * (size_t)n;
  uint32_t *words = calloc(n + 5 * nodes, sizeof *words);
  contraction c = {.n = n,
                   .nodes = n,
                   .group = words,
                   .state = calloc(nodes, sizeof *c.state),
                   .cost = malloc((size_t)n * n * sizeof *c.cost),
                   .target = malloc((size_t)n * n * sizeof *c.target)};
  int status = words && c.state && c.cost && c.target ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    c.row = words + n;
    c.nest = c.row + nodes;
    c.from = c.nest + nodes;
    c.to = c.from + nodes;
    c.path = c.to + nodes;
    for (uint32_t v = 0; v < n; v++) {
      c.group[v] = c.row[v] = v;
      for (uint32_t u = 0; u < n; u++) {
        c.cost[(size_t)v * n + u] = cost[(size_t)u * n + v];
        c.target[(size_t)v * n + u] = v;
      }
    }
    c.state[root] = REACHED;
    c.from[root] = UINT32_MAX;
    if (contract(&c))
      expand(&c, parent);
    else
      status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", n);
  }
  free(words);
  free(c.state);
  free(c.cost);
  free(c.target);
  return status;
}
