/* How soon a message can have come into a site over its links. */
#include "plan/core/core.h"
#include "tests/support/plans.h"

static double bound_of(const char *hosts, gbcast_request request) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, request);
  const double bound = plan->bound;
  cr_assert_geq(plan->predicted, bound * (1 - 1e-12), "%.17g below the bound %.17g", plan->predicted, bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return bound;
}

/* From r to s 50 ms at 6.25 MB/s, over a 52 ms at 12.5 MB/s. Two milliseconds bring 12500 B straight, the
 * rest comes over both. */
static const char *const triangle =
    "cluster a bandwidth=1Gbit/s\na[0-3]\ncluster r bandwidth=1Gbit/s\nr[0-3]\n"
    "cluster s bandwidth=1Gbit/s\ns[0-3]\nlink a s latency=12ms bandwidth=100Mbit/s\n"
    "link r a latency=40ms bandwidth=100Mbit/s\nlink r s latency=50ms bandwidth=50Mbit/s\n";

Test(bound, the_second_way_begins_later) {
  cr_assert_float_eq(bound_of(triangle, (gbcast_request){.bytes = 10000, .root = "r0"}),
                     0.050 + 10000 / 6.25e6, 1e-12);
  cr_assert_float_eq(bound_of(triangle, (gbcast_request){.bytes = 50000, .root = "r0"}),
                     0.052 + 37500 / 18.75e6, 1e-12);
}

/* Each rank of a site has a block of its own. */
Test(bound, blocks_of_a_scatter_share_the_ways) {
  const gbcast_request request = {.operation = GBCAST_SCATTER, .bytes = 12500, .root = "r0"};
  cr_assert_float_eq(bound_of(triangle, request), 0.052 + 37500 / 18.75e6, 1e-12);
}

/* Six streams that send 10000 B each in their first round trip: 60 kB, then 120, then 240. */
Test(bound, streams_start_slowly) {
  const char *text = "cluster a bandwidth=10Gbit/s\na[0-1]\ncluster b bandwidth=10Gbit/s\nb[0-2]\n"
                     "link a b latency=20ms bandwidth=10Gbit/s%s\n";
  const struct {
    uint64_t bytes;
    double round_trips;
  } expected[] = {{60000, 0}, {60001, 1}, {180000, 1}, {180001, 2}, {420000, 2}, {420001, 3}};
  char hosts[400];
  for (int slow = 0; slow < 2; slow++)
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
      snprintf(hosts, sizeof hosts, text, slow ? " initial-window=10000" : "");
      const double bound = bound_of(hosts, (gbcast_request){.bytes = expected[i].bytes});
      cr_assert_float_eq(bound, 0.020 + slow * expected[i].round_trips * 0.040, 4e-4, "%g: %g",
                         (double)expected[i].bytes, bound);
    }
}

/* The same on a link that carries 100 kB in a round trip: it rests for 16 ms of the first one. */
Test(bound, slow_start_comes_on_top_of_the_link_s_time) {
  const char *hosts = "cluster a bandwidth=10Gbit/s\na[0-1]\ncluster b bandwidth=10Gbit/s\nb[0-2]\n"
                      "link a b latency=20ms bandwidth=20Mbit/s initial-window=10000\n";
  cr_assert_float_eq(bound_of(hosts, (gbcast_request){.bytes = 1000000}), 0.020 + 0.400 + 0.016, 1e-6);
  cr_assert_float_eq(bound_of(hosts, (gbcast_request){.bytes = 50000}), 0.020 + 0.020, 1e-6);
}

/* Streams to c come through b, whose link to c is then not b's alone. */
Test(bound, streams_of_other_sites_pass_too) {
  const char *hosts = "cluster a bandwidth=10Gbit/s\na[0-3]\ncluster b bandwidth=10Gbit/s\nb0\n"
                      "cluster c bandwidth=10Gbit/s\nc0\nlink a b latency=1ms bandwidth=10Gbit/s\n"
                      "link b c latency=20ms bandwidth=10Gbit/s initial-window=10000\n";
  cr_assert_float_eq(bound_of(hosts, (gbcast_request){.bytes = 40000}), 0.021, 1e-4);
}

/* A stream of 15000 B needs a second round trip, whatever part of its link it is thought to get meanwhile. */
Test(bound, no_prediction_is_sooner_than_slow_start_allows) {
  const char *hosts = "cluster a bandwidth=100Mbit/s\na0\ncluster b bandwidth=100Mbit/s\nb0\n"
                      "cluster c bandwidth=100Mbit/s\nc0\n"
                      "link a b latency=2ms bandwidth=1Gbit/s initial-window=14480\n"
                      "link a c latency=5ms bandwidth=1Gbit/s initial-window=14480\n"
                      "link b c latency=20ms bandwidth=1Gbit/s initial-window=14480\n";
  for (uint64_t segment = 0; segment <= 8192; segment += 4096)
    cr_assert_float_eq(bound_of(hosts, (gbcast_request){.bytes = 15000, .inter = "flat", .segment = segment}),
                       0.015 + 520 / 125e6, 1e-9);
}

#define FOUR_SITES                                                                                           \
  "cluster r bandwidth=1Gbit/s\nr[0-3]\ncluster a bandwidth=1Gbit/s\na[0-3]\n"                               \
  "cluster b bandwidth=1Gbit/s\nb[0-3]\ncluster c bandwidth=1Gbit/s\nc[0-3]\n"

/* All three sites behind the link from r to a, whatever they have among themselves: 12 blocks at 1.25 MB/s.
 */
Test(bound, blocks_of_several_sites_cross_the_narrowest_cut) {
  static const char *const behind =
      FOUR_SITES "link r a latency=40ms bandwidth=10Mbit/s\nlink a b latency=5ms bandwidth=100Mbit/s\n"
                 "link a c latency=7ms bandwidth=100Mbit/s\nlink b c latency=3ms bandwidth=100Mbit/s\n";
  const double bound = bound_of(behind, (gbcast_request){.operation = GBCAST_SCATTER, .bytes = 1250000});
  cr_assert_float_eq(bound, 0.04 + 12, 1e-3, "%g", bound);
}

/* No cut around a single site is as narrow: r and a have 30 Mbit/s to b and c together, and each of the other
 * links carries as much as its site needs. */
Test(bound, the_narrowest_cut_is_around_two_sites) {
  static const char *const halves =
      FOUR_SITES "link r a latency=4ms bandwidth=100Mbit/s\nlink b c latency=3ms bandwidth=100Mbit/s\n"
                 "link r b latency=20ms bandwidth=20Mbit/s\nlink a c latency=30ms bandwidth=10Mbit/s\n";
  const double bound = bound_of(halves, (gbcast_request){.operation = GBCAST_SCATTER, .bytes = 1250000});
  cr_assert_float_eq(bound, 0.02 + 8 * 1250000 / 3.75e6, 1e-3, "%g", bound);
}
