/* How soon a message can be in several sites that hear of it from a slow one. */
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static double bound_of(const char *hosts, uint64_t bytes) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .root = "r0"});
  const double bound = gbcast_plan_lower_bound(plan);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return bound;
}

/* 28 ms from r to either, 44 over the other. Of 500 kB what leaves in the last 44 ms leaves twice, and that
 * is half of what the 16 ms are good for in which it helps: as if all were 36 ms away. */
Test(bound_copies, two_sites) {
  const char *hosts = "cluster r bandwidth=1Gbit/s wan-bandwidth=40Mbit/s\nr[0-3]\n"
                      "cluster a bandwidth=1Gbit/s\na[0-3]\ncluster b bandwidth=1Gbit/s\nb[0-3]\n"
                      "link r a latency=28ms bandwidth=1Gbit/s\nlink r b latency=28ms bandwidth=1Gbit/s\n"
                      "link a b latency=16ms bandwidth=1Gbit/s\n";
  cr_assert_float_eq(bound_of(hosts, 500000), 0.036 + 500000 / 5e6, 1e-9);
  cr_assert_float_eq(bound_of(hosts, 25000), 0.028 + 2 * 25000 / 5e6, 1e-9, "all of it leaves twice");
}

/* Two of three are near each other: one copy for both, and one for the third, for all that leaves in the last
 * 60 ms; three in the last 32. */
Test(bound_copies, three_sites) {
  const char *hosts =
      "cluster r bandwidth=1Gbit/s wan-bandwidth=40Mbit/s\nr0\ncluster a bandwidth=1Gbit/s\na0\n"
      "cluster b bandwidth=1Gbit/s\nb0\ncluster c bandwidth=1Gbit/s\nc0\n"
      "link r a latency=30ms bandwidth=1Gbit/s\nlink r b latency=30ms bandwidth=1Gbit/s\n"
      "link r c latency=30ms bandwidth=1Gbit/s\nlink a b latency=2ms bandwidth=1Gbit/s\n"
      "link a c latency=30ms bandwidth=1Gbit/s\nlink b c latency=30ms bandwidth=1Gbit/s\n";
  cr_assert_float_eq(bound_of(hosts, 500000), 0.060 - 0.030 / 2 + 500000 / 5e6, 1e-9);
  cr_assert_float_eq(bound_of(hosts, 25000), 0.030 + 2 * 25000 / 5e6, 1e-9);
}

/* A link of its own to each site, but no more than that: both links together are what leaves. */
Test(bound_copies, links_without_an_uplink) {
  const char *hosts = "cluster r bandwidth=1Gbit/s\nr0\ncluster a bandwidth=1Gbit/s\na0\n"
                      "cluster b bandwidth=1Gbit/s\nb0\nlink r a latency=28ms bandwidth=20Mbit/s\n"
                      "link r b latency=28ms bandwidth=20Mbit/s\nlink a b latency=100ms bandwidth=1Gbit/s\n";
  cr_assert_float_eq(bound_of(hosts, 25000), 0.028 + 25000 / 2.5e6, 1e-9, "each copy over a link of its own");
}

/* Random stars, heard from what may be their slowest site, whatever the trees. */
Test(bound_copies, no_plan_beats_it, .timeout = 170) {
  static const char *const inter[] = {"flat", "chain", "exact", "packing", "disjoint", "in-turn"};
  gb_random r = {51};
  uint32_t close = 0, plans = 0;
  for (int round = 0; round < 60; round++) {
    char text[4000];
    const uint32_t sites = 3 + random_below(&r, 4);
    size_t length = 0;
    double way[8];
    for (uint32_t s = 0; s < sites; s++) {
      way[s] = 0.5 + random_below(&r, s == 0 ? 40 : 20);
      length += (size_t)snprintf(
          text + length, sizeof text - length,
          "cluster s%u bandwidth=1Gbit/s wan-bandwidth=%uMbit/s overhead=1us\n%c%u-[0-1]\n", s,
          s == 0 ? 20 + random_below(&r, 80) : 100 + random_below(&r, 900), s == 0 ? 'r' : 'h', s);
    }
    for (uint32_t s = 0; s < sites; s++)
      for (uint32_t v = s + 1; v < sites; v++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "link s%u s%u latency=%gms bandwidth=1Gbit/s overhead=1us\n", s, v,
                                   way[s] + way[v]);
    gbcast_platform *p = parse(text);
    for (size_t i = 0; i < sizeof inter / sizeof *inter; i++) {
      const gbcast_request request = {
          .bytes = 1000 + random_below(&r, 400000), .root = "r0-0", .inter = inter[i]};
      gbcast_plan *plan = make(p, request);
      cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-9), "round %d, %s: %g, but the bound is %g\n%s",
                    round, inter[i], plan->predicted, plan->bound, text);
      plans++;
      close += plan->predicted < 1.06 * plan->bound;
      gbcast_plan_free(plan);
    }
    gbcast_platform_free(p);
  }
  cr_assert_gt(close, plans / 4, "%u of %u come near", close, plans);
}
