/* When streams of several trees leave each other room, and small messages that go in several trees. */
#include "plan/build/build.h"
#include "plan/core/core.h"
#include "tests/support/mesh.h"
#include "tests/support/plans.h"

/* 20 ms and back at 100 Mbit/s: 500 kB are on their way. */
static const char *const pair = "cluster a bandwidth=1Gbit/s\na[0-7]\ncluster b bandwidth=1Gbit/s\nb[0-7]\n"
                                "link a b latency=20ms bandwidth=100Mbit/s\n";

static bool do_lanes_meet(const char *hosts, uint64_t bytes, uint32_t lanes) {
  gbcast_platform *p = parse(hosts);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .lanes = lanes});
  const bool meet = gb_plan_streams_meet(plan);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return meet;
}

/* Of 512 KiB in two lanes each carries half, over one link. */
Test(room, what_is_under_way_at_once_needs_none) {
  cr_assert_not(do_lanes_meet(pair, 256 << 10, 2));
  cr_assert(do_lanes_meet(pair, 512 << 10, 2));
  cr_assert_not(do_lanes_meet(pair, 512 << 10, 1), "one stream meets nobody");
}

/* What narrows the way beside the link counts, too, and all that shares it. */
Test(room, counts_what_is_narrower_than_the_link) {
  static const char *const text[] = {
      "cluster a bandwidth=1Gbit/s wan-bandwidth=100Mbit/s\na[0-7]\ncluster b bandwidth=1Gbit/s\nb[0-7]\n"
      "link a b latency=20ms bandwidth=1Gbit/s\n",
      "cluster a bandwidth=1Gbit/s\na[0-7]\ncluster b bandwidth=1Gbit/s wan-bandwidth=100Mbit/s\nb[0-7]\n"
      "link a b latency=20ms bandwidth=1Gbit/s\n",
      "cluster a bandwidth=1Gbit/s\na[0-7]\ncluster b bandwidth=100Mbit/s\nb[0-7]\n"
      "link a b latency=20ms bandwidth=1Gbit/s\n",
      "cluster a bandwidth=1Gbit/s\na[0-7]\ncluster b bandwidth=1Gbit/s\nb[0-7]\n"
      "link a -> b latency=39ms bandwidth=100Mbit/s\nlink b -> a latency=1ms bandwidth=1Gbit/s\n",
      /* each site gets 400 kB, and the root's uplink carries both */
      "cluster a bandwidth=1Gbit/s wan-bandwidth=100Mbit/s\na[0-7]\ncluster b bandwidth=1Gbit/s\nb[0-3]\n"
      "cluster c bandwidth=1Gbit/s\nc[0-3]\nlink a b latency=20ms bandwidth=100Mbit/s\n"
      "link a c latency=20ms bandwidth=100Mbit/s\n"};
  for (size_t i = 0; i < 4; i++) {
    const uint64_t fits = i == 2 ? 1000000 : 500000; /* two lanes have two receivers */
    cr_assert_not(do_lanes_meet(text[i], fits / 2, 2), "%zu", i);
    cr_assert(do_lanes_meet(text[i], fits * 5 / 4, 2), "%zu", i);
  }
  cr_assert_not(do_lanes_meet(text[4], 200000, 2));
  cr_assert(do_lanes_meet(text[4], 400000, 2));
}

/* Half of the message goes over each of two links from the root, and then half each way between the others.
 */
Test(room, counts_each_link_by_itself) {
  const char *text = "cluster r bandwidth=1Gbit/s\nr[0-3]\ncluster a bandwidth=1Gbit/s\na[0-3]\n"
                     "cluster b bandwidth=1Gbit/s\nb[0-3]\nlink r a latency=20ms bandwidth=100Mbit/s\n"
                     "link r b latency=20ms bandwidth=100Mbit/s\nlink a b latency=%s bandwidth=1Gbit/s\n";
  for (int near = 0; near < 2; near++) {
    char hosts[400];
    snprintf(hosts, sizeof hosts, text, near ? "1ms" : "10ms"); /* 250 kB, 2.5 MB */
    gbcast_platform *p = parse(hosts);
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 768 << 10, .inter = "packing"});
    cr_assert_eq(plan->schedule.tree[0].weight + plan->schedule.tree[1].weight, plan->schedule.weight_total);
    cr_assert_eq(gb_plan_streams_meet(plan), near == 1);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* Segments of 512 B are best for one tree here, 2 KiB for two: they are tried though two trees in 512 B are
 * slower than one. */
Test(room, several_trees_are_tried_in_segments_of_their_own) {
  gbcast_platform *p = parse(mesh);
  gbcast_request request = {.bytes = 16 << 10, .root = "c8"};
  gbcast_plan *chosen = make(p, request);
  request.inter = "packing";
  gbcast_plan *packed = make(p, request);
  request.inter = "extended-dijkstra";
  gbcast_plan *one = make(p, request);
  cr_assert_lt(packed->predicted, one->predicted);
  cr_assert_leq(chosen->predicted, packed->predicted * 1.01, "%g, and %g", chosen->predicted,
                packed->predicted);
  gbcast_plan_free(chosen);
  gbcast_plan_free(packed);
  gbcast_plan_free(one);
  gbcast_platform_free(p);
}
