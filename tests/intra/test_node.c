/* The trees inside the hosts: their shapes, and what choosing between them brings. */
#include "intra/intra.h"
#include "plan/build/build.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

/* The most children of a rank that hears from another rank, and the longest way from rank 0. */
static void look_at(size_t shape, bool sends, uint32_t ranks, uint32_t *widest, uint32_t *deepest) {
  uint32_t children[100] = {0}, depth[100] = {0};
  *widest = *deepest = 0;
  for (uint32_t i = 1; i < ranks; i++) {
    uint32_t up = gb_node_parent(shape, sends, i);
    cr_assert_lt(up, i, "%s: rank %u hears from %u", gb_node_table[shape].name, i, up);
    depth[i] = depth[up] + 1;
    *deepest = depth[i] > *deepest ? depth[i] : *deepest;
    children[up]++;
    *widest = up > 0 && children[up] > *widest ? children[up] : *widest;
  }
  uint32_t relay = gb_node_sender(shape, ranks);
  if (sends && relay > 0)
    cr_assert_eq(children[relay], 0, "%s: the relay has other work", gb_node_table[shape].name);
  cr_assert_eq(relay > 0, gb_node_table[shape].relay && ranks > 1);
  cr_assert_lt(relay, ranks);
}

Test(node, shapes_are_what_they_are_called) {
  for (size_t shape = 0; shape < gb_node_count; shape++)
    for (uint32_t ranks = 1; ranks < 100; ranks++)
      for (int sends = 0; sends < 2; sends++) {
        const char *name = gb_node_table[shape].name;
        uint32_t widest, deepest, log = 0;
        look_at(shape, sends, ranks, &widest, &deepest);
        uint32_t left = ranks - (sends && gb_node_table[shape].relay && ranks > 1); /* without the relay */
        while (1u << log < left)
          log++;
        if (strstr(name, "binomial"))
          cr_assert(deepest <= log + 1 && widest <= log, "%s on %u", name, ranks);
        else if (strstr(name, "binary"))
          cr_assert(deepest <= log + 1 && widest <= 2, "%s on %u", name, ranks);
        else if (strstr(name, "chain"))
          cr_assert(widest <= 1 && (left < 2 || deepest == left - 1), "%s on %u", name, ranks);
        else
          cr_assert_fail("%s", name);
      }
}

static const gb_grid_kind any_grid = {
    .sites = 4, .hosts = 8, .slots = 9, .switches = true, .caps = true, .sparse = true};

static bool is_leader(const gbcast_plan *plan, uint32_t endpoint) {
  for (uint32_t s = 0; s < plan->site_count; s++)
    if (plan->site[s].leader == endpoint)
      return true;
  return false;
}

/* In every tree: WAN edges join leaders, a host hears once from others, at its leader or its first rank, and
 * its LAN edges leave from one rank. */
static void expect_levels(const gbcast_plan *plan) {
  uint32_t *from = malloc(plan->platform->host_count * sizeof *from);
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    for (uint32_t h = 0; h < plan->platform->host_count; h++)
      from[h] = GB_NONE;
    for (uint32_t s = 0; s < plan->site_count; s++)
      for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++) {
        uint32_t v = plan->site[s].first_endpoint + i, u = plan->schedule.tree[t].parent[v];
        enum gb_level level = u == GB_NONE ? GB_LEVEL_WAN : gb_plan_level(plan, u, v);
        uint32_t host = plan->schedule.endpoint[v].host, leader = plan->site[s].leader;
        bool first =
            plan->schedule.endpoint[leader].host == host ? v == leader : plan->schedule.endpoint[v].k == 0;
        cr_assert_eq(level != GB_LEVEL_NODE, first, "rank %u of host %u", plan->schedule.endpoint[v].k, host);
        if (!gb_intra_table[gb_intra_find(plan->site[s].intra, (int)plan->operation)].leaderless)
          cr_assert_eq(level == GB_LEVEL_WAN, v == leader);
        if (u != GB_NONE && level == GB_LEVEL_WAN)
          cr_assert(is_leader(plan, u));
        if (level != GB_LEVEL_LAN)
          continue;
        uint32_t *sender = &from[plan->schedule.endpoint[u].host];
        cr_assert(*sender == GB_NONE || *sender == u, "LAN edges leave from two ranks of a host");
        *sender = u;
      }
  }
  free(from);
}

/* What the plan would take with nothing but binomial trees inside the hosts. */
static double with_binomial(gbcast_plan *plan) {
  const uint64_t segment = plan->schedule.tree[0].segment, size[] = {segment, plan->class_bytes};
  gb_planner pl;
  double least = INFINITY;
  cr_assert_eq(gb_planner_new(&pl, plan, NULL), GBCAST_OK);
  for (uint32_t s = 0; s < plan->site_count; s++)
    pl.forced_intra[s] = SIZE_MAX;
  for (int i = 0; i < 2; i++) {
    const gb_spec spec = {.inter = gb_inter_find(plan->inter),
                          .tree_bytes = size[i],
                          .intra = gb_intra_find(plan->site[0].intra, (int)plan->operation),
                          .lanes = plan->lanes,
                          .segment = segment};
    gb_score score;
    cr_assert_eq(gb_spec_score(&pl, &spec, gb_spec_effort_most(&pl, plan->lanes), &score, NULL), GBCAST_OK);
    least = score.predicted < least ? score.predicted : least;
  }
  gb_planner_release(&pl);
  return least;
}

/* Never slower than with a binomial tree in every host, and often faster: in 29 of the 150. */
Test(node, no_plan_loses_to_binomial) {
  gb_random r = {31};
  int rounds = ROUNDS(150), faster = 0;
  for (int round = 0; round < rounds; round++) {
    gbcast_platform *p = random_platform(&r, any_grid);
    char root[16];
    snprintf(root, sizeof root, "%u", random_below(&r, gbcast_platform_slots(p)));
    gbcast_request request = {.root = root, .inter = "extended-dijkstra"};
    request.bytes = gb_size_class((uint64_t)64 << random_below(&r, 18));
    request.operation = random_below(&r, 4) ? GBCAST_BCAST : GBCAST_SCATTER;
    request.segment = (uint64_t)512 << random_below(&r, 12);
    if (request.operation == GBCAST_SCATTER)
      request.bytes = gb_size_class(request.bytes >> 6), request.segment <<= 4;
    gbcast_plan *plan = make(p, request);
    expect_levels(plan);
    double binomial = with_binomial(plan);
    cr_assert(plan->native || plan->predicted <= 1.005 * binomial, "round %d: %.9g, with binomial trees %.9g",
              round, plan->predicted, binomial);
    faster += !plan->native && plan->predicted < 0.99 * binomial;
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
  cr_assert_geq(faster, rounds / 6, "%d of %d plans are faster by more than 1 %%", faster, rounds);
}

static bool is_relay(const char *name) {
  size_t i = 0;
  while (strcmp(gb_node_table[i].name, name) != 0)
    i++;
  return gb_node_table[i].relay;
}

/* 16 MiB to 16 hosts with 16 ranks: what a host gets in 13.4 ms it passes on in little more, from a rank that
 * does nothing else. */
Test(node, a_relay_keeps_up_with_the_link) {
  gbcast_platform *p = parse("cluster a bandwidth=10Gbit/s\nn[0-15]:16\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 24, .root = "5"});
  cr_assert(is_relay(plan->site[0].node));
  cr_assert_eq(plan->schedule.endpoint[plan->schedule.root].k, 5);
  expect_levels(plan);
  cr_assert_lt(plan->predicted, 0.0173);
  cr_assert_gt(with_binomial(plan), 0.026);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}
