/* g(m) and L(m) of measured tables: the rules of gbcast-hosts(5), point by point. */
#include "platform/cost/cost.h"

#include <criterion/criterion.h>
#include <math.h>

static void close_to(double got, double want) {
  cr_assert(fabs(got - want) <= 1e-12 * fabs(want) + 1e-300, "got %.17g, want %.17g", got, want);
}

static gb_plogp_point three[] = {{.bytes = 100, .gap = 10, .latency = 4},
                                 {.bytes = 200, .gap = 14, .latency = 2},
                                 {.bytes = 600, .gap = 30, .latency = 6}};

Test(plogp, gap_is_linear_between_points_and_goes_on) {
  gb_plogp t = {.count = 3, .point = three};
  const struct {
    uint64_t bytes;
    double gap;
  } want[] = {
      {0, 10},   {1, 10},   {99, 10},  {100, 10},  {150, 12},
      {200, 14}, {400, 22}, {600, 30}, {1600, 70}, {UINT64_MAX, 30 + (18446744073709551615.0 - 600) * 0.04}};
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    close_to(gb_plogp_gap(&t, want[i].bytes), want[i].gap);
  }
}

Test(plogp, latency_is_linear_between_points_and_constant_outside) {
  gb_plogp t = {.count = 3, .point = three};
  close_to(gb_plogp_latency(&t, 0), 4);
  close_to(gb_plogp_latency(&t, 100), 4);
  close_to(gb_plogp_latency(&t, 150), 3);
  close_to(gb_plogp_latency(&t, 200), 2); /* a dip stays */
  close_to(gb_plogp_latency(&t, 500), 5);
  close_to(gb_plogp_latency(&t, UINT64_MAX), 6);
  close_to(gb_plogp_least_latency(&t), 2);
}

Test(plogp, one_point_is_proportional_above_it) {
  gb_plogp_point one[] = {{.bytes = 1000, .gap = 8, .latency = 3}};
  gb_plogp t = {.count = 1, .point = one};
  close_to(gb_plogp_gap(&t, 0), 8);
  close_to(gb_plogp_gap(&t, 999), 8);
  close_to(gb_plogp_gap(&t, 1000), 8);
  close_to(gb_plogp_gap(&t, 2500), 20);
  close_to(gb_plogp_latency(&t, 1), 3);
  close_to(gb_plogp_latency(&t, 99999), 3);
  close_to(gb_plogp_bandwidth(&t), 125);
}

/* os and or: where a point does not give them, or gives more than g, they are its g. */
Test(plogp, ends_go_like_the_gap_and_are_never_above_it) {
  gb_plogp_point point[] = {
      {.bytes = 100, .gap = 10, .send_overhead = 2, .receive_overhead = -1},
      {.bytes = 200, .gap = 14, .send_overhead = 4, .receive_overhead = 6},
      {.bytes = 600, .gap = 30, .send_overhead = 28, .receive_overhead = 31},
  };
  gb_plogp t = {.count = 3, .point = point};
  const struct {
    uint64_t bytes;
    double send, receive;
  } want[] = {{0, 2, 10},    {100, 2, 10},  {150, 3, 8},       {200, 4, 6},
              {400, 16, 18}, {600, 28, 30}, {610, 28.6, 30.4}, {1600, 70, 70}}; /* os' slope is above g's */
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    close_to(gb_plogp_send(&t, want[i].bytes), want[i].send);
    close_to(gb_plogp_receive(&t, want[i].bytes), want[i].receive);
  }
  t.count = 1;
  close_to(gb_plogp_send(&t, 50), 2);
  close_to(gb_plogp_send(&t, 300), 6); /* proportional */
  close_to(gb_plogp_receive(&t, 300), 30);
  t.count = 0;
  cr_assert(gb_plogp_send(&t, 10) <= 0);
}

Test(plogp, a_point_at_size_zero_stands_for_all_sizes) {
  gb_plogp_point zero[] = {{.bytes = 0, .gap = 8, .latency = 3}};
  gb_plogp t = {.count = 1, .point = zero};
  close_to(gb_plogp_gap(&t, 1000000), 8);
  cr_assert(isinf(gb_plogp_bandwidth(&t)));
}

Test(plogp, a_table_without_points_costs_nothing) {
  gb_plogp t = {0};
  cr_assert(gb_plogp_gap(&t, 10) <= 0 && gb_plogp_latency(&t, 10) <= 0 && gb_plogp_least_latency(&t) <= 0);
  cr_assert(isinf(gb_plogp_bandwidth(&t)));
}

Test(plogp, falling_gaps_end_at_zero_and_negative_latencies_count_as_zero) {
  gb_plogp_point falling[] = {{.bytes = 10, .gap = 5, .latency = -1}, {.bytes = 20, .gap = 4, .latency = 1}};
  gb_plogp t = {.count = 2, .point = falling};
  close_to(gb_plogp_gap(&t, 15), 4.5);
  close_to(gb_plogp_gap(&t, 40), 2);
  cr_assert(gb_plogp_gap(&t, 1000) <= 0 && gb_plogp_gap(&t, 1000) >= 0);
  cr_assert(gb_plogp_latency(&t, 12) <= 0 && gb_plogp_latency(&t, 12) >= 0);
  close_to(gb_plogp_latency(&t, 18), 0.6);
  cr_assert(gb_plogp_least_latency(&t) <= 0);
  cr_assert(isinf(gb_plogp_bandwidth(&t)));
}

Test(plogp, bandwidth_is_the_supremum_over_all_sizes) {
  unsigned long long seed = 42;
  for (int round = 0; round < 2000; round++) {
    gb_plogp_point point[6];
    gb_plogp t = {.count = 2 + (uint32_t)(round % 5), .point = point};
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < t.count; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      bytes += 1 + (seed >> 33) % 5000;
      point[i] = (gb_plogp_point){
          .bytes = bytes, .gap = 1e-6 * (1 + (double)(seed >> 40 & 0xffff)), .latency = 1e-5};
    }
    double bound = gb_plogp_bandwidth(&t), seen = 0;
    for (uint64_t m = 1; m < 40000; m += 37) {
      double rate = (double)m / gb_plogp_gap(&t, m);
      seen = rate > seen ? rate : seen;
    }
    cr_assert(seen <= bound * (1 + 1e-12), "round %d: %g above %g", round, seen, bound);
    double far = 1e18 / gb_plogp_gap(&t, 1000000000000000000u);
    double at_points = far;
    for (uint32_t i = 0; i < t.count; i++) {
      double rate = (double)point[i].bytes / point[i].gap;
      at_points = rate > at_points ? rate : at_points;
    }
    cr_assert(isinf(bound) || bound <= at_points * (1 + 1e-9), "round %d: %g is not reached", round, bound);
  }
}
