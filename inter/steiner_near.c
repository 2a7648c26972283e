/* A cheap tree to more terminals than steiner.c finds the cheapest for. First it grows by the terminal that
 * is nearest to it, along its shortest path (Takahashi and Matsuyama, "An approximate solution for the
 * Steiner problem in graphs", 1980). Then the set of relays is searched: for a given set, the cheapest tree
 * is the cheapest that spans it (arborescence.c), less the relays at its ends, which nobody needs. One relay
 * at a time joins or leaves the set, as long as that makes the tree cheaper:
 *
 *   terminals + {r1, r4}  ->  terminals + {r1}  ->  terminals + {r1, r2}
 *
 * For k terminals k n^2 steps to grow, and for each set of m sites m^2; the search ends after MOST_STEPS. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX
#define MOST_STEPS (1ull << 26) /* some 0.1 s */

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

typedef struct relay_search {
  uint32_t n, root;
  const bool *relay;
  const double *cost;
  bool *done, *in;  /* n; in: the relays of the set */
  double *distance; /* n */
  uint32_t *from;   /* n */
  double *part;     /* n x n: costs among the members, that is, the sites but for relays not in the set */
  uint32_t *member; /* n */
  uint32_t *parent, *other; /* n: the best tree, and one that is tried */
} relay_search;

static bool is_in_tree(const relay_search *s, uint32_t v) {
  return v == s->root || s->parent[v] != NOBODY;
}

/* Adds the nearest terminal that the tree lacks, and the way there. */
static bool add_nearest(const relay_search *s) {
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

static bool grow(const relay_search *s) {
  for (uint32_t v = 0; v < s->n; v++)
    s->parent[v] = NOBODY;
  for (uint32_t v = 0; v < s->n; v++)
    if (v != s->root && !s->relay[v] && !add_nearest(s))
      return false;
  return true;
}

void gb_inter_prune(uint32_t n, const bool *relay, uint32_t *parent, bool *inner) {
  for (bool pruned = true; pruned;) {
    pruned = false;
    memset(inner, 0, n * sizeof *inner);
    for (uint32_t v = 0; v < n; v++)
      if (parent[v] != NOBODY)
        inner[parent[v]] = true;
    for (uint32_t v = 0; v < n; v++)
      if (parent[v] != NOBODY && relay[v] && !inner[v]) {
        parent[v] = NOBODY;
        pruned = true;
      }
  }
}

/* Sets s->other to the cheapest tree over the set, and *found to what it costs; INFINITY: there is none. */
static int span(const relay_search *s, double *found, uint64_t *steps, gbcast_error *err) {
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
  *steps += (uint64_t)count * count;
  const int status = gb_inter_arborescence(count, root, s->part, s->from, err);
  *found = INFINITY;
  if (status != GBCAST_OK)
    return status == GBCAST_EINPUT ? GBCAST_OK : status;
  for (uint32_t i = 0; i < count; i++)
    s->other[s->member[i]] = s->from[i] == NOBODY ? NOBODY : s->member[s->from[i]];
  gb_inter_prune(s->n, s->relay, s->other, s->done);
  *found = gb_inter_tree_cost(s->n, s->cost, s->other);
  return GBCAST_OK;
}

/* Sets the relays of the set to those of the tree. */
static void use_relays(const relay_search *s) {
  for (uint32_t v = 0; v < s->n; v++)
    s->in[v] = s->relay[v] && s->parent[v] != NOBODY;
}

/* Takes the tree over the set if it is cheaper; else *better is false. */
static int try_set(const relay_search *s, double *least, bool *better, uint64_t *steps, gbcast_error *err) {
  double found;
  const int status = span(s, &found, steps, err);
  *better = status == GBCAST_OK && found < *least * (1 - GB_ROUNDING);
  if (*better) {
    memcpy(s->parent, s->other, s->n * sizeof *s->parent);
    *least = found;
    use_relays(s);
  }
  return status;
}

static int search(const relay_search *s, gbcast_error *err) {
  double least = gb_inter_tree_cost(s->n, s->cost, s->parent);
  uint64_t steps = 0;
  bool better;
  use_relays(s);
  int status = try_set(s, &least, &better, &steps, err);
  for (bool any = true; status == GBCAST_OK && any;) {
    any = false;
    for (uint32_t v = 0; status == GBCAST_OK && v < s->n && steps < MOST_STEPS; v++) {
      if (!s->relay[v])
        continue;
      s->in[v] = !s->in[v];
      status = try_set(s, &least, &better, &steps, err);
      if (!better)
        s->in[v] = !s->in[v];
      any = any || better;
    }
  }
  return status;
}

int gb_inter_steiner_near(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                          gbcast_error *err) {
  bool *flags = malloc(2 * (size_t)n * sizeof *flags);
  uint32_t *words = malloc(3 * (size_t)n * sizeof *words);
  double *numbers = malloc((size_t)n * (n + 1) * sizeof *numbers);
  int status = flags && words && numbers ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    const relay_search s = {.n = n,
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
      status = search(&s, err);
    else
      status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", n);
  }
  free(flags);
  free(words);
  free(numbers);
  return status;
}
