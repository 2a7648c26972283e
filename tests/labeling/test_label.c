/* Labels against brute force over all sending orders, and the shapes that break a recursion. */
#include "labeling/labeling.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static double draw(uint64_t *seed) { /* in [0, 1), on a grid of 1/16 so that ties occur and sums are exact */
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 60) / 16;
}

static uint32_t pick(uint64_t *seed, uint32_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*seed >> 33) % below);
}

/* Least label of v over all orders of its children, the subtrees being labelled by the same. */
static double least_label(const gb_label_tree *t, uint32_t v, uint32_t left, double busy) {
  double best = INFINITY;
  for (uint32_t c = 0; c < t->n; c++) {
    if (!(left >> c & 1u))
      continue;
    uint32_t below = 0;
    for (uint32_t x = 0; x < t->n; x++)
      below |= t->parent[x] == c ? 1u << x : 0u;
    const double end = busy + t->delta[c];
    double time = end + t->weight[c] + least_label(t, c, below, 0);
    const double rest = least_label(t, v, left & ~(1u << c), end);
    time = rest > time ? rest : time;
    best = time < best ? time : best;
  }
  if (left == 0)
    best = 0;
  return busy == 0 && t->own && t->own[v] > best ? t->own[v] : best;
}

Test(label, equals_the_best_of_all_orders) {
  uint64_t seed = 1;
  for (int round = 0; round < 300; round++) {
    const uint32_t n = 1 + pick(&seed, 7);
    uint32_t parent[7], start[8], child[7];
    double delta[7], weight[7], own[7], label[7];
    for (uint32_t v = 0; v < n; v++) {
      parent[v] = v ? pick(&seed, v) : UINT32_MAX;
      delta[v] = 1 / 16.0 + draw(&seed);
      weight[v] = draw(&seed);
      own[v] = 2 * draw(&seed);
    }
    const gb_label_tree t = {n, 0, parent, delta, weight, round % 2 ? own : NULL};
    cr_assert_eq(gb_label(&t, label, start, child, NULL), GBCAST_OK);
    uint32_t all = 0;
    for (uint32_t v = 1; v < n; v++)
      all |= parent[v] == 0 ? 1u << v : 0u;
    cr_assert_eq(label[0], least_label(&t, 0, all, 0), "round %d", round);
    cr_assert_eq(start[n], n - 1);
    for (uint32_t v = 0; v < n; v++)
      for (uint32_t i = start[v]; i < start[v + 1]; i++) {
        cr_assert_eq(parent[child[i]], v);
        if (i == start[v])
          continue;
        const double before = label[child[i - 1]] + weight[child[i - 1]],
                     now = label[child[i]] + weight[child[i]];
        cr_assert(before > now || (before == now && child[i - 1] < child[i]));
      }
  }
}

Test(label, chain_of_100000) {
  const uint32_t n = 100000;
  uint32_t *parent = calloc(n, sizeof *parent);
  double *delta = calloc(n, sizeof *delta), *weight = calloc(n, sizeof *weight),
         *label = calloc(n, sizeof *label);
  for (uint32_t v = 0; v < n; v++) {
    parent[v] = v ? v - 1 : UINT32_MAX;
    delta[v] = 1;
    weight[v] = 2;
  }
  const gb_label_tree t = {.n = n, .parent = parent, .delta = delta, .weight = weight};
  cr_assert_eq(gb_label(&t, label, NULL, NULL, NULL), GBCAST_OK);
  cr_assert_eq(label[0], 3.0 * (n - 1));
  free(parent);
  free(delta);
  free(weight);
  free(label);
}

Test(label, leaves_out_nodes_without_a_parent) {
  const double delta[4] = {9, 1, 9, 1}, weight[4] = {9, 2, 9, 3};
  const uint32_t parent[4] = {UINT32_MAX, 0, UINT32_MAX, 1};
  const gb_label_tree t = {.n = 4, .parent = parent, .delta = delta, .weight = weight};
  double label[4] = {-1, -1, -1, -1};
  uint32_t start[5], child[4] = {7, 7, 7, 7};
  cr_assert_eq(gb_label(&t, label, start, child, NULL), GBCAST_OK);
  cr_assert(label[0] == 7 && label[1] == 4 && label[2] == 0 && label[3] == 0);
  cr_assert(start[1] == 1 && start[2] == 2 && start[4] == 2 && child[0] == 1 && child[1] == 3);
}

Test(label, rejects_what_is_no_tree) {
  const double zero[4] = {0};
  const uint32_t cycle[4] = {UINT32_MAX, 0, 3, 2}, two_roots[4] = {UINT32_MAX, UINT32_MAX, 0, 1};
  const uint32_t outside[4] = {UINT32_MAX, 4, 0, 0}, self[4] = {UINT32_MAX, 1, 0, 0}, above[4] = {1, 0, 0, 0};
  const uint32_t *const bad[] = {cycle, two_roots, outside, self, above};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    double label[4] = {-1, -1, -1, -1};
    const gb_label_tree t = {.n = 4, .parent = bad[i], .delta = zero, .weight = zero};
    cr_assert_eq(gb_label(&t, label, NULL, NULL, NULL), GBCAST_EINPUT, "case %zu", i);
    cr_assert_eq(label[0], -1);
  }
  const gb_label_tree no_root = {.n = 4, .root = 4, .parent = cycle, .delta = zero, .weight = zero};
  cr_assert_eq(gb_label(&no_root, NULL, NULL, NULL, NULL), GBCAST_EINPUT);
}
