/* A cheap tree to more terminals than steiner.c finds the cheapest for. First it grows by the terminal that
 * is nearest to it, along its shortest path (Takahashi and Matsuyama, "An approximate solution for the
 * Steiner problem in graphs", 1980). Then the set of relays is searched: for a given set, the cheapest tree
 * is the cheapest that spans it (arborescence.c), less the relays at its ends, which nobody needs. One relay
 * at a time joins or leaves the set, as long as that makes the tree cheaper:
 *
 *   terminals + {r1, r4}  ->  terminals + {r1}  ->  terminals + {r1, r2}
 */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

uint32_t gb_inter_nearest(uint32_t n, const bool *done, const double *distance) {
  uint32_t w = NOBODY;
  for (uint32_t v = 0; v < n; v++)
    if (!done[v] && distance[v] < INFINITY && (w == NOBODY || distance[v] < distance[w]))
      w = v;
  return w;
}

double gb_inter_tree_cost(uint32_t n, const double *cost, const uint32_t *parent) {
  double sum = 0;
  for (uint32_t v = 0; v < n; v++)
    sum += parent[v] != NOBODY ? cost[(size_t)parent[v] * n + v] : 0;
  return sum;
}

typedef struct steiner {
  uint32_t n, root;
  const bool *relay;
  const double *cost;
  bool *done, *in;  /* n; in: the relays of the set */
  double *distance; /* n */
  uint32_t *from;   /* n */
  double *part;     /* n x n: costs among the members, that is, the sites but for relays not in the set */
  uint32_t *member; /* n */
  uint32_t *parent, *other; /* n: the best tree, and one that is tried */
} steiner;

static bool is_in_tree(const steiner *s, uint32_t v) {
  return v == s->root || s->parent[v] != NOBODY;
}

/* Adds the nearest terminal that the tree lacks, and the way there. */
static bool add_nearest(const steiner *s) {
  memset(s->done, 0, s->n * sizeof *s->done);
  for (uint32_t v = 0; v < s->n; v++) {
    s->distance[v] = is_in_tree(s, v) ? 0 : INFINITY;
    s->from[v] = NOBODY;
  }
  for (;;) {
    uint32_t w = gb_inter_nearest(s->n, s->done, s->distance);
    if (w == NOBODY)
      return false;
    if (!s->relay[w] && !is_in_tree(s, w)) {
      for (; s->from[w] != NOBODY; w = s->from[w])
        s->parent[w] = s->from[w];
      return true;
    }
    s->done[w] = true;
    for (uint32_t v = 0; v < s->n; v++)
      if (!s->done[v] && s->distance[w] + s->cost[(size_t)w * s->n + v] < s->distance[v]) {
        s->distance[v] = s->distance[w] + s->cost[(size_t)w * s->n + v];
        s->from[v] = w;
      }
  }
}

static bool grow(const steiner *s) {
  for (uint32_t v = 0; v < s->n; v++)
    s->parent[v] = NOBODY;
  for (uint32_t v = 0; v < s->n; v++)
    if (v != s->root && !s->relay[v] && !add_nearest(s))
      return false;
  return true;
}

/* Takes the relays at the ends out of a tree. */
static void prune(const steiner *s, uint32_t *parent) {
  for (bool pruned = true; pruned;) {
    pruned = false;
    memset(s->done, 0, s->n * sizeof *s->done);
    for (uint32_t v = 0; v < s->n; v++)
      if (parent[v] != NOBODY)
        s->done[parent[v]] = true;
    for (uint32_t v = 0; v < s->n; v++)
      if (parent[v] != NOBODY && s->relay[v] && !s->done[v]) {
        parent[v] = NOBODY;
        pruned = true;
      }
  }
}

/* The cheapest tree over the set, in s->other; INFINITY: there is none. */
static double span(const steiner *s) {
  uint32_t count = 0, root = 0;
  for (uint32_t v = 0; v < s->n; v++) {
    s->other[v] = NOBODY;
    if (v == s->root)
      root = count;
    if (!s->relay[v] || s->in[v])
      s->member[count++] = v;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      s->part[(size_t)i * count + k] = s->cost[(size_t)s->member[i] * s->n + s->member[k]];
  if (gb_inter_arborescence(count, root, s->part, s->from, NULL) != GBCAST_OK)
    return INFINITY;
  for (uint32_t i = 0; i < count; i++)
    s->other[s->member[i]] = s->from[i] == NOBODY ? NOBODY : s->member[s->from[i]];
  prune(s, s->other);
  return gb_inter_tree_cost(s->n, s->cost, s->other);
}

/* Sets the relays of the set to those of the tree. */
static void use_relays(const steiner *s) {
  for (uint32_t v = 0; v < s->n; v++)
    s->in[v] = s->relay[v] && s->parent[v] != NOBODY;
}

static bool try_set(const steiner *s, double *least) {
  const double found = span(s);
  if (found >= *least * (1 - GB_ROUNDING))
    return false;
  memcpy(s->parent, s->other, s->n * sizeof *s->parent);
  *least = found;
  use_relays(s);
  return true;
}

static void search(const steiner *s) {
  double least = gb_inter_tree_cost(s->n, s->cost, s->parent);
  use_relays(s);
  (void)try_set(s, &least);
  for (bool better = true; better;) {
    better = false;
    for (uint32_t v = 0; v < s->n; v++) {
      if (!s->relay[v])
        continue;
      s->in[v] = !s->in[v];
      if (try_set(s, &least))
        better = true;
      else
        s->in[v] = !s->in[v];
    }
  }
}

int gb_inter_steiner_near(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                          gbcast_error *err) {
  bool *flags = malloc(2 * (size_t)n * sizeof *flags);
  uint32_t *words = malloc(3 * (size_t)n * sizeof *words);
  double *numbers = malloc((size_t)n * (n + 1) * sizeof *numbers);
  int status = flags && words && numbers ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    const steiner s = {.n = n,
                       .root = root,
                       .relay = relay,
                       .cost = cost,
                       .done = flags,
                       .in = flags + n,
                       .distance = numbers,
                       .part = numbers + n,
                       .from = words,
                       .member = words + n,
                       .other = words + 2 * (size_t)n,
                       .parent = parent};
    if (grow(&s))
      search(&s);
    else
      status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", n);
  }
  free(flags);
  free(words);
  free(numbers);
  return status;
}
