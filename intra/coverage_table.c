/* covered[t][i]: the last position up to which a contention-free tree rooted at i can cover i, i + 1, ...
 * when the last host may have the first segment t units after i.
 *
 *   covered[0][i] = i
 *   covered[t][i] = the furthest end of a row of runs  i + 1 ..| a_2 ..| ... | a_d ..   with d <= k
 *
 *         i            Run number u, of positions a .. b, is the tree of child a, which has the segment cost
 *      ___|_____       units after i: b <= covered[t - cost][a]. Neighbouring runs obey intra/conflicts.c.
 *     |     |   |      Children are served in the order of their runs or in the reverse order; labels may
 *    i+1.. a_2..a_3..  improve on that.
 *
 * One number for each host and time is enough because a tree over i .. j without its last host, a leaf, is
 * still one: what covers i .. j covers all shorter runs. (A tree without its first host may be impossible or
 * higher.)
 *
 * far_u(y, a): how far the runs get when run u begins at a and y is the lowest common ancestor of i and a; i
 * matters only through y.
 *
 *   far_u(y, a) = max( covered[t - cost_u][a],
 *                      max over k of far_{u+1}(y', k),  a < k <= covered[t - cost_u][a] + 1,  k - 1 below y,
 *                                                       left[k] <= a,  y' = y, or above when k is past y )
 *
 * For a fixed y the k with left[k] <= a only grow with a, so a tree of maxima over k, filled while a goes up,
 * answers each in O(log P). O(T k S log P) with S the sum of the hosts below each node, and O(T P log P) for
 * k = 2, where far_2 does not depend on y. Exact for two children and for equal costs; with
 * more children and unequal costs another order of service might do better. */
#include "intra/coverage_table.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NESTED 64u /* S <= 64 P, or hosts have two children */
#define NOWHERE 0u      /* before all positions that a run may begin at */

typedef struct table {
  const gb_switch_order *order;
  const gb_conflicts *conflicts;
  gb_coverage_table *out;
  uint32_t count;
  uint32_t
      *bucket; /* positions by `left`: those with left = a are item[bucket[a]] .. item[bucket[a + 1] - 1] */
  uint32_t *item;
  uint32_t *maxima;  /* 2 x a power of two */
  size_t *offset;    /* of the positions below a node that is in `ancestor`, else SIZE_MAX */
  size_t states;     /* S */
  uint32_t *far[2];  /* S each, or count each where hosts have two children: run u, run u + 1 */
  uint32_t *longest; /* count: the best over the orders */
} table;

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* out[a] = the most of value[k] over the k at which the run after a .. k - 1 may begin; a and k from first to
 * end - 1, indices from 0. No run ends after limit[a - 1]. */
static void sweep(const table *t, uint32_t first, uint32_t end, const uint32_t *child, const uint32_t *value,
                  const uint32_t *limit, uint32_t *out) {
  uint32_t size = 1, *maxima = t->maxima;
  while (size < end - first) {
    size *= 2;
  }
  memset(maxima, 0, 2 * (size_t)size * sizeof *maxima);
  for (uint32_t a = first; a < end; a++) {
    for (uint32_t n = t->bucket[a]; n < t->bucket[a + 1]; n++) {
      uint32_t k = t->item[n];
      for (uint32_t at = k - first + size; k > first && k < end && at > 0; at /= 2) {
        maxima[at] = larger(maxima[at], value[k - first]);
      }
    }
    uint32_t to = limit != NULL && a > 0 ? smaller(child[a], limit[a - 1]) : child[a];
    uint32_t most = NOWHERE, low = a + 1 - first + size, high = smaller(to + 1, end - 1) + 1 - first + size;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) {
        most = larger(most, maxima[low++]);
      }
      if (high % 2 == 1) {
        most = larger(most, maxima[--high]);
      }
    }
    out[a - first] = most;
  }
}

/* far_u for all a below y, from far_{u+1}. */
static void extend(table *t, uint32_t y, const uint32_t *child) {
  uint32_t first = t->order->first[y], end = t->order->end[y];
  uint32_t *to = t->far[0] + t->offset[y];
  sweep(t, first, end, child, t->far[1] + t->offset[y], NULL, to);
  uint32_t beyond = NOWHERE; /* far_{u+1} of the first position that is not below y */
  if (end < t->count) {
    uint32_t above = t->conflicts->ancestor[end - 1];
    beyond = t->far[1][t->offset[above] + end - t->order->first[above]];
  }
  for (uint32_t a = first; a < end; a++) {
    uint32_t most = larger(to[a - first], child[a]);
    to[a - first] = child[a] + 1 >= end ? larger(most, beyond) : most;
  }
}

static void improve_many(table *t, uint32_t time, bool reverse) {
  memset(t->far[1], 0, t->states * sizeof *t->far[1]);
  for (uint32_t u = t->out->degree; u > 0; u--) {
    uint32_t cost = gb_coverage_cost(t->out, u, reverse);
    if (cost > time) {
      memset(t->far[0], 0, t->states * sizeof *t->far[0]);
    }
    for (uint32_t y = 0; y < t->order->node_count && cost <= time; y++) {
      if (t->offset[y] != SIZE_MAX) {
        extend(t, y, gb_coverage_row(t->out, time - cost));
      }
    }
    uint32_t *swap = t->far[0];
    t->far[0] = t->far[1];
    t->far[1] = swap;
  }
  for (uint32_t i = 0; i + 1 < t->count; i++) {
    uint32_t y = t->conflicts->ancestor[i];
    t->longest[i] = larger(t->longest[i], t->far[1][t->offset[y] + i + 1 - t->order->first[y]]);
  }
}

static void improve_two(table *t, uint32_t time, bool reverse) {
  uint32_t one = gb_coverage_cost(t->out, 1, reverse), two = gb_coverage_cost(t->out, 2, reverse);
  if (one > time) {
    return;
  }
  const uint32_t *child = gb_coverage_row(t->out, time - one);
  memset(t->far[0], 0, t->count * sizeof *t->far[0]);
  if (two <= time) {
    sweep(t, 0, t->count, child, gb_coverage_row(t->out, time - two), t->conflicts->right, t->far[0]);
  }
  for (uint32_t i = 0; i + 1 < t->count; i++) {
    t->longest[i] = larger(t->longest[i], larger(child[i + 1], t->far[0][i + 1]));
  }
}

/* Sorts the positions by `left`. */
static void fill_buckets(table *t) {
  const uint32_t *left = t->conflicts->left;
  memset(t->bucket, 0, (t->count + 2) * sizeof *t->bucket);
  for (uint32_t k = 1; k < t->count; k++) {
    t->bucket[left[k] + 2]++;
  }
  for (uint32_t a = 2; a < t->count + 2; a++) {
    t->bucket[a] += t->bucket[a - 1];
  }
  for (uint32_t k = 1; k < t->count; k++) {
    t->item[t->bucket[left[k] + 1]++] = k;
  }
}

static void number_states(table *t) {
  for (uint32_t y = 0; y < t->order->node_count; y++) {
    t->offset[y] = SIZE_MAX;
  }
  for (uint32_t i = 0; i + 1 < t->count; i++) {
    uint32_t y = t->conflicts->ancestor[i];
    if (t->offset[y] == SIZE_MAX) {
      t->offset[y] = t->states;
      t->states += t->order->end[y] - t->order->first[y];
    }
  }
  if (t->states > (size_t)MOST_NESTED * t->count) {
    t->out->degree = smaller(t->out->degree, 2);
  }
  if (t->out->degree <= 2) {
    t->states = t->count;
  }
}

/* One more row. */
static void append(table *t) {
  gb_coverage_table *out = t->out;
  for (uint32_t i = 0; i < t->count; i++) {
    t->longest[i] = i;
  }
  bool orders = out->cost[1] != out->cost[out->degree];
  for (int reverse = 0; reverse <= orders && out->times > 0; reverse++) {
    if (out->degree <= 2) {
      improve_two(t, out->times, reverse != 0);
    } else {
      improve_many(t, out->times, reverse != 0);
    }
  }
  memcpy(out->covered + (size_t)out->times * t->count, t->longest, t->count * sizeof *t->longest);
  out->times++;
}

static int fill(table *t, gbcast_error *err) {
  gb_coverage_table *out = t->out;
  size_t capacity = 0;
  while (out->times == 0 || gb_coverage_row(out, out->times - 1)[0] + 1 < t->count) {
    if (out->times == capacity) {
      capacity = capacity == 0 ? 32 : 2 * capacity;
      if (capacity * t->count > GB_COVERAGE_ENTRIES) {
        out->times = 0;
        return GBCAST_OK;
      }
      uint32_t *grown = realloc(out->covered, capacity * t->count * sizeof *grown);
      if (grown == NULL) {
        return gb_no_memory(err);
      }
      out->covered = grown;
    }
    append(t);
  }
  return GBCAST_OK;
}

int gb_coverage_table_new(const gb_switch_order *order, const gb_conflicts *conflicts, uint32_t degree,
                          const uint32_t *cost, gb_coverage_table *out, gbcast_error *err) {
  *out = (gb_coverage_table){.count = order->count, .degree = degree, .cost = cost};
  table t = {.order = order, .conflicts = conflicts, .out = out, .count = order->count};
  t.offset = malloc(order->node_count * sizeof *t.offset);
  if (t.offset == NULL) {
    return gb_no_memory(err);
  }
  number_states(&t);
  size_t count = t.count;
  uint32_t *words = malloc((7 * count + 2 + 2 * t.states) * sizeof *words);
  int status = words != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    t.item = words;
    t.longest = t.item + count;
    t.maxima = t.longest + count; /* less than 4 count: twice a power of two that count needs */
    t.bucket = t.maxima + 4 * count;
    t.far[0] = t.bucket + count + 2;
    t.far[1] = t.far[0] + t.states;
    fill_buckets(&t);
    status = fill(&t, err);
  }
  free(words);
  free(t.offset);
  if (status != GBCAST_OK) {
    gb_coverage_table_free(out);
  }
  return status;
}

void gb_coverage_table_free(gb_coverage_table *out) {
  free(out->covered);
  *out = (gb_coverage_table){0};
}
