/* Contention-free binary tree: Algorithm 2 of Patarasuk, Yuan and Faraj (section 4.1.2, Fig. 4), its heights
 * and its trees. Hosts are m_0 .. m_{P-1} in the order of Algorithm 1; best[i][j] is the height of the tree
 * over m_i .. m_j:
 *
 *   best[i][i] = 0    best[i][i + 1] = 1
 *   best[i][j] = 1 + min over k of max(best[i + 1][k - 1], best[k][j])     i + 2 <= k <= j
 *
 *            i          where i -> k shares no link with the tree over i + 1 .. k - 1. intra/conflicts.c
 * tells /   \        this from i and k alone, so no paths are compared. Of equal k the first is taken.
 *   i+1..k-1    k..j    From three hosts on the paper takes two children, never one.
 *
 *   A L(s) + B g(s) + 2 (X - 1) g(s)   (formula 2, X segments of s bytes)
 *
 * Rows are filled from the last: for a fixed k all j at once, a minimum over two rows of small integers. So
 * P^3 / 6 steps at worst, some hundredths of a second for 1,024 hosts on one switch, less when switches rule
 * out most k. Above that a table with one number for each host and height is used (intra/coverage.c): it
 * knows the same trees and those with single children, so heights are at most the paper's. */
#include "intra/algorithms.h"
#include "intra/contention_free.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BY_PAPER 1024u
#define LANES 16u       /* entries that are updated together; a power of two */
#define UNKNOWN 0x4000u /* above all heights */

typedef struct height_table {
  uint32_t count, stride;
  const gb_conflicts *conflicts;
  uint16_t *best; /* count rows of stride */
} height_table;

static uint16_t *row(const height_table *t, uint32_t i) {
  return t->best + (size_t)i * t->stride;
}

/* best[i][j] with the right child k, for all j from k on; what is before k in the same lanes is UNKNOWN in
 * k's row and stays. */
static void relax(uint16_t *restrict to, const uint16_t *restrict from, uint16_t left, uint32_t lanes) {
  for (uint32_t group = 0; group < lanes; group++, to += LANES, from += LANES) {
    for (uint32_t j = 0; j < LANES; j++) {
      uint16_t height = from[j] > left ? from[j] : left;
      height++;
      to[j] = to[j] < height ? to[j] : height;
    }
  }
}

static bool spares(const height_table *t, uint32_t i, uint32_t k) {
  return k - 1 <= t->conflicts->right[i] && t->conflicts->left[k] <= i + 1;
}

static void fill(const height_table *t) {
  for (uint32_t i = t->count; i-- > 0;) {
    uint16_t *to = row(t, i);
    for (uint32_t j = 0; j < t->stride; j++) {
      to[j] = UNKNOWN;
    }
    for (uint32_t k = i + 2; k < t->count && k - 1 <= t->conflicts->right[i]; k++) {
      if (spares(t, i, k)) {
        uint32_t start = k & ~(LANES - 1);
        relax(to + start, row(t, k) + start, row(t, i + 1)[k - 1], (t->stride - start) / LANES);
      }
    }
    to[i] = 0;
    if (i + 1 < t->count) {
      to[i + 1] = 1;
    }
  }
}

/* The first right child that gives the height; the last position plus one when there is none. */
static uint32_t find_split(const height_table *t, uint32_t i, uint32_t j) {
  for (uint32_t k = i + 2; k <= j; k++) {
    uint16_t a = row(t, i + 1)[k - 1], b = row(t, k)[j];
    if (spares(t, i, k) && (a > b ? a : b) + 1 == row(t, i)[j]) {
      return k;
    }
  }
  return j + 1;
}

/* last[i]: the end of the tree that m_i is the root of. Roots come before what is below them. */
static void read_out(const height_table *t, uint32_t *last, uint32_t *parent) {
  parent[0] = GB_NONE;
  last[0] = t->count - 1;
  for (uint32_t i = 0; i < t->count; i++) {
    if (last[i] > i) {
      uint32_t k = find_split(t, i, last[i]);
      parent[i + 1] = i;
      last[i + 1] = k - 1;
      if (k <= last[i]) {
        parent[k] = i;
        last[k] = last[i];
      }
    }
  }
}

static int by_paper(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                    uint32_t *parent, gbcast_error *err) {
  static const uint32_t height[] = {0, 1, 1};
  (void)context;
  if (order->count > MOST_BY_PAPER) {
    return gb_coverage_build(order, conflicts, 2, height, parent, err);
  }
  height_table t = {
      .count = order->count, .stride = (order->count + LANES - 1) & ~(LANES - 1), .conflicts = conflicts};
  uint32_t *last = calloc(order->count, sizeof *last);
  t.best = malloc((size_t)t.count * t.stride * sizeof *t.best);
  int status = last != NULL && t.best != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    fill(&t);
    read_out(&t, last, parent);
  }
  free(last);
  free(t.best);
  return status;
}

int gb_intra_build_binary_contention_free(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  return gb_build_by_position(job, by_paper, NULL, parent, err);
}
