/* Plans of reductions and allreduces. */
#include "plan/bound/bound.h"
#include "plan/search/native.h"
#include "platform/platform.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include "tests/support/turned.h"

/* A reduction is a broadcast over the links turned round. */
Test(reductions, are_broadcasts_turned_round) {
  for (uint64_t bytes = 1; bytes <= 16 << 20; bytes *= 16)
    expect_turned(GBCAST_REDUCE, GBCAST_BCAST, bytes, 1);
}

/* Both ways a link is as the worse of the two, with the mean latency; where the two are alike nothing is
 * made. */
Test(reductions, turn_a_platform) {
  gbcast_error err = {""};
  gbcast_platform *p = parse(unlike), *out;
  cr_assert_eq(gb_platform_turn(p, GB_TURN_BOTH, &out, &err), GBCAST_OK);
  const uint32_t a = gb_platform_find_cluster(p, "a"), b = gb_platform_find_cluster(p, "b");
  for (int way = 0; way < 2; way++) {
    const gb_link *link = way == 0 ? gb_platform_link(out, a, b) : gb_platform_link(out, b, a);
    cr_expect_float_eq(link->latency, 0.02, 1e-12);
    cr_expect_float_eq(link->bandwidth, 20e6 / 8, 1e-3);
  }
  gb_platform_turned_free(out);
  cr_assert_eq(gb_platform_turn(p, GB_TURN_ROUND, &out, &err), GBCAST_OK);
  cr_expect_float_eq(gb_platform_link(out, a, b)->latency, 0.03, 1e-12);
  gb_platform_turned_free(out);
  gbcast_platform_free(p);
  p = parse(SITES "link a b latency=5ms bandwidth=1Mbit/s\nlink b c latency=6ms bandwidth=1Mbit/s\n");
  cr_assert_eq(gb_platform_turn(p, GB_TURN_ROUND, &out, &err), GBCAST_OK);
  cr_expect_null(out);
  gbcast_platform_free(p);
  p = parse(SITES "link a -> b latency=5ms bandwidth=1Mbit/s\nlink b -> c latency=6ms bandwidth=1Mbit/s\n"
                  "link c -> a latency=7ms bandwidth=1Mbit/s\n");
  cr_assert_eq(gb_platform_turn(p, GB_TURN_BOTH, &out, &err), GBCAST_OK);
  cr_expect_eq(out->link_count, 6, "a link that leads one way only counts both ways");
  cr_expect_float_eq(gb_platform_link(out, b, a)->latency, 0.005, 1e-12);
  gb_platform_turned_free(out);
  gbcast_platform_free(p);
}

/* An allreduce is no sooner over than any broadcast; and no later than a reduction and a broadcast with the
 * whole message between the same root, one after the other, would be. */
Test(reductions, allreduces_lie_between, .timeout = 170) {
  gb_random r = {311};
  for (int round = 0; round < ROUNDS(60); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){6, 4, 2, round % 2, round % 3, false, false, false});
    const uint64_t bytes = (uint64_t)1 << random_below(&r, 23);
    gbcast_plan *both = make(p, (gbcast_request){.operation = GBCAST_ALLREDUCE, .bytes = bytes});
    gbcast_plan *down = make(p, (gbcast_request){.bytes = bytes});
    cr_expect_geq(both->predicted, both->bound);
    cr_expect_geq(both->bound * 1.000001, down->bound, "round %d: from any root", round);
    if (both->site_count > 1 && !both->schedule.exchange)
      cr_expect_lt(both->predicted, 2.5 * down->predicted + 4 * both->bound, "round %d", round);
    gbcast_plan_free(both);
    gbcast_plan_free(down);
    gbcast_platform_free(p);
  }
}

/* Three sites, each 10 to 12 ms from the others: a short allreduce crosses each distance once. */
Test(reductions, leaders_exchange_what_is_short) {
  gbcast_platform *p = parse("cluster a latency=1us bandwidth=1Gbit/s overhead=0s\na[0-1]\n"
                             "cluster b latency=1us bandwidth=1Gbit/s overhead=0s\nb[0-1]\n"
                             "cluster c latency=1us bandwidth=1Gbit/s overhead=0s\nc[0-1]\n"
                             "link a b latency=10ms bandwidth=100Mbit/s overhead=0s\n"
                             "link a c latency=10ms bandwidth=100Mbit/s overhead=0s\n"
                             "link b c latency=12ms bandwidth=100Mbit/s overhead=0s\n");
  gbcast_plan *few = make(p, (gbcast_request){.operation = GBCAST_ALLREDUCE, .bytes = 8});
  cr_assert(few->schedule.exchange);
  cr_expect_str_eq(few->inter, "exchange");
  cr_expect_float_eq(few->predicted, 0.012, 1e-4, "%g", few->predicted);
  gbcast_plan *many = make(p, (gbcast_request){.operation = GBCAST_ALLREDUCE, .bytes = 8 << 20});
  cr_expect_not(many->schedule.exchange);
  cr_expect_gt(many->predicted, 8.0 * (8 << 20) / 100e6);
  gbcast_plan_free(few);
  gbcast_plan_free(many);
  gbcast_platform_free(p);
}

/* Eight hosts on two switches with a cable of a tenth of a host's bandwidth. Of three steps the last crosses
 * it with four messages each way. */
Test(reductions, butterflies_cross_switches) {
  gbcast_platform *p = parse("cluster a latency=100us bandwidth=800Mbit/s overhead=0s\n"
                             "switch x\nswitch y uplink=x bandwidth=80Mbit/s\n"
                             "n[0-3] switch=x\nn[4-7] switch=y\n");
  gbcast_plan *plan = make(p, (gbcast_request){.operation = GBCAST_ALLREDUCE, .bytes = 1000});
  gb_network net;
  gbcast_error err = {""};
  double seconds = 0;
  cr_assert_eq(gb_network_new(&net, plan->platform, &err), GBCAST_OK);
  cr_assert_eq(gb_butterfly_time(&net, plan, 1000, &seconds, &err), GBCAST_OK);
  cr_expect_float_eq(seconds, 2 * (100e-6 + 10e-6) + 4 * 100e-6, 1e-9, "%g", seconds);
  cr_assert_eq(gb_butterfly_time(&net, plan, 80000, &seconds, &err), GBCAST_OK);
  cr_expect_float_eq(seconds, 2 * (100e-6 + 400e-6 + 100e-6 + 200e-6 + 4 * 1e-3), 1e-9, "%g", seconds);
  gb_network_release(&net);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* One after the other, a host combines what two others send it; a segment is combined before it goes on. */
Test(reductions, operators_take_time) {
  static const char text[] = "cluster a latency=100us bandwidth=8Gbit/s overhead=0s reduce=%s\nh[0-2]\n";
  char with[128], without[128];
  snprintf(with, sizeof with, text, "3ns");
  snprintf(without, sizeof without, text, "0s");
  gbcast_platform *slow = parse(with), *fast = parse(without);
  const struct {
    const char *intra;
    double more; /* for a megabyte in one piece, which is there after 1 ms: s */
  } wanted[] = {{"flat", 3e-3 + 3e-3 - 1e-3}, {"chain", 3e-3 + 3e-3}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    const gbcast_request request = {
        .operation = GBCAST_REDUCE, .bytes = 1000000, .intra = wanted[i].intra, .segment = 1 << 20};
    gbcast_plan *a = make(slow, request), *b = make(fast, request);
    cr_expect_float_eq(a->predicted - b->predicted, wanted[i].more, 1e-9, "%s: %g", wanted[i].intra,
                       a->predicted - b->predicted);
    gbcast_plan_free(a);
    gbcast_plan_free(b);
  }
  gbcast_platform_free(slow);
  gbcast_platform_free(fast);
}

/* What is not combined takes as long; what is, no less time. */
Test(reductions, operators_matter_where_operands_meet, .timeout = 170) {
  gb_random r = {977};
  for (int round = 0; round < ROUNDS(40); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){5, 4, 2, round % 2, round % 3, false, false, false});
    const uint64_t bytes = (uint64_t)1 << random_below(&r, 22);
    gbcast_plan *plan[2][WITH_TREES];
    for (int slow = 0; slow < 2; slow++) {
      for (uint32_t c = 0; c < p->cluster_count; c++)
        p->cluster[c].reduce = slow ? 2e-9 : 0;
      for (int i = 0; i < WITH_TREES; i++)
        plan[slow][i] = make(p, (gbcast_request){.operation = with_trees[i], .bytes = bytes});
    }
    for (int i = 0; i < WITH_TREES; i++) {
      const double fast = plan[0][i]->predicted, slow = plan[1][i]->predicted;
      if (gb_combines(with_trees[i]))
        cr_expect_geq(slow, fast * (1 - 0.01), "round %d, operation %d: %g, %g", round, (int)with_trees[i],
                      slow, fast);
      else
        cr_expect_eq(slow, fast, "round %d, operation %d", round, (int)with_trees[i]);
      gbcast_plan_free(plan[0][i]);
      gbcast_plan_free(plan[1][i]);
    }
    gbcast_platform_free(p);
  }
}
