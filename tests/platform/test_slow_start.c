/* What slow start costs, against packets and answers one by one. */
#include "platform/cost/cost.h"
#include "tests/support/random_platform.h"
#include <math.h>

/* When the last packet has left. A packet leaves when the link is free and fewer than `window` are without an
 * answer; each answer, a round trip after its packet has left, makes room for one more. */
static double last_leaves(uint32_t window, double round_trip, double each, uint32_t packets) {
  double *left = calloc(packets, sizeof *left), link = 0;
  uint32_t answered = 0;
  for (uint32_t k = 0; k < packets; k++) {
    while (k - answered >= window) { /* waits for the next answer */
      link = fmax(link, left[answered++] + round_trip);
      window++;
    }
    while (answered < k && left[answered] + round_trip <= link) {
      answered++;
      window++;
    }
    left[k] = link += each;
  }
  free(left);
  return link;
}

Test(slow_start, agrees_with_packets) {
  gb_random r = {77};
  uint32_t lossy = 0;
  for (int round = 0; round < 400; round++) {
    const uint32_t window = 1 + random_below(&r, 20), packets = 1 + random_below(&r, 2000);
    const double rate = 1e3 * (1 + random_below(&r, 100000)),
                 round_trip = 1e-4 * (1 + random_below(&r, 3000));
    const double each = 1448 / rate, alone = packets * each;
    const double lost = gb_slow_start(1448.0 * window, round_trip + each, rate, 1448 * (uint64_t)packets);
    const double naive = last_leaves(window, round_trip, each, packets);
    cr_assert_float_eq(alone + lost, naive, 1e-9 + 1e-6 * naive,
                       "%u packets, window %u, %g B/s, %g s: %.9g, not %.9g", packets, window, rate,
                       round_trip, alone + lost, naive);
    lossy += lost > 0;
  }
  cr_assert_gt(lossy, 100);
}

/* Ten messages of 1 KiB are ten packets; an eleventh waits for an answer. */
Test(slow_start, a_message_begins_a_packet) {
  cr_assert_eq(gb_filled_window(14480, 1024), 10240);
  cr_assert_eq(gb_slow_start(gb_filled_window(14480, 1024), 0.08, 1.25e6, 10240), 0);
  cr_assert_gt(gb_slow_start(gb_filled_window(14480, 1024), 0.08, 1.25e6, 11264), 0.07);
  for (uint64_t packets = 1; packets < 50; packets++)
    cr_assert_eq(gb_filled_window(14480, 1448 * packets), 14480);
  cr_assert_eq(gb_filled_window(14480, 4096), 3 * 4096 + 1448, "three, and a packet of the next");
  cr_assert_eq(gb_filled_window(14480, 2048), 5 * 2048);
  cr_assert_eq(gb_filled_window(14480, 16384), 14480, "no message ends in it");
  cr_assert_eq(gb_filled_window(100, 16384), 100);
  cr_assert_eq(gb_filled_window(14480, 14000), 14000, "one message that fits is there at once");
  cr_assert_eq(gb_filled_window(INFINITY, 1), INFINITY);
  cr_assert_eq(gb_filled_window(14480, 0), 14480);
}

Test(slow_start, figures_of_the_header) {
  cr_assert_float_eq(gb_slow_start(14480, 0.08, 1.25e6, 1 << 20), 0.159, 5e-4);
  cr_assert_float_eq(gb_slow_start(14480, 0.08, 1.25e6 / 4, 1 << 18), 0.034, 5e-4);
  cr_assert_eq(gb_slow_start(14480, 0.08, 1.25e6, 14480), 0);
  cr_assert_gt(gb_slow_start(14480, 0.08, 1.25e6, 14481), 0.06);
  cr_assert_eq(gb_slow_start(INFINITY, 0.08, 1.25e6, UINT64_MAX), 0);
  cr_assert(isfinite(gb_slow_start(1, 1e3, 1e12, UINT64_MAX)));
}
