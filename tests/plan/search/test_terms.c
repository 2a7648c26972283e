/* The terms of a predicted time: against the formulas on one switch, and what holds on any grid. */
#include "intra/intra.h"
#include "plan/build/build.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

static void hold(const gbcast_platform *p, gbcast_request request, gb_terms want) {
  gbcast_plan *plan = make(p, request);
  gb_terms got = plan->candidate[0].terms;
  double close = 1e-9 * plan->predicted;
  cr_expect_float_eq(got.start_up, want.start_up, close, "%s: start-up %.12g, expected %.12g", request.intra,
                     got.start_up, want.start_up);
  cr_expect_float_eq(got.pipeline, want.pipeline, close, "%s: pipeline %.12g, expected %.12g", request.intra,
                     got.pipeline, want.pipeline);
  cr_expect_float_eq(got.delay, want.delay, close, "%s: delay %.12g, expected %.12g", request.intra,
                     got.delay, want.delay);
  gbcast_plan_free(plan);
}

/* X segments of s bytes on P hosts. Formula (1) is X g(s) [pipeline and start-up] + (P - 1) (L(s) + g(s)) -
 * g(s) [delay]; a flat tree's root sends P - 1 times as much. */
Test(terms, follow_the_formulas_on_one_switch) {
  static const char *const hosts[] = {
      "cluster a latency=60us bandwidth=100Mbit/s overhead=3us\nn[1-12]\n",
      "cluster a\nn[1-12]\nplogp a size=1k gap=30us latency=60us\nplogp a size=8k gap=90us latency=80us\n"};
  const double P = 12;
  for (int measured = 0; measured < 2; measured++) {
    gbcast_platform *p = parse(hosts[measured]);
    gb_lan lan = gb_lan_of(p, 0);
    for (uint64_t segment = 1024; segment <= 16384; segment *= 2) {
      double X = 40, g = gb_lan_gap(&lan, segment), L = gb_lan_latency(&lan, segment);
      uint64_t bytes = 40 * segment;
      double whole = gb_lan_gap(&lan, bytes), more = X * g - whole;
      cr_assert(measured || fabs(more - 39 * 3e-6) < 1e-12); /* an overhead for each further segment */
      gbcast_request request = {.bytes = bytes, .segment = segment, .intra = "linear-contention-free"};
      gb_lan narrowed = lan; /* hosts receive and send at once; measured gaps stay */
      narrowed.bandwidth *= gb_link_efficiency(false, false);
      double slow = gb_lan_gap(&narrowed, segment), all = gb_lan_gap(&narrowed, bytes);
      hold(p, request, (gb_terms){X * slow - all, all, (P - 1) * (L + slow) - slow});
      request.intra = "flat-segmented";
      hold(p, request, (gb_terms){(P - 1) * more, (P - 1) * whole, L});
      request.segment = bytes;
      request.intra = "flat";
      hold(p, request, (gb_terms){0, (P - 1) * whole, gb_lan_latency(&lan, bytes)});
      request.intra = "chain";
      hold(p, request, (gb_terms){0, whole, (P - 1) * (gb_lan_latency(&lan, bytes) + whole) - whole});
    }
    gbcast_platform_free(p);
  }
}

/* The root's own link is fast and so are the links to both sites; the uplink that they share is not. */
Test(terms, a_shared_link_may_be_the_busiest) {
  gbcast_platform *p =
      parse("cluster a wan-bandwidth=80Mbit/s\na0\ncluster b\nb0\ncluster c\nc0\n"
            "link a b latency=5ms bandwidth=1Gbit/s\nlink a c latency=5ms bandwidth=1Gbit/s\n"
            "link b c latency=5ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .inter = "flat", .segment = 65536});
  gb_terms t = plan->candidate[0].terms;
  cr_assert_float_eq(t.pipeline, 2 * 1048576 / 10e6, 1e-9, "%.12g", t.pipeline);
  cr_assert_eq(t.start_up, 0);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

static void check_candidates(const gbcast_plan *plan, unsigned *cut) {
  uint64_t total =
      plan->operation == GBCAST_SCATTER ? plan->bytes * plan->schedule.endpoint_count : plan->bytes;
  for (size_t i = 0; i < plan->candidate_count; i++) {
    const gb_candidate *c = &plan->candidate[i];
    bool formula = plan->site_count == 1 && strcmp(c->intra, "native") == 0;
    double sum = c->terms.start_up + c->terms.pipeline + c->terms.delay;
    cr_assert_eq(isnan(sum) != 0, formula);
    if (formula)
      continue;
    cr_assert(c->terms.start_up >= 0 && c->terms.pipeline >= 0 && c->terms.delay >= 0);
    cr_assert_float_eq(sum, c->predicted, 1e-9 * c->predicted, "sum %.17g, predicted %.17g", sum,
                       c->predicted);
    if (c->segment >= total)
      cr_assert_eq(c->terms.start_up, 0);
    *cut += c->terms.start_up > 0;
  }
}

Test(terms, sum_to_the_prediction_and_are_never_negative) {
  static const gb_grid_kind kind = {
      .sites = 6, .hosts = 9, .slots = 3, .switches = true, .caps = true, .sparse = true};
  gb_random r = {31};
  unsigned cut = 0;
  for (int round = 0; round < ROUNDS(150); round++) {
    gbcast_platform *p = random_platform(&r, kind);
    gbcast_request request = {.bytes = random_next(&r) >> (40 + random_below(&r, 24))};
    request.operation = random_below(&r, 3) ? GBCAST_BCAST : GBCAST_SCATTER;
    if (request.operation == GBCAST_SCATTER)
      request.bytes >>= 4;
    if (random_below(&r, 2)) /* a size that is priced a second time */
      request.bytes = gb_size_class(request.bytes);
    gbcast_plan *plan = make(p, request);
    check_candidates(plan, &cut);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
  cr_assert_gt(cut, (unsigned)ROUNDS(60), "%u", cut);
}
