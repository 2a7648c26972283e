/* One direction of an emulated link against its rules, for random packets in simulated time. */
#include "tests/grid/way.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS = 400, LONGEST = 1500, WAYS = 300 };

typedef struct passing { /* one packet, as the test saw it */
  uint64_t taken, due;
  size_t length;
} passing;

static uint64_t nanoseconds(uint64_t bytes, uint64_t bits) {
  return (uint64_t)(8e9 * (double)bytes / (double)bits);
}

/* Takes packets at random times, gives them when they are due; what came out, in order. */
static size_t pass(way *w, uint64_t *random, passing *out) {
  passing in[PACKETS];
  size_t taken = 0, given = 0;
  uint64_t now = 0;
  for (size_t i = 0; i < PACKETS; i++) {
    unsigned char data[LONGEST];
    size_t length = 1 + xorshift(random, LONGEST);
    memset(data, (int)(i % 251), length);
    now += xorshift(random, 3) > 0 ? 0
                                   : xorshift(random, (uint32_t)nanoseconds(6ul * LONGEST, w->settings.bits));
    uint64_t before = w->dropped + w->lost;
    cr_assert(way_take(w, data, length, now));
    if (w->dropped + w->lost == before)
      in[taken++] = (passing){now, 0, length};
  }
  for (uint64_t due; (due = way_next(w)) != WAY_FOREVER; given++) {
    cr_assert_null(way_give(w, due - 1));
    packet *p = way_give(w, due);
    cr_assert(p != NULL && given < taken && p->length == in[given].length && p->due == due);
    for (size_t i = 1; i < p->length; i++)
      cr_assert_eq(p->data[i], p->data[0]);
    out[given] = in[given];
    out[given].due = due;
    free(p);
  }
  cr_assert_eq(given, taken);
  cr_assert_eq(given, w->packets);
  cr_assert_eq(given + w->dropped + w->lost, (size_t)PACKETS);
  return given;
}

static way random_way(uint64_t *random) {
  way_settings s = {.delay = xorshift(random, 50000000),
                    .bits = 100000 + xorshift(random, 400000000),
                    .queue_bytes = xorshift(random, 100000)};
  return (way){.settings = s, .random = 1};
}

Test(way, rate_delay_and_queue) {
  uint64_t random = 1, drops = 0;
  for (int i = 0; i < WAYS; i++) {
    way w = random_way(&random);
    const way_settings *s = &w.settings;
    passing p[PACKETS];
    size_t count = pass(&w, &random, p);
    drops += w.dropped;
    cr_assert_gt(count, 0u);
    for (size_t k = 0; k < count; k++) {
      uint64_t own = nanoseconds(p[k].length + WAY_HEADER, s->bits);
      uint64_t least = p[k].taken + s->delay + own;
      bool waits = k > 0 && p[k - 1].due > p[k].taken + s->delay;
      cr_assert_eq(p[k].due, waits ? p[k - 1].due + own : least, "the link rests, or sends two at once");
      cr_assert_leq(p[k].due - least, nanoseconds(s->queue_bytes, s->bits), "waits in more than the queue");
    }
  }
  cr_assert_gt(drops, 0u);
}

Test(way, a_queue_that_is_long_enough_drops_nothing) {
  uint64_t random = 2;
  for (int i = 0; i < WAYS; i++) {
    way w = random_way(&random);
    passing p[PACKETS];
    w.settings.queue_bytes = (uint64_t)PACKETS * (LONGEST + WAY_HEADER);
    cr_assert_eq(pass(&w, &random, p), (size_t)PACKETS);
  }
}

Test(way, loss) {
  uint64_t random = 3, lost = 0;
  for (int i = 0; i < WAYS; i++) {
    way w = random_way(&random);
    passing p[PACKETS];
    w.random = 1 + (uint64_t)i * 0x9e3779b97f4a7c15u;
    w.settings.queue_bytes = (uint64_t)PACKETS * (LONGEST + WAY_HEADER);
    w.settings.loss = i % 2 == 0 ? 50000 : 1000000;
    size_t count = pass(&w, &random, p);
    if (i % 2 == 0)
      lost += w.lost;
    else
      cr_assert_eq(count, 0u);
  }
  double part = 2 * (double)lost / WAYS / PACKETS;
  cr_assert(part > 0.045 && part < 0.055, "%g of the packets are lost, expected 0.05", part);
}

Test(way, order_survives_a_shorter_delay) {
  way w = {.settings = {.delay = 1000000, .bits = 1000000000, .queue_bytes = 10000}, .random = 1};
  cr_assert(way_take(&w, "1", 1, 0));
  w.settings.delay = 0;
  cr_assert(way_take(&w, "2", 1, 100));
  packet *first = way_give(&w, 2000000), *second = way_give(&w, 2000000);
  cr_assert(first != NULL && second != NULL && first->data[0] == '1' && second->data[0] == '2');
  cr_assert_geq(second->due, first->due);
  free(first);
  free(second);
}
