/* The bandwidth behind a burst, against a small simulation of a new TCP connection. */
#include "nws/client/weather.h"

#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>

#define SEGMENT 1460.0

typedef struct path {
  double rate, round_trip; /* bytes/s, s */
  double bytes, buffer;
  uint32_t first_window; /* segments */
  uint32_t ack_every;    /* segments: 2 is a receiver that delays acknowledgements */
} path;

/* How long it takes to send the bytes and see the close, segment by segment:
 * a segment leaves when the link is free and the window has room; its acknowledgement comes a round trip
 * after it has left, and widens the window by what it acknowledges. */
static double simulate(const path *p) {
  enum { MOST = 1024 };
  static double acked[MOST]; /* when the acknowledgement of segment i is back */
  uint32_t count = (uint32_t)ceil(p->bytes / SEGMENT), waited = 0;
  double window = SEGMENT * p->first_window, flying = 0, now = 0;
  cr_assert_leq(count, MOST);
  for (uint32_t i = 0; i < count; i++) {
    while (flying + SEGMENT > fmin(window, p->buffer) && waited < i) {
      now = fmax(now, acked[waited]);
      for (; waited < i && acked[waited] <= now; waited++) {
        flying -= SEGMENT;
        window += SEGMENT / p->ack_every;
      }
    }
    now += SEGMENT / p->rate;
    flying += SEGMENT;
    acked[i] = now + p->round_trip;
  }
  return now + p->round_trip;
}

static path random_path(uint64_t *seed) {
  path p = {.first_window = 10, .ack_every = 1};
  p.bytes = 65536 << xorshift(seed, 4);
  p.buffer = 32768 << xorshift(seed, 6);
  p.rate = 1e4 * pow(10, 5e-4 * xorshift(seed, 10001));        /* 80 kbit/s to 8 Gbit/s */
  p.round_trip = 2e-5 * pow(10, 4e-4 * xorshift(seed, 10001)); /* 20 us to 200 ms */
  return p;
}

static gb_burst measured(const path *p, double t) {
  return (gb_burst){
      .bytes = p->bytes, .window = p->buffer, .rate = p->bytes / t, .round_trip = p->round_trip};
}

Test(nws_burst, finds_the_bandwidth_or_says_that_it_cannot) {
  uint64_t seed = 3;
  uint32_t known = 0, unknown = 0, exact = 0;
  for (uint32_t round = 0; round < 20000; round++) {
    path p = random_path(&seed);
    gb_burst b = measured(&p, simulate(&p));
    double rate = 0, error = 0;
    if (!gb_burst_bandwidth(&b, &rate, &error)) {
      unknown++;
      cr_assert_gt(p.rate * p.round_trip, 3 * SEGMENT, "%g bytes/s, %g s", p.rate, p.round_trip);
      continue;
    }
    known++;
    exact += fabs(rate - p.rate) < 0.1 * p.rate;
    cr_assert_leq(fabs(rate - p.rate), error + 0.1 * p.rate, "%g +- %g, is %g, round trip %g", rate, error,
                  p.rate, p.round_trip);
    cr_assert_geq(rate, b.rate * (1 - 1e-12));
  }
  cr_assert(known > 11000 && unknown > 5000, "%u known, %u not", known, unknown);
  cr_assert_eq(exact, known);
}

/* Senders with another first window and receivers that delay acknowledgements: the error covers them. */
Test(nws_burst, error_covers_other_systems) {
  uint64_t seed = 4;
  uint32_t known = 0, off = 0;
  for (uint32_t round = 0; round < 20000; round++) {
    path p = random_path(&seed);
    p.first_window = 3 + xorshift(&seed, 8);
    p.ack_every = 1 + xorshift(&seed, 2);
    gb_burst b = measured(&p, simulate(&p));
    double rate = 0, error = 0;
    if (!gb_burst_bandwidth(&b, &rate, &error))
      continue;
    known++;
    off += fabs(rate - p.rate) > error + 0.1 * p.rate;
  }
  cr_assert_gt(known, 11000);
  cr_assert_lt(off, known / 50, "%u of %u", off, known);
}

Test(nws_burst, short_paths_lose_their_latency_only) {
  gb_burst b = {.bytes = 65536, .window = 32768, .round_trip = 1e-4, .rate = 65536 / (65536 / 12.5e6 + 1e-4)};
  double rate = 0, error = 0;
  b.rate_error = 0.1 * b.rate;
  cr_assert(gb_burst_bandwidth(&b, &rate, &error));
  cr_assert_float_eq(rate, 12.5e6, 1);
  cr_assert(error > 0.1 * rate && error < 0.11 * rate, "%g", error);
  b.error = 1e-5; /* of the round trip */
  double more = 0;
  cr_assert(gb_burst_bandwidth(&b, &rate, &more));
  cr_assert_float_eq(more - error, rate * 1e-5 / (65536 / 12.5e6), 1);
  b.error = 65536 / 12.5e6; /* as long as the rest */
  cr_assert(!gb_burst_bandwidth(&b, &rate, &error));
}

Test(nws_burst, long_measurements_are_taken_at_their_word) {
  gb_burst b = {.bytes = GB_BURST_LONG, .rate = 1e7, .rate_error = 2e5, .round_trip = -1};
  double rate = 0, error = 0;
  cr_assert(gb_burst_bandwidth(&b, &rate, &error));
  cr_assert(rate == 1e7 && error == 2e5);
}

Test(nws_burst, nothing_without_the_round_trip) {
  gb_burst b = {.bytes = 65536, .window = 32768, .rate = 1e7, .round_trip = -1};
  double rate = 0, error = 0;
  cr_assert(!gb_burst_bandwidth(&b, &rate, &error));
  b = (gb_burst){.rate = 1e7, .round_trip = 1e-3}; /* an option that could not be read */
  cr_assert(!gb_burst_bandwidth(&b, &rate, &error));
}
