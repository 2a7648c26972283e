/* The tree of least total cost from the root to the terminals, the sites that are no relay: the directed
 * Steiner tree.
 *
 * Up to GB_STEINER_EXACT terminals: Dreyfus and Wagner, "The Steiner problem in graphs", 1971, with one pass
 * of Dijkstra's algorithm for each set (Erickson, Monma and Veinott, 1987). C(S, v) is the least cost from v
 * to all of S:
 *
 *   C({t}, t) = 0        C(S, v) = min of  C(A, v) + C(S - A, v)     v is where the ways to A and S - A part
 *                                          cost(v, w) + C(S, w)
 *
 * for sets of k terminals among n sites 3^k n + 2^k n^2 steps and 2^k n numbers.
 *
 * More terminals: a good tree (steiner_near.c) and a bound (steiner_bound.c). */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX
#define MOST_STEPS (1ull << 26) /* of the exact algorithm: some 0.1 s */

typedef struct steiner {
  uint32_t n, root, terminals;
  const double *cost;
  uint32_t *terminal; /* n; terminals of them */
  double *least;      /* C: 2^terminals * n */
  uint32_t *by;       /* the same: the site that follows, or n + the set that parts; NOBODY: at a terminal */
  bool *done;         /* n */
  uint32_t *parent;   /* n, the result */
} steiner;

/* Shortest paths towards the set, from the costs where its ways part. */
static void extend(const steiner *s, double *least, uint32_t *by) {
  memset(s->done, 0, s->n * sizeof *s->done);
  for (;;) {
    const uint32_t w = gb_inter_nearest(s->n, s->done, least);
    if (w == NOBODY)
      return;
    s->done[w] = true;
    for (uint32_t v = 0; v < s->n; v++) {
      const double over = s->cost[(size_t)v * s->n + w] + least[w];
      if (!s->done[v] && over < least[v]) {
        least[v] = over;
        by[v] = w;
      }
    }
  }
}

static void find_costs(const steiner *s) {
  for (uint32_t set = 1; set < 1u << s->terminals; set++) {
    double *least = s->least + (size_t)set * s->n;
    uint32_t *by = s->by + (size_t)set * s->n;
    for (uint32_t v = 0; v < s->n; v++) {
      least[v] = INFINITY;
      by[v] = NOBODY;
    }
    if ((set & (set - 1)) == 0)
      for (uint32_t t = 0; t < s->terminals; t++)
        if (set == 1u << t)
          least[s->terminal[t]] = 0;
    for (uint32_t part = (set - 1) & set; part > (set ^ part); part = (part - 1) & set) {
      const double *a = s->least + (size_t)part * s->n, *b = s->least + (size_t)(set ^ part) * s->n;
      for (uint32_t v = 0; v < s->n; v++)
        if (a[v] + b[v] < least[v]) {
          least[v] = a[v] + b[v];
          by[v] = s->n + part;
        }
    }
    extend(s, least, by);
  }
}

/* Writes down the tree from v to the set. A site that the tree has already keeps its parent. */
static void trace(const steiner *s, uint32_t set, uint32_t v) {
  for (;;) {
    const uint32_t next = s->by[(size_t)set * s->n + v];
    if (next == NOBODY)
      return;
    if (next >= s->n) {
      trace(s, next - s->n, v); // NOLINT(misc-no-recursion): no deeper than there are terminals
      set ^= next - s->n;
      continue;
    }
    if (next != s->root && s->parent[next] == NOBODY)
      s->parent[next] = v;
    v = next;
  }
}

static int exact(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                 gbcast_error *err) {
  steiner s = {.n = n,
               .root = root,
               .cost = cost,
               .terminal = malloc(n * sizeof *s.terminal),
               .done = malloc(n * sizeof *s.done),
               .parent = parent};
  int status = s.terminal && s.done ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t v = 0; status == GBCAST_OK && v < n; v++) {
    parent[v] = NOBODY;
    if (v != root && !relay[v])
      s.terminal[s.terminals++] = v;
  }
  const size_t sets = (size_t)1 << s.terminals, all = sets - 1;
  s.least = malloc(sets * n * sizeof *s.least);
  s.by = malloc(sets * n * sizeof *s.by);
  if (status == GBCAST_OK && (!s.least || !s.by))
    status = gb_no_memory(err);
  if (status == GBCAST_OK && s.terminals > 0) {
    find_costs(&s);
    if (s.least[all * n + root] == INFINITY)
      status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", n);
    else
      trace(&s, (uint32_t)all, root);
  }
  free(s.terminal);
  free(s.done);
  free(s.least);
  free(s.by);
  return status;
}

int gb_inter_steiner(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                     double *bound, gbcast_error *err) {
  uint32_t relays = 0;
  for (uint32_t v = 0; relay != NULL && v < n; v++)
    relays += relay[v];
  const uint32_t terminals = n - 1 - relays;
  const bool few = terminals <= GB_STEINER_EXACT && (uint64_t)n * n << terminals <= MOST_STEPS;
  const int status = relays == 0 ? gb_inter_arborescence(n, root, cost, parent, err)
                     : few       ? exact(n, root, relay, cost, parent, err)
                                 : gb_inter_steiner_near(n, root, relay, cost, parent, err);
  if (status != GBCAST_OK || bound == NULL)
    return status;
  *bound = gb_inter_tree_cost(n, cost, parent);
  return relays > 0 && !few ? gb_inter_steiner_bound(n, root, relay, cost, bound, err) : GBCAST_OK;
}
