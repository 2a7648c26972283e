/* Trees over sites: the paper's figures, the optimum against brute force, and who may never be beaten by
 * whom. */
#include "inter/inter.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define MOST 256
#define MOST_LOCAL 64

static double delta[MOST * MOST], weight[MOST * MOST], local_delta[MOST * MOST_LOCAL],
    local_tail[MOST * MOST_LOCAL];
static bool direct[MOST * MOST];
static uint32_t local_start[MOST + 1];

static uint32_t pick(uint64_t *seed, uint32_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*seed >> 33) % below);
}

/* Whole milliseconds, so that ties occur; `holes` of 8 links are missing, of these half have no cost either.
 */
static gb_site_graph draw(uint64_t *seed, uint32_t n, uint32_t locals, uint32_t holes) {
  for (uint32_t i = 0; i < n * n; i++) {
    direct[i] = i / n != i % n && pick(seed, 8) >= holes;
    const bool usable = direct[i] || pick(seed, 2);
    delta[i] = usable ? 1e-3 * (1 + pick(seed, 8)) : INFINITY;
    weight[i] = usable ? 1e-3 * (1 + pick(seed, 30)) : INFINITY;
  }
  local_start[0] = 0;
  for (uint32_t v = 0; v < n; v++) {
    local_start[v + 1] = local_start[v] + (locals ? pick(seed, locals + 1) : 0);
    for (uint32_t i = local_start[v]; i < local_start[v + 1]; i++) {
      local_delta[i] = 1e-4 * (1 + pick(seed, 20));
      local_tail[i] = 1e-3 * pick(seed, 40);
    }
  }
  return (gb_site_graph){.n = n,
                         .root = pick(seed, n),
                         .delta = delta,
                         .weight = weight,
                         .direct = direct,
                         .local_start = local_start,
                         .local_delta = local_delta,
                         .local_tail = local_tail};
}

static int build(const char *name, const gb_site_graph *g, uint32_t *parent) {
  const size_t i = gb_inter_find(name);
  cr_assert_neq(i, SIZE_MAX, "%s", name);
  return gb_inter_table[i].build(g, parent, NULL);
}

static double price(const gb_site_graph *g, const uint32_t *parent) {
  double makespan = -1;
  cr_assert_eq(gb_inter_makespan(g, parent, &makespan, NULL, NULL), GBCAST_OK);
  return makespan;
}

Test(
    inter,
    figure_1) { /* complete graph of 6, weights 1: flat 1 + 5 delta; 2 + 3 delta is better from delta > 0.5 */
  for (int k = 1; k <= 12; k++) {
    const double d = 0.125 * k;
    uint32_t parent[6];
    for (uint32_t i = 0; i < 36; i++) {
      delta[i] = d;
      weight[i] = 1;
      direct[i] = i / 6 != i % 6;
    }
    const gb_site_graph g = {
        .n = 6, .delta = delta, .weight = weight, .direct = direct, .local_start = local_start};
    cr_assert_eq(build("flat", &g, parent), GBCAST_OK);
    cr_assert_float_eq(price(&g, parent), 1 + 5 * d, 1e-12);
    cr_assert_eq(build("dijkstra", &g, parent), GBCAST_OK);
    cr_assert_float_eq(price(&g, parent), 1 + 5 * d, 1e-12);
    const uint32_t right[6] = {UINT32_MAX, 0, 0, 0, 1, 1}; /* 1 sends twice after delta + 1 */
    cr_assert_float_eq(price(&g, right), 2 + 3 * d, 1e-12);
    cr_assert_eq(build("exact", &g, parent), GBCAST_OK);
    cr_assert_leq(price(&g, parent), fmin(1 + 5 * d, 2 + 3 * d) + 1e-12);
  }
}

/* Fig. 2 written again from the paper, with a set for the queue. */
static void figure_2(const gb_site_graph *g, uint32_t *parent) {
  double dist[16];
  uint32_t queue = (1u << g->n) - 1;
  for (uint32_t v = 0; v < g->n; v++) {
    dist[v] = INFINITY;
    parent[v] = UINT32_MAX;
  }
  dist[g->root] = 0;
  while (queue) {
    uint32_t u = (uint32_t)__builtin_ctz(queue);
    for (uint32_t v = u; v < g->n; v++)
      u = (queue >> v & 1u) && dist[v] < dist[u] ? v : u;
    queue &= ~(1u << u);
    for (uint32_t v = 0; v < g->n; v++) {
      const size_t e = (size_t)u * g->n + v;
      if (g->direct[e] && (queue >> v & 1u) && dist[v] > dist[u] + g->weight[e] + g->delta[e]) {
        dist[v] = dist[u] + g->weight[e] + g->delta[e];
        dist[u] = dist[u] + g->delta[e];
        parent[v] = u;
      }
    }
  }
}

Test(inter, figure_2) {
  uint64_t seed = 2;
  int unreached = 0;
  for (int round = 0; round < 2000; round++) {
    const gb_site_graph g = draw(&seed, 1 + pick(&seed, 14), 0, pick(&seed, 9));
    uint32_t expected[16], parent[16];
    bool reached = true;
    figure_2(&g, expected);
    for (uint32_t v = 0; v < g.n; v++)
      reached = reached && (v == g.root || expected[v] != UINT32_MAX);
    unreached += !reached;
    cr_assert_eq(build("extended-dijkstra", &g, parent), reached ? GBCAST_OK : GBCAST_EINPUT, "round %d",
                 round);
    if (reached)
      cr_assert_eq(memcmp(parent, expected, g.n * sizeof *parent), 0, "round %d", round);
  }
  cr_assert_gt(unreached, 100);
}

/* Least makespan over all parent arrays; -1 when none is a tree of usable links. */
static double brute_force(const gb_site_graph *g) {
  uint32_t parent[6] = {0};
  double best = -1;
  for (;;) {
    bool usable = true;
    for (uint32_t v = 0; v < g->n && usable; v++)
      usable = v == g->root || (v != parent[v] && isfinite(g->delta[parent[v] * g->n + v]));
    double makespan;
    parent[g->root] = UINT32_MAX;
    if (usable && gb_inter_makespan(g, parent, &makespan, NULL, NULL) == GBCAST_OK &&
        (best < 0 || makespan < best))
      best = makespan;
    uint32_t v = 0;
    for (; v < g->n; v++) {
      if (v == g->root)
        continue;
      if (++parent[v] < g->n)
        break;
      parent[v] = 0;
    }
    if (v == g->n)
      return best;
  }
}

Test(inter, exact_is_the_optimum) {
  uint64_t seed = 3;
  for (int round = 0; round < 150; round++) {
    const uint32_t n = round < 130 ? 1 + pick(&seed, 5) : 6;
    const gb_site_graph g = draw(&seed, n, round % 2 ? 6 : 0, round % 3 ? 1 : 4);
    uint32_t parent[6];
    const double best = brute_force(&g);
    const int status = build("exact", &g, parent);
    cr_assert_eq(status, best < 0 ? GBCAST_EINPUT : GBCAST_OK, "round %d", round);
    if (status == GBCAST_OK)
      cr_assert_float_eq(price(&g, parent), best, 1e-12, "round %d: %g, not %g", round, price(&g, parent),
                         best);
  }
}

Test(inter, exact_is_never_above_another) {
  uint64_t seed = 4;
  for (uint32_t round = 0; round < 60; round++) {
    const gb_site_graph g =
        draw(&seed, round < 40 ? 2 + pick(&seed, 8) : 13 + pick(&seed, 30), round % 3 * 10, 1);
    uint32_t parent[MOST], again[MOST];
    const int status = build("exact", &g, parent);
    cr_assert_eq(build("exact", &g, again), status);
    if (status == GBCAST_OK)
      cr_assert_eq(memcmp(parent, again, g.n * sizeof *parent), 0);
    for (size_t i = 0; i < gb_inter_count; i++)
      if (gb_inter_table[i].build && gb_inter_table[i].build(&g, again, NULL) == GBCAST_OK) {
        cr_assert_eq(status, GBCAST_OK, "%s reaches all sites, exact does not", gb_inter_table[i].name);
        cr_assert_leq(price(&g, parent), price(&g, again), "round %u: %s", round, gb_inter_table[i].name);
      }
  }
}

Test(inter, ties_go_by_mention) {
  for (uint32_t i = 0; i < 25; i++) {
    delta[i] = weight[i] = 1;
    direct[i] = i / 5 != i % 5;
  }
  const gb_site_graph g = {.n = 5, .root = 3, .delta = delta, .weight = weight, .direct = direct};
  const uint32_t chain[5] = {4, 0, 1, UINT32_MAX, 3}, binomial[5] = {3, 0, 3, UINT32_MAX, 3};
  uint32_t parent[5];
  cr_assert_eq(build("chain", &g, parent), GBCAST_OK);
  cr_assert_eq(memcmp(parent, chain, sizeof chain), 0);
  cr_assert_eq(build("binomial", &g, parent), GBCAST_OK);
  cr_assert_eq(memcmp(parent, binomial, sizeof binomial), 0);
  cr_assert_eq(gb_inter_find("no such tree"), SIZE_MAX);
}

Test(inter, unreachable_site) {
  for (uint32_t n = 4; n <= 20; n += 16) {
    uint64_t seed = 5;
    gb_site_graph g = draw(&seed, n, 3, 0);
    g.root = 0;
    for (uint32_t u = 0; u < n; u++) {
      delta[u * n + 2] = weight[u * n + 2] = INFINITY;
      direct[u * n + 2] = false;
    }
    for (size_t i = 0; i < gb_inter_count && gb_inter_table[i].build; i++) {
      uint32_t parent[20] = {77};
      gbcast_error err = {.message = ""};
      cr_assert_eq(gb_inter_table[i].build(&g, parent, &err), GBCAST_EINPUT, "%s", gb_inter_table[i].name);
      cr_assert_eq(parent[0], 77);
      cr_assert_neq(err.message[0], '\0');
    }
  }
}

/* At the largest sizes that are planned for, with leaders that have much to do at home. */
Test(inter, exact_on_large_grids) {
  const uint32_t size[] = {9, 12, 32, 256};
  for (size_t i = 0; i < 4; i++) {
    uint64_t seed = 6;
    const gb_site_graph g = draw(&seed, size[i], MOST_LOCAL, 0);
    uint32_t parent[MOST], other[MOST];
    cr_assert_eq(build("exact", &g, parent), GBCAST_OK);
    for (size_t a = 0; a < gb_inter_count && gb_inter_table[a].build; a++) {
      cr_assert_eq(build(gb_inter_table[a].name, &g, other), GBCAST_OK);
      cr_assert_leq(price(&g, parent), price(&g, other), "%u sites: %s is below exact", size[i],
                    gb_inter_table[a].name);
    }
  }
}
