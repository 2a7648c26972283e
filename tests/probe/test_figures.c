/* Medians, spread, outliers, and the parameters that are derived from times: made from known parameters, they
 * must come out again. */
#include "probe/analysis.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static double draw(uint64_t *seed) { /* in [0, 1) */
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 40) / (double)(1 << 24);
}

static void close_to(double got, double want) {
  cr_assert(fabs(got - want) <= 1e-9 * fabs(want), "got %.17g, want %.17g", got, want);
}

Test(figures, median_and_spread) {
  double odd[] = {5, 1, 100}, even[] = {4, 1, 3, 100}, one[] = {7};
  gb_median f = gb_median_of(odd, 3);
  close_to(f.value, 5);
  close_to(f.spread, 4.0 / 5); /* distances 0, 4, 95 */
  cr_assert_eq(f.samples, 3);
  f = gb_median_of(even, 4);
  close_to(f.value, 3.5);
  close_to(f.spread, 1.5 / 3.5); /* distances 0.5, 0.5, 2.5, 96.5 */
  f = gb_median_of(one, 1);
  close_to(f.value, 7);
  cr_assert(f.spread <= 0);
  f = gb_median_of(one, 0);
  cr_assert(f.samples == 0 && f.value <= 0);
}

/* By definition: as many samples on either side. */
Test(figures, half_of_the_samples_are_on_either_side) {
  uint64_t seed = 3;
  for (int round = 0; round < 500; round++) {
    uint32_t n = 1 + (uint32_t)(draw(&seed) * 40), below = 0, above = 0, near = 0;
    double sample[40], copy[40];
    for (uint32_t i = 0; i < n; i++)
      copy[i] = sample[i] = 1 + floor(draw(&seed) * 20);
    gb_median f = gb_median_of(copy, n);
    for (uint32_t i = 0; i < n; i++) {
      below += sample[i] < f.value;
      above += sample[i] > f.value;
      near += fabs(sample[i] - f.value) <= f.spread * f.value * (1 + 1e-12);
    }
    cr_assert(2 * below <= n && 2 * above <= n && 2 * near >= n, "round %d", round);
  }
}

Test(figures, outliers_are_far_above_the_others_only) {
  gbcast_error err;
  bool out[6];
  gb_median usual;
  const double lan[] = {50, 51, 49, 400, 52, 20};
  cr_assert_eq(gb_outliers(lan, 6, out, &usual, &err), GBCAST_OK);
  for (int i = 0; i < 6; i++)
    cr_assert_eq(out[i], i == 3, "%d", i);
  close_to(usual.value, 50.5);
  const double same[] = {50, 50, 50, 60}; /* no spread at all, but 60 is not far */
  cr_assert_eq(gb_outliers(same, 4, out, &usual, &err), GBCAST_OK);
  cr_assert(!out[3]);
  const double wide[] = {50, 100, 150, 200,
                         250}; /* above half of the median, within three times the spread */
  cr_assert_eq(gb_outliers(wide, 5, out, &usual, &err), GBCAST_OK);
  cr_assert(!out[4]);
  const double few[] = {50, 50, 5000};
  cr_assert_eq(gb_outliers(few, 3, out, &usual, &err), GBCAST_OK);
  cr_assert(!out[2]);
}

/* A pair with known g in either direction, and K for all else. */
static gb_flood_times flood(uint32_t count, double g, double k, double empty) {
  return (gb_flood_times){
      .count = count, .total = {count * g + k + empty / 2, 0.01, 5}, .sending = count * g / 2};
}

Test(figures, gaps_and_latency_come_out_as_they_went_in) {
  uint64_t seed = 8;
  for (int round = 0; round < 1000; round++) {
    double there = 1e-6 + draw(&seed) * 1e-2, back = there * (0.05 + 20 * draw(&seed));
    double k = draw(&seed) * 0.1, empty = 2e-6 + draw(&seed) * 0.2;
    uint32_t n = 2 + (uint32_t)(draw(&seed) * 500), m = 2 + (uint32_t)(draw(&seed) * 500);
    gb_probe_point point = {.rtt = {there + back + 2 * k, 0, 5}};
    const gb_flood_times times[2] = {flood(n, there, k, empty), flood(m, back, k, empty)};
    bool clamped;
    gb_probe_gaps(times, point.rtt.value, empty, point.gap);
    cr_assert(fabs(point.gap[0].value - there) <= 1e-6 * (there + k + empty), "round %d", round);
    cr_assert(fabs(point.gap[1].value - back) <= 1e-6 * (back + k + empty), "round %d", round);
    double latency = gb_probe_latency(&point, &clamped);
    cr_assert(fabs(latency - k) <= 1e-5 * (there + back + k + empty), "round %d: %g for %g", round, latency,
              k);
    cr_assert_eq(point.gap[0].samples, 5);
    close_to(point.gap[1].spread, 0.01 * times[1].total.value / (m * point.gap[1].value));
  }
}

Test(figures, a_flood_shorter_than_the_jitter_gives_what_the_sender_saw) {
  const gb_flood_times times[2] = {{.count = 10, .total = {0.09, 0, 1}, .sending = 20e-6},
                                   {.count = 10, .total = {0.09, 0, 1}, .sending = 30e-6}};
  gb_median gap[2];
  gb_probe_gaps(times, 0.1, 0.1, gap);
  close_to(gap[0].value, 2e-6);
  close_to(gap[1].value, 3e-6);
}

Test(figures, a_latency_below_zero_is_zero_and_told) {
  gb_probe_point point = {.rtt = {10, 0, 1}, .gap = {{6, 0, 1}, {5, 0, 1}}};
  bool clamped = false;
  cr_assert(gb_probe_latency(&point, &clamped) <= 0);
  cr_assert(clamped);
  point.gap[0].value = 3;
  close_to(gb_probe_latency(&point, &clamped), 1);
  cr_assert(!clamped);
}

enum { SIZES = 6 };

/* A line in the sense of the design: alone, m bytes take o + m / bandwidth + latency + o. */
static gb_probe_table table_of(double overhead, double rate, double latency, double send_slope) {
  gb_probe_table t = {.count = SIZES};
  for (uint32_t i = 0; i < SIZES; i++) {
    uint64_t bytes = (uint64_t)256 << (4 * i);
    double through = (double)bytes / rate;
    t.point[i] = (gb_probe_point){.bytes = bytes, .rtt = {2 * (2 * overhead + through + latency), 0, 3}};
    for (int d = 0; d < 2; d++) {
      t.point[i].gap[d] = (gb_median){overhead + through, 0, 3};
      t.point[i].send[d] = (gb_median){overhead + send_slope * through, 0, 3};
    }
  }
  return t;
}

Test(figures, lines_come_out_as_they_went_in) {
  gb_probe_table t = table_of(2e-6, 12.5e6, 1.6e-3, 0);
  gb_probe_line line = gb_probe_derive(&t, 1);
  close_to(line.bandwidth, 12.5e6);
  close_to(line.overhead, 2e-6);
  close_to(line.latency, 1.6e-3);
  for (int i = 0; i < SIZES; i++)
    t.point[i].send[1] = (gb_median){0}; /* no time was left for this end */
  close_to(gb_probe_derive(&t, 1).overhead, 2e-6);
}

Test(figures, a_size_that_took_too_long_does_not_count) {
  gb_probe_table t = table_of(2e-6, 12.5e6, 1.6e-3, 0);
  t.point[SIZES - 1].gap[0].value *= 1.6;
  const double bandwidth = gb_probe_derive(&t, 0).bandwidth;
  cr_assert(fabs(bandwidth / 12.5e6 - 1) < 0.01, "%g", bandwidth);
}

Test(figures, few_sizes_have_the_rate_of_a_stream) {
  gb_probe_table t = table_of(2e-6, 12.5e6, 1.6e-3, 0);
  t.rate[0] = (gb_median){11e6, 0, 5};
  close_to(gb_probe_derive(&t, 0).bandwidth, 12.5e6); /* that of the sizes, where there are some */
  t.count = 1;
  close_to(gb_probe_derive(&t, 0).bandwidth, 11e6);
}

Test(figures, gaps_never_fall) {
  gb_probe_table t = table_of(2e-6, 12.5e6, 1.6e-3, 0);
  t.point[2].gap[1].value = t.point[1].gap[1].value / 2;
  gb_probe_make_monotone(&t);
  for (int d = 0; d < 2; d++)
    for (int i = 1; i < SIZES; i++)
      cr_assert_geq(t.point[i].gap[d].value, t.point[i - 1].gap[d].value);
  cr_assert_eq(t.point[2].gap[1].value, t.point[1].gap[1].value);
  cr_assert_gt(t.point[2].gap[0].value, t.point[1].gap[0].value);
}

Test(figures, lines_can_be_written_whatever_was_measured) {
  gb_probe_table t = table_of(2e-6, 1e9, 1e-9, 0);
  for (int i = 1; i < SIZES; i++)
    t.point[i].gap[0].value = t.point[i - 1].gap[0].value / 2; /* g falls: no slope */
  t.point[0].rtt.value = 1e-9;
  gb_probe_line line = gb_probe_derive(&t, 0);
  cr_assert(line.bandwidth > 0 && isfinite(line.bandwidth));
  cr_assert(line.latency >= GB_PROBE_LEAST_LATENCY && line.overhead >= 0);
}

Test(figures, rounded_to_four_digits) {
  cr_assert(gb_probe_round(1.23456789e-5) == 1.235e-5);
  cr_assert(gb_probe_round(99999.0) == 1e5);
  cr_assert(gb_probe_round(0) == 0);
}
