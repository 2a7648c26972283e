/* Plans of gathers, allgathers, reduce-scatters and barriers. */
#include "plan/bound/bound.h"
#include "platform/platform.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include "tests/support/turned.h"

/* A gather is a scatter over the links turned round. */
Test(gathers, are_scatters_turned_round) {
  for (uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 32)
    expect_turned(GBCAST_GATHER, GBCAST_SCATTER, bytes, 0);
}

/* A reduce-scatter is an allgather over the links turned round. */
Test(gathers, reduce_scatters_are_allgathers_turned_round) {
  for (uint64_t bytes = 12; bytes <= 12 << 20; bytes *= 32)
    expect_turned(GBCAST_REDUCE_SCATTER, GBCAST_ALLGATHER, bytes, 0);
}

/* An allgather is no sooner over than a gather of its blocks to any rank, and not much later than such a
 * gather and a broadcast of all blocks from there. */
Test(gathers, allgathers_lie_between, .timeout = 170) {
  gb_random r = {613};
  for (int round = 0; round < ROUNDS(60); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){6, 4, 2, round % 2, round % 3, false, false, false});
    const uint64_t block = (uint64_t)1 << random_below(&r, 18);
    gbcast_plan *gather = make(p, (gbcast_request){.operation = GBCAST_GATHER, .bytes = block});
    const uint64_t bytes = block * gather->schedule.endpoint_count;
    gbcast_plan *all = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = bytes});
    gbcast_plan *down = make(p, (gbcast_request){.bytes = bytes});
    cr_expect_geq(all->predicted, all->bound);
    if (all->site_count > 1)
      cr_expect_lt(all->predicted, 2.5 * (gather->predicted + down->predicted) + 4 * all->bound, "round %d",
                   round);
    gbcast_plan_free(gather);
    gbcast_plan_free(all);
    gbcast_plan_free(down);
    gbcast_platform_free(p);
  }
}

/* Three sites, each 10 to 12 ms from the others, and no leader's link is narrow: a block crosses each
 * distance once, and each link between sites carries the blocks of one site each way. */
Test(gathers, leaders_exchange) {
  gbcast_platform *p = parse("cluster a latency=1us bandwidth=10Gbit/s overhead=0s\na[0-1]\n"
                             "cluster b latency=1us bandwidth=10Gbit/s overhead=0s\nb[0-1]\n"
                             "cluster c latency=1us bandwidth=10Gbit/s overhead=0s\nc[0-1]\n"
                             "link a b latency=10ms bandwidth=100Mbit/s overhead=0s\n"
                             "link a c latency=10ms bandwidth=100Mbit/s overhead=0s\n"
                             "link b c latency=12ms bandwidth=100Mbit/s overhead=0s\n");
  gbcast_plan *few = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = 6});
  cr_assert_eq(few->schedule.exchange, GB_EXCHANGE_LEADERS);
  cr_expect_float_eq(few->predicted, 0.012, 1e-4, "%g", few->predicted);
  gbcast_plan *many = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = 6000000});
  cr_assert_neq(many->schedule.exchange, GB_UP_AND_DOWN); /* rings are as good */
  cr_expect_float_eq(many->predicted, 2000000.0 / 12.5e6 + 0.012, 0.01, "%g", many->predicted);
  gbcast_plan_free(few);
  gbcast_plan_free(many);
  gbcast_platform_free(p);
}

/* Eight hosts on two switches with a cable of a tenth of a host's bandwidth. Round a ring each block crosses
 * it once each way. Streams both ways leave 0.92 of a link. */
Test(gathers, blocks_go_round_a_ring) {
  gbcast_platform *p = parse("cluster a latency=100us bandwidth=800Mbit/s overhead=0s\n"
                             "switch x\nswitch y uplink=x bandwidth=80Mbit/s\n"
                             "n[0-3] switch=x\nn[4-7] switch=y\n");
  gbcast_plan *plan = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = 800000});
  cr_assert_eq(plan->schedule.exchange, GB_EXCHANGE_RINGS);
  cr_expect_float_eq(plan->predicted, 7 * 100000 / (0.92 * 10e6) + 100e-6, 1e-4, "%g", plan->predicted);
  uint32_t order[8], crossings = 0;
  gb_tree_preorder(&plan->schedule.tree[0], plan->schedule.root, order);
  for (uint32_t i = 0; i < 8; i++)
    crossings += (order[i] < 4) != (order[(i + 1) % 8] < 4);
  cr_expect_eq(crossings, 2, "there and back");
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Two sites of two and four hosts, whose links are as fast as that between them. A leader would send the
 * blocks of its whole site. Here the busiest link is the one into a host of the small site: half of the other
 * site's four blocks come straight over it, and half round the ring, where streams both ways leave 0.92 of
 * it. All but their first segments have 10 ms and three hops to go. */
Test(gathers, blocks_go_round_a_ring_in_each_site) {
  gbcast_platform *p = parse("cluster a latency=100us bandwidth=80Mbit/s overhead=0s\na[0-1]\n"
                             "cluster b latency=100us bandwidth=80Mbit/s overhead=0s\nb[0-3]\n"
                             "link a b latency=10ms bandwidth=80Mbit/s overhead=0s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = 600000});
  cr_assert_eq(plan->schedule.exchange, GB_EXCHANGE_RINGS);
  cr_expect_str_eq(plan->inter, "rings");
  const double segment = (double)plan->schedule.tree[0].segment, hop = segment / 0.92 / 10e6 + 100e-6;
  const double least = 0.01 + segment / 10e6 + 200000 / 10e6 + 200000 / (0.92 * 10e6);
  cr_expect_float_eq(plan->predicted, least + 3 * hop + 100e-6, 1e-6, "%g", plan->predicted);
  cr_expect_geq(plan->predicted, plan->bound);
  for (uint32_t v = 0; v < 6; v++)
    cr_expect_eq(plan->schedule.tree[0].arrival[v], plan->predicted);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Every rank has one place in the ring of its site, and blocks enter other sites at places that are spread as
 * evenly as they can be. */
Test(gathers, rings_have_all_ranks) {
  gb_random r = {17};
  for (int round = 0; round < ROUNDS(60); round++) {
    gbcast_platform *p = random_platform(&r, (gb_grid_kind){6, 4, 2, round % 2, 0, false, false, false});
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1000});
    const uint32_t n = plan->schedule.endpoint_count;
    uint32_t *order = malloc(2 * (size_t)n * sizeof *order), *seen = calloc(n, sizeof *seen);
    gb_rings_order(&plan->schedule, plan->site, plan->site_count, order);
    for (uint32_t s = 0; s < plan->site_count; s++) {
      const gb_site *from = &plan->site[s], *to = &plan->site[random_below(&r, plan->site_count)];
      for (uint32_t i = from->first_endpoint; i < from->first_endpoint + from->endpoint_count; i++) {
        cr_assert_lt(order[i] - from->first_endpoint, from->endpoint_count, "of another site");
        seen[order[i]]++;
      }
      uint32_t entries[64] = {0};
      for (uint32_t place = 0; place < from->endpoint_count; place++)
        entries[gb_rings_entry(from, place, to)]++;
      for (uint32_t i = 0; i < to->endpoint_count; i++)
        cr_assert_leq(entries[i], from->endpoint_count / to->endpoint_count + 1);
    }
    for (uint32_t v = 0; v < n; v++)
      cr_assert_eq(seen[v], 1);
    free(order);
    free(seen);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* Whatever the size that is asked for. */
Test(gathers, a_barrier_is_an_allreduce_of_a_byte) {
  gb_random r = {71};
  for (int round = 0; round < ROUNDS(30); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){6, 4, 2, round % 2, round % 3, false, false, false});
    gbcast_plan *barrier = make(p, (gbcast_request){.operation = GBCAST_BARRIER, .bytes = 12345});
    gbcast_plan *allreduce = make(p, (gbcast_request){.operation = GBCAST_ALLREDUCE, .bytes = 1});
    const gb_tree *tree = barrier->schedule.tree, *same = allreduce->schedule.tree;
    cr_assert_float_eq(barrier->predicted, allreduce->predicted, 1e-12);
    cr_assert_eq(barrier->schedule.tree_count, allreduce->schedule.tree_count);
    for (uint32_t e = 0; e < barrier->schedule.endpoint_count; e++)
      cr_assert_eq(tree->parent[e], same->parent[e]);
    gbcast_plan_free(barrier);
    gbcast_plan_free(allreduce);
    gbcast_platform_free(p);
  }
}
