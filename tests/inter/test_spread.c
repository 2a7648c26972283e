/* Small moves on trees over sites: what they gain, and that they lose nothing. */
#include "tests/support/random_sites.h"

static random_sites sites;
static double price[SITES_MOST * SITES_MOST], fee[SITES_MOST];
static bool relay[SITES_MOST];

/* Sites that each keep their uplink busy for 1 s with each message that they send; latency: s. All prices are
 * 1 USD. */
static gb_site_graph *uplinks(uint32_t n, double latency, double messages) {
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < n; v++) {
      const size_t e = (size_t)u * n + v;
      sites.start[e] = e;
      sites.use[e] = (struct gb_site_use){u, u != v};
      sites.delta[e] = u == v ? INFINITY : 1;
      sites.weight[e] = u == v ? INFINITY : 1 + latency;
      price[e] = 1;
    }
  sites.start[(size_t)n * n] = (size_t)n * n;
  sites.loads = (gb_site_loads){.resources = n, .start = sites.start, .use = sites.use};
  sites.g = (gb_site_graph){.n = n,
                            .delta = sites.delta,
                            .weight = sites.weight,
                            .loads = &sites.loads,
                            .messages = messages,
                            .price = price};
  return &sites.g;
}

static void spread(const gb_site_graph *g, gb_site_trees *trees) {
  gbcast_error err = {""};
  cr_assert_eq(gb_inter_spread(g, trees, &err), GBCAST_OK, "%s", err.message);
}

static double seconds_of(const gb_site_graph *g, const gb_site_trees *trees) {
  double seconds;
  cr_assert_eq(gb_site_trees_time(g, trees, &seconds, NULL), GBCAST_OK);
  return seconds;
}

Test(spread, a_long_message_goes_down_a_chain) {
  uint32_t parent[4] = {UINT32_MAX, 0, 0, 0}, children[4] = {0};
  gb_site_trees trees = gb_one_site_tree(parent);
  spread(uplinks(4, 0.1, 1000), &trees);
  for (uint32_t v = 1; v < 4; v++)
    cr_assert_eq(++children[parent[v]], 1, "%u sends to two", parent[v]);
}

/* Each further site down a chain adds 5 s, and a message saved at the root 1 s. */
Test(spread, a_short_message_does_not) {
  uint32_t parent[4] = {UINT32_MAX, 0, 0, 0};
  gb_site_trees trees = gb_one_site_tree(parent);
  spread(uplinks(4, 5, 1), &trees);
  for (uint32_t v = 1; v < 4; v++)
    cr_assert_eq(parent[v], 0);
}

Test(spread, no_edge_becomes_dearer) {
  uint32_t parent[4] = {UINT32_MAX, 0, 0, 0};
  gb_site_trees trees = gb_one_site_tree(parent);
  const gb_site_graph *g = uplinks(4, 0.1, 1000);
  for (size_t e = 4; e < 16; e++)
    price[e] = e == 4 + 2 ? 1 : 1.01; /* only from 1 to 2 it costs as little as from the root */
  spread(g, &trees);
  cr_assert(parent[1] == 0 && parent[2] == 1 && parent[3] == 0);
}

/* 3 and 4 are relays: half of the message goes over each of them to sites 1 and 2. */
static void over_relays(double busy, uint32_t parent[10]) {
  const uint32_t two[10] = {UINT32_MAX, 3, 1, 0, UINT32_MAX, UINT32_MAX, 2, 4, UINT32_MAX, 0};
  gb_site_graph *g = uplinks(5, 0.1, 1000);
  gb_site_trees trees = {.count = 2, .weight = {1, 1}, .parent = parent};
  memcpy(parent, two, sizeof two);
  for (uint32_t v = 0; v < 5; v++) {
    relay[v] = v > 2;
    fee[v] = v > 2 ? 0.5 : 0;
    for (uint32_t u = 3; u < 5; u++)
      sites.use[(size_t)u * 5 + v].busy = u != v ? busy : 0;
  }
  g->relay = relay;
  g->fee = fee;
  spread(g, &trees);
}

Test(spread, a_relay_is_hired_once) {
  uint32_t parent[10];
  over_relays(1, parent);
  cr_assert(parent[3] == UINT32_MAX && parent[5 + 3] == UINT32_MAX, "relay 3 is still used");
  cr_assert(parent[4] == 0 && parent[1] == 4 && parent[5 + 4] == 0 && parent[5 + 2] == 4);
}

Test(spread, two_relays_stay_where_one_is_too_slow) {
  uint32_t parent[10];
  over_relays(1.5, parent);
  cr_assert(parent[1] == 3 && parent[5 + 2] == 4);
}

/* Whether all sites but relays hang off the root by edges that there are, and relays pass something on. */
static bool reaches_all(const gb_site_graph *g, const uint32_t *parent) {
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t x = v, steps = 0;
    if (relay[v] && parent[v] == UINT32_MAX)
      continue;
    for (; x != g->root; x = parent[x])
      if (parent[x] == UINT32_MAX || !gb_site_usable(g, parent[x], x) || ++steps == g->n)
        return false;
    bool passes_on = !relay[v];
    for (uint32_t child = 0; child < g->n; child++)
      passes_on = passes_on || parent[child] == v;
    if (!passes_on)
      return false;
  }
  return true;
}

/* Random trees: those that are spread cost no more, take no longer, and reach all sites. */
Test(spread, nothing_gets_worse) {
  gb_random r = {7};
  uint32_t faster = 0, cheaper = 0;
  for (int round = 0; round < ROUNDS(600); round++) {
    const uint32_t n = 2 + random_below(&r, 12), relays = random_below(&r, n - 1);
    draw_sites(&r, n, random_below(&r, 4), true, &sites);
    gb_site_graph *g = &sites.g;
    const uint32_t more = random_below(&r, 10000);
    g->messages = random_below(&r, 2) ? 1 : 1 + more;
    for (size_t e = 0; e < (size_t)n * n; e++)
      price[e] = 1 + random_below(&r, 2);
    for (uint32_t v = 0; v < n; v++) {
      relay[v] = v != g->root && v < relays;
      fee[v] = relay[v] ? 0.25 : 0;
    }
    g->price = price;
    g->relay = relay;
    g->fee = fee;
    uint32_t parent[2 * SITES_MOST];
    gb_site_trees trees = {.count = 2, .parent = parent};
    for (uint32_t t = 0; t < 2; t++) {
      double cost[SITES_MOST];
      trees.weight[t] = 1 + random_below(&r, 3);
      for (size_t e = 0; e < (size_t)n * n; e++)
        cost[e] =
            gb_site_usable(g, (uint32_t)(e / n), (uint32_t)(e % n)) ? 1.0 + random_below(&r, 8) : INFINITY;
      cr_assert_eq(gb_inter_steiner(n, g->root, relay, cost, parent + (size_t)t * n, NULL, NULL), GBCAST_OK);
    }
    const double cost_before = gb_site_trees_price(g, &trees), before = seconds_of(g, &trees);
    spread(g, &trees);
    const double cost_now = gb_site_trees_price(g, &trees), now = seconds_of(g, &trees);
    cr_assert_leq(cost_now, cost_before * (1 + 1e-9), "round %d", round);
    cr_assert_leq(now, before * (1 + 1e-9), "round %d", round);
    faster += now < before * 0.999;
    cheaper += cost_now < cost_before * 0.999;
    cr_assert(reaches_all(g, parent) && reaches_all(g, parent + n), "round %d", round);
  }
  cr_assert_gt(faster, ROUNDS(100), "%u", faster);
  cr_assert_gt(cheaper, ROUNDS(20), "%u", cheaper);
}
