/* Trees over sites of which some only pass data on, and trees that cost little: held against enumeration. */
#include "inter/trees.h"
#include "tests/support/random_sites.h"
#include "tests/support/rounds.h"

static random_sites sites;

typedef struct priced_sites {
  uint32_t n, root;
  bool relay[25];
  double cost[25 * 25];
} priced_sites;

static void draw(gb_random *r, uint32_t n, uint32_t relays, priced_sites *s) {
  *s = (priced_sites){.n = n, .root = random_below(r, n - relays)};
  for (uint32_t v = n - relays; v < n; v++)
    s->relay[v] = true;
  for (uint32_t e = 0; e < n * n; e++)
    s->cost[e] = random_below(r, 4) ? (double)(1 + random_below(r, 30)) : INFINITY;
}

/* Sums up the edges, and sees that the tree leads to every site that is no relay, and from the root alone. */
static double cost_of(const priced_sites *s, const uint32_t *parent) {
  double total = 0;
  cr_assert_eq(parent[s->root], UINT32_MAX);
  for (uint32_t v = 0; v < s->n; v++) {
    cr_assert(parent[v] != UINT32_MAX || v == s->root || s->relay[v], "%u is left out", v);
    if (parent[v] == UINT32_MAX)
      continue;
    total += s->cost[parent[v] * s->n + v];
    uint32_t x = v, steps = 0;
    while (parent[x] != UINT32_MAX && ++steps <= s->n)
      x = parent[x];
    cr_assert_eq(x, s->root, "%u does not hang off the root", v);
  }
  return total;
}

/* The least cost by enumeration of what each site but the root has above it: a site, or nothing. */
static double least_of(const priced_sites *s) {
  uint32_t above[6] = {0};
  double least = INFINITY;
  for (;;) {
    double total = 0;
    for (uint32_t v = 0; v < s->n && total < INFINITY; v++) {
      if (v == s->root || (above[v] == s->n && s->relay[v]))
        continue;
      total += above[v] == s->n ? INFINITY : s->cost[above[v] * s->n + v];
      uint32_t x = v, steps = 0;
      while (x != s->root && x < s->n && ++steps <= s->n)
        x = above[x];
      total += x == s->root ? 0 : INFINITY;
    }
    least = total < least ? total : least;
    uint32_t v = 0;
    while (v < s->n && (v == s->root || ++above[v] > s->n))
      above[v++] = 0;
    if (v == s->n)
      return least;
  }
}

Test(steiner, is_least) {
  gb_random r = {1};
  int unreached = 0, passed_on = 0;
  for (int round = 0; round < ROUNDS(600); round++) {
    const uint32_t n = 2 + random_below(&r, 4);
    priced_sites s;
    uint32_t parent[6];
    draw(&r, n, random_below(&r, n), &s);
    const double least = least_of(&s);
    double bound = 0;
    const int status = gb_inter_steiner(n, s.root, s.relay, s.cost, parent, &bound, NULL);
    cr_assert_eq(status, least < INFINITY ? GBCAST_OK : GBCAST_EINPUT, "round %d", round);
    unreached += status != GBCAST_OK;
    if (status != GBCAST_OK)
      continue;
    cr_assert_eq(cost_of(&s, parent), least, "round %d: %g, not %g", round, cost_of(&s, parent), least);
    cr_assert_eq(bound, least);
    for (uint32_t v = 0; v < n; v++)
      passed_on += s.relay[v] && parent[v] != UINT32_MAX;
  }
  cr_assert_gt(unreached, ROUNDS(10));
  cr_assert_gt(passed_on, ROUNDS(50));
}

/* The tree and the bound for many sites, where the exact tree is known, too: on random edges, and where
 * prices of providers depend on the sender alone, but for some links between two of them. */
Test(steiner, near_trees_and_bounds) {
  gb_random r = {2};
  double worst = 1, loosest = 1, sum = 0, bounds = 0;
  int count = 0, unreached = 0;
  for (int round = 0; round < 300; round++) {
    priced_sites s;
    uint32_t parent[25];
    double least = 0, bound = 0;
    const uint32_t n = 8 + random_below(&r, 18), terminals = 1 + random_below(&r, n - 1 < 9 ? n - 1 : 9);
    draw(&r, n, n - 1 - terminals, &s);
    for (uint32_t e = 0; e < n * n; e++)
      if (round % 3 == 1)
        s.cost[e] = random_below(&r, 8) > 0 ? (double)(1 + e / n % 5) : s.cost[e];
      else if (round % 3 == 2)
        s.cost[e] = random_below(&r, n) < 3 ? (double)(1 + random_below(&r, 3)) : INFINITY;
    const int status = gb_inter_steiner(n, s.root, s.relay, s.cost, parent, &least, NULL);
    cr_assert_eq(gb_inter_steiner_bound(n, s.root, s.relay, s.cost, &bound, NULL), GBCAST_OK);
    cr_assert_eq(bound == INFINITY, status != GBCAST_OK, "round %d", round);
    cr_assert_eq(gb_inter_steiner_near(n, s.root, s.relay, s.cost, parent, NULL), status, "round %d", round);
    unreached += status != GBCAST_OK;
    if (status != GBCAST_OK)
      continue;
    const double near = cost_of(&s, parent);
    cr_assert(near >= least && bound <= least * (1 + 1e-9), "round %d: %g of %g, %g", round, near, least,
              bound);
    worst = near / least > worst ? near / least : worst;
    loosest = least / bound > loosest ? least / bound : loosest;
    sum += near / least;
    bounds += least / bound;
    count++;
  }
  cr_assert_leq(worst, 1.25);
  cr_assert_leq(sum, 1.01 * count, "mean %g", sum / count);
  cr_assert_leq(loosest, 1.1);
  cr_assert_leq(bounds, 1.01 * count, "mean %g", bounds / count);
  cr_assert_gt(unreached, 15);
}

/* More than GB_STEINER_EXACT sites: a tree, whose cost the bound proves to be near the least. */
Test(steiner, many_sites_get_a_good_tree) {
  gb_random r = {4};
  double sum = 0;
  for (int round = 0; round < 200; round++) {
    priced_sites s;
    uint32_t parent[25];
    double bound = 0;
    draw(&r, 25, 5, &s);
    cr_assert_eq(gb_inter_steiner(s.n, s.root, s.relay, s.cost, parent, &bound, NULL), GBCAST_OK);
    cr_assert_geq(cost_of(&s, parent), bound);
    sum += cost_of(&s, parent) / bound;
  }
  cr_assert_leq(sum, 1.005 * 200, "mean %g", sum / 200);
}

static double seconds_of(const gb_site_graph *g, const gb_site_trees *trees) {
  double seconds = 0;
  cr_assert_eq(gb_site_trees_time(g, trees, &seconds, NULL), GBCAST_OK);
  return seconds;
}

/* A value near 1 costs hardly more than the cheapest tree. A greater one is no slower, and INFINITY gives the
 * trees of gb_inter_packing. */
Test(least_cost, spending_trades_cost_for_time) {
  gb_random r = {3};
  int faster = 0;
  for (int round = 0; round < ROUNDS(100); round++) {
    static double price[SITES_MOST * SITES_MOST];
    const uint32_t n = 3 + random_below(&r, 6);
    gb_site_trees trees;
    uint32_t parent[SITES_MOST];
    draw_sites(&r, n, 2, true, &sites);
    for (uint32_t e = 0; e < n * n; e++)
      price[e] = gb_site_usable(&sites.g, e / n, e % n) ? 0.01 * (1 + random_below(&r, 15)) : INFINITY;
    sites.g.price = price;
    cr_assert_eq(gb_inter_arborescence(n, sites.g.root, price, parent, NULL), GBCAST_OK);
    const double least = gb_site_tree_price(&sites.g, parent);
    double before = INFINITY, first = 0;
    for (double more = 1.0 / 1024; more < 1000; more *= 32) {
      sites.g.spending = 1 + more;
      cr_assert_eq(gb_inter_least_cost(&sites.g, &trees, NULL), GBCAST_OK);
      const double usd = gb_site_trees_price(&sites.g, &trees), seconds = seconds_of(&sites.g, &trees);
      cr_assert(usd >= least * 0.999 && usd < least * (1 + more), "round %d: %g of %g", round, usd, least);
      cr_assert_leq(seconds, before * 1.1, "round %d, %g: %g s after %g s", round, more, seconds, before);
      before = seconds;
      first = first > 0 ? first : seconds;
      gb_site_trees_free(&trees);
    }
    faster += before < 0.9 * first;
    sites.g.spending = INFINITY;
    gb_site_trees packing;
    cr_assert_eq(gb_inter_least_cost(&sites.g, &trees, NULL), GBCAST_OK);
    cr_assert_eq(gb_inter_packing(&sites.g, &packing, NULL), GBCAST_OK);
    cr_assert_eq(seconds_of(&sites.g, &trees), seconds_of(&sites.g, &packing), "round %d", round);
    gb_site_trees_free(&trees);
    gb_site_trees_free(&packing);
  }
  cr_assert_gt(faster, ROUNDS(30));
}
