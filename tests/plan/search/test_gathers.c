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
  cr_assert(few->schedule.exchange);
  cr_expect_float_eq(few->predicted, 0.012, 1e-4, "%g", few->predicted);
  gbcast_plan *many = make(p, (gbcast_request){.operation = GBCAST_ALLGATHER, .bytes = 6000000});
  cr_assert(many->schedule.exchange);
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
  cr_assert(plan->schedule.exchange);
  cr_expect_float_eq(plan->predicted, 7 * 100000 / (0.92 * 10e6) + 100e-6, 1e-4, "%g", plan->predicted);
  uint32_t order[8], crossings = 0;
  gb_tree_preorder(&plan->schedule.tree[0], plan->schedule.root, order);
  for (uint32_t i = 0; i < 8; i++)
    crossings += (order[i] < 4) != (order[(i + 1) % 8] < 4);
  cr_expect_eq(crossings, 2, "there and back");
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
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
