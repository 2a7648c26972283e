/* The bound of an all-to-all between sites: by hand, and what scatters, which may take other ways, make of
 * it. */
#include "plan/bound/bound.h"
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static double bound_of(const char *hosts, uint64_t block) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = block});
  double bound;
  cr_assert_eq(gb_bound_cuts(plan, block, &bound, NULL), GBCAST_OK);
  cr_assert_geq(plan->bound, bound);
  cr_assert_geq(plan->predicted, plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return bound;
}

/* What goes to c may come over b: both links into c count. */
Test(bound_cuts, all_ways_into_a_site) {
  const double block = 65536, bound = bound_of("cluster a\na[0-3]\ncluster b\nb[0-3]\ncluster c\nc[0-1]\n"
                                               "link a b latency=4ms bandwidth=8Gbit/s\n"
                                               "link b c latency=6ms bandwidth=80Mbit/s\n"
                                               "link a c latency=5ms bandwidth=8Mbit/s\n",
                                               65536);
  cr_assert_float_eq(bound, 8 * 2 * block / (10e6 + 1e6) + 5e-3, 1e-12);
}

/* Half of the ranks on either side of the only way between them. */
Test(bound_cuts, the_only_way_between_two_halves) {
  const char *hosts = "cluster a\na0\ncluster b\nb0\ncluster c\nc0\ncluster d\nd0\n"
                      "link a b latency=1ms bandwidth=80Mbit/s\n"
                      "link b c latency=2ms bandwidth=80Mbit/s\n"
                      "link c d latency=3ms bandwidth=80Mbit/s\n";
  cr_assert_float_eq(bound_of(hosts, 100000), 2 * 2 * 1e5 / 10e6 + 2e-3, 1e-12);
}

/* In each direction as much as the narrower side of the WAN traffic allows. */
Test(bound_cuts, wan_bandwidth) {
  const char *hosts = "cluster a wan-bandwidth=8Mbit/s\na[0-1]\ncluster b\nb[0-2]\n"
                      "link a b latency=1ms bandwidth=80Mbit/s\n";
  cr_assert_float_eq(bound_of(hosts, 100000), 2 * 3 * 1e5 / 1e6 + 1e-3, 1e-12);
}

/* A scatter from each rank after the other is an all-to-all, too, and scatters go over other sites. */
Test(bound_cuts, scatters_do_not_beat_it) {
  gb_random r = {17};
  const gb_grid_kind grid = {
      .sites = 6, .hosts = 3, .slots = 1, .switches = false, .caps = true, .sparse = true};
  int slower = 0;
  for (int round = 0; round < 100; round++) {
    gbcast_platform *p = random_platform(&r, grid);
    const uint64_t bytes = (uint64_t)1 << random_below(&r, 21);
    gbcast_plan *all = make(p, (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = bytes});
    double scatters = 0;
    for (uint32_t root = 0; root < gbcast_platform_slots(p); root++) {
      char name[16];
      snprintf(name, sizeof name, "%u", root);
      gbcast_plan *one = make(p, (gbcast_request){.operation = GBCAST_SCATTER, .bytes = bytes, .root = name});
      scatters += one->predicted;
      gbcast_plan_free(one);
    }
    cr_assert_geq(scatters, all->bound * (1 - 1e-12), "round %d: %g s, bound %g s", round, scatters,
                  all->bound);
    slower += all->predicted > scatters;
    gbcast_plan_free(all);
    gbcast_platform_free(p);
  }
  cr_assert_gt(slower, 0, "no grid where blocks do better on other ways than straight");
}
