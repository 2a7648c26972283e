/* What no tree from the root to the terminals costs less than: dual ascent (R. Wong, "A dual ascent approach
 * for Steiner tree problems on a directed graph", Mathematical Programming 28, 1984).
 *
 * Every tree has an edge into each set of sites W that has a terminal and not the root. So lowering
 * every edge into W by c lowers every tree by at least c. As long as some terminal is not reached from the
 * root over edges that cost 0, W is the set of sites from which it is. All edges into W are lowered by the
 * cheapest of them, and the bound grows by as much:
 *
 *             3
 *    root  ------>  W = { a --0--> t }        bound + 2; the edges then cost 1 and 0
 *          ------>
 *             2
 *
 * The smallest set is next. A step with k sites in W looks at 2 k n edges. The bound holds whenever this
 * ends, so it ends after a limited number of looks. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define MOST_LOOKS (1ull << 26) /* some 0.1 s */

typedef struct ascent {
  uint32_t n, root;
  double *cost;   /* n x n: what is left */
  uint32_t *size; /* n, by terminal: sites in its set when that was last found; 0: reached, or no terminal */
  bool *set;      /* n */
  uint32_t *member; /* n */
} ascent;

/* The sites from which a terminal is reached over edges that cost 0. */
static uint32_t find_set(const ascent *a, uint32_t terminal) {
  uint32_t count = 1;
  memset(a->set, 0, a->n * sizeof *a->set);
  a->set[terminal] = true;
  a->member[0] = terminal;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t u = 0; u < a->n; u++)
      if (!a->set[u] && a->cost[(size_t)u * a->n + a->member[i]] == 0) {
        a->set[u] = true;
        a->member[count++] = u;
      }
  return count;
}

/* Lowers the edges into the set of `count` sites by the cheapest, which is returned. */
static double lower(const ascent *a, uint32_t count) {
  double least = INFINITY;
  for (uint32_t u = 0; u < a->n; u++)
    for (uint32_t i = 0; !a->set[u] && i < count; i++)
      if (a->cost[(size_t)u * a->n + a->member[i]] < least)
        least = a->cost[(size_t)u * a->n + a->member[i]];
  for (uint32_t u = 0; least < INFINITY && u < a->n; u++)
    for (uint32_t i = 0; !a->set[u] && i < count; i++)
      a->cost[(size_t)u * a->n + a->member[i]] -= least;
  return least;
}

static uint32_t smallest(const ascent *a) {
  uint32_t t = a->n;
  for (uint32_t v = 0; v < a->n; v++)
    if (a->size[v] > 0 && (t == a->n || a->size[v] < a->size[t]))
      t = v;
  return t;
}

static double ascend(const ascent *a) {
  double bound = 0;
  for (uint64_t looks = 0; looks < MOST_LOOKS && bound < INFINITY;) {
    const uint32_t t = smallest(a);
    if (t == a->n)
      break;
    const uint32_t before = a->size[t], count = find_set(a, t);
    looks += 2 * (uint64_t)count * a->n;
    a->size[t] = a->set[a->root] ? 0 : count;
    if (a->size[t] == before)
      bound += lower(a, count);
  }
  return bound;
}

int gb_inter_steiner_bound(uint32_t n, uint32_t root, const bool *relay, const double *cost, double *bound,
                           gbcast_error *err) {
  ascent a = {.n = n,
              .root = root,
              .cost = malloc((size_t)n * n * sizeof *a.cost),
              .size = malloc(2 * (size_t)n * sizeof *a.size),
              .set = malloc(n * sizeof *a.set)};
  const int status = a.cost && a.size && a.set ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    memcpy(a.cost, cost, (size_t)n * n * sizeof *a.cost);
    a.member = a.size + n;
    for (uint32_t v = 0; v < n; v++)
      a.size[v] = v != root && !relay[v];
    *bound = ascend(&a);
  }
  free(a.cost);
  free(a.size);
  free(a.set);
  return status;
}
