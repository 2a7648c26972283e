/* The two ends of an experiment against each other and against peers that do as they please, in simulated
 * time. */
#include "nws/sense/experiment.h"
#include "nws/wire/message.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static double now_at;

/* Moves up to `most` bytes from one end to the other after `delay`; whether there were any. */
static bool move(gb_handler *from, gb_handler *to, size_t most, double delay) {
  const unsigned char *bytes = NULL;
  size_t size = from->over || to->over ? 0 : from->calls->output(from, now_at, &bytes);
  if (size == 0)
    return false;
  if (size > most)
    size = most;
  unsigned char copy[GB_EXPERIMENT_ASK_BYTES + 65536];
  memcpy(copy, bytes, size);
  from->calls->sent(from, size, now_at);
  now_at += delay;
  to->calls->received(to, copy, size, now_at);
  return true;
}

/* A target that gets the request as bytes, as the sensor does. */
typedef struct pair {
  gb_initiator initiator;
  gb_target target;
} pair;

static void begin(pair *p, const gb_experiment *sizes) {
  const unsigned char *bytes = NULL;
  gb_initiator_start(&p->initiator, sizes, now_at);
  while (p->initiator.state == GB_INITIATOR_ASK) {
    cr_assert_gt(p->initiator.handler.calls->output(&p->initiator.handler, now_at, &bytes), 0);
    p->initiator.handler.calls->sent(&p->initiator.handler, 1, now_at);
  }
  gb_target_start(&p->target, sizes, now_at);
}

Test(experiment, request_is_that_of_the_capture) {
  static const unsigned char captured[] = {2, 0, 0, 0, 0, 0, 3,    0x20, 0, 0, 0,    12,
                                           0, 1, 0, 0, 0, 0, 0x80, 0,    0, 0, 0x40, 0};
  const unsigned char *bytes = NULL;
  gb_initiator i;
  gb_initiator_start(&i, &GB_EXPERIMENT_DEFAULT, 0);
  cr_assert_eq(i.handler.calls->output(&i.handler, 0, &bytes), sizeof captured);
  cr_assert_arr_eq(bytes, captured, sizeof captured);
}

Test(experiment, figures_are_those_of_the_line) {
  const gb_experiment sizes[] = {
      GB_EXPERIMENT_DEFAULT, {1, 1, 1}, {100, 0, 64}, {65536, 1, 65537}, {16384, 1, 1}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t most = 1; most <= 65536; most *= 16) {
      pair p;
      now_at = 100;
      begin(&p, &sizes[s]);
      gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
      const double delay = 0x1p-20; /* s, exact in sums */
      while (move(t, i, most, delay) && p.initiator.state == GB_INITIATOR_ANSWER)
        ;
      cr_assert(move(i, t, most, delay));
      now_at += 1; /* the target is slow */
      cr_assert(move(t, i, most, delay));
      double from = now_at;
      while (move(i, t, most, delay))
        ;
      cr_assert(t->over, "size %u, message %u, %zu at a time", sizes[s].size, sizes[s].message, most);
      cr_assert_eq(p.initiator.state, GB_INITIATOR_CLOSE);
      cr_assert_eq(p.target.left, 0);
      now_at += 0.5;
      i->calls->closed(i, true, now_at);
      cr_assert_eq(p.initiator.state, GB_INITIATOR_DONE);
      cr_assert_float_eq(p.initiator.round_trip, (1 + 2 * delay) * 1e3, 1e-9);
      cr_assert_float_eq(p.initiator.bandwidth, sizes[s].size * 8.0 / (now_at - from) / 1e6, 1e-9);
    }
}

Test(experiment, goes_on_at_another_port) {
  static const unsigned char answer[] = {2, 0, 0, 0, 0, 0, 1, 0x9b, 0, 0, 0, 6, 0, 0, 0, 0, 0x8e, 0xff};
  pair p;
  now_at = 5;
  begin(&p, &GB_EXPERIMENT_DEFAULT);
  gb_handler *i = &p.initiator.handler;
  for (size_t b = 0; b < sizeof answer; b++) {
    cr_assert_not(i->over);
    i->calls->received(i, answer + b, 1, now_at);
  }
  cr_assert(i->over);
  cr_assert_eq(p.initiator.state, GB_INITIATOR_REDIAL);
  cr_assert_eq(p.initiator.port, 0x8eff);
  now_at += 3;
  gb_initiator_redialled(&p.initiator, now_at);
  cr_assert_not(i->over);
  const unsigned char *bytes = NULL;
  now_at += 2; /* to connect: in no figure */
  cr_assert_eq(i->calls->output(i, now_at, &bytes), 1);
  i->calls->sent(i, 1, now_at);
  i->calls->received(i, bytes, 1, now_at + 0.25);
  cr_assert_eq(p.initiator.state, GB_INITIATOR_BURST);
  cr_assert_float_eq(p.initiator.round_trip, 250, 1e-9);
}

Test(experiment, only_one_byte_and_a_clean_end_will_do) {
  for (unsigned what = 0; what < 3; what++) {
    pair p;
    now_at = 0;
    begin(&p, &(gb_experiment){1, 0, 1});
    gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
    cr_assert(move(t, i, 100, 0.1) && move(i, t, 1, 0.1));
    i->calls->received(i, (const unsigned char *)"xy", what == 0 ? 2 : 1, now_at);
    cr_assert_eq(i->over, what == 0);
    if (what == 0)
      continue;
    cr_assert(move(i, t, 1, 0.1));
    i->calls->closed(i, what == 1, now_at);
    cr_assert_eq(p.initiator.state, what == 1 ? GB_INITIATOR_DONE : GB_INITIATOR_FAILED);
  }
}

/* The time is up behind so many bytes of the burst, or a moment earlier: then something else has failed. */
Test(experiment, burst_that_does_not_arrive_in_time_is_a_slow_one) {
  const gb_experiment sizes = {10, 0, 4};
  for (unsigned moved = 0; moved <= 12; moved++)
    for (unsigned late = 0; late < 2; late++) {
      pair p;
      now_at = 0;
      begin(&p, &sizes);
      gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
      now_at += GB_EXPERIMENT_ANSWER - 1; /* the target waits for its turn */
      cr_assert(move(t, i, 100, 0.5) && move(i, t, 1, 0.25) && move(t, i, 1, 0.25));
      const unsigned char *bytes = NULL;
      double from = now_at;
      cr_assert_eq(i->calls->output(i, now_at, &bytes), 4);
      if (moved == 0)
        i->calls->sent(i, 1, now_at); /* on its way */
      for (unsigned b = 0; b < moved; b++)
        cr_assert(move(i, t, 1, 0x1p-20));
      cr_assert_float_eq(i->deadline, from + GB_EXPERIMENT_TIMED, 1e-4);
      cr_assert(t->over || t->deadline > i->deadline);
      now_at = i->deadline + (late ? 2 * (moved % 2) : -0.125);
      i->calls->closed(i, false, now_at);
      cr_assert_eq(p.initiator.state, late ? GB_INITIATOR_DONE : GB_INITIATOR_FAILED);
      cr_assert_float_eq(p.initiator.round_trip, 500, 1e-9);
      if (late)
        cr_assert_float_eq(p.initiator.bandwidth, 80 / GB_EXPERIMENT_TIMED / 1e6, 1e-9);
    }
}

/* This end was held up, not the link: nothing of the burst has gone. */
Test(experiment, echo_that_is_read_late_has_no_burst) {
  pair p;
  const unsigned char *bytes = NULL;
  now_at = 0;
  begin(&p, &GB_EXPERIMENT_DEFAULT);
  gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
  cr_assert(move(t, i, 100, 0.5) && i->calls->output(i, now_at, &bytes) == 1);
  i->calls->sent(i, 1, now_at);
  i->calls->received(i, bytes, 1, now_at + 60);
  i->calls->closed(i, false, now_at + 60);
  cr_assert_eq(p.initiator.state, GB_INITIATOR_FAILED);
}

/* Neither connecting nor a byte that is not echoed tells anything of the link. */
Test(experiment, peer_that_does_not_answer_in_time_has_no_figures) {
  for (unsigned steps = 0; steps < 2; steps++) {
    pair p;
    const unsigned char *bytes = NULL;
    now_at = 0;
    begin(&p, &GB_EXPERIMENT_DEFAULT);
    gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
    if (steps == 1)
      cr_assert(move(t, i, 100, 0.5) && i->calls->output(i, now_at, &bytes) == 1);
    i->calls->closed(i, false, i->deadline + 1);
    cr_assert_eq(p.initiator.state, GB_INITIATOR_FAILED);
  }
}

Test(experiment, target_serves_who_does_not_wait_for_the_echo) {
  const gb_experiment sizes = {3, 0, 1};
  const unsigned char *bytes = NULL;
  gb_target target;
  gb_handler *t = &target.handler;
  gb_target_start(&target, &sizes, 0);
  t->calls->sent(t, t->calls->output(t, 0, &bytes), 0);
  t->calls->received(t, (const unsigned char *)"pxyz", 4, 0);
  cr_assert_not(t->over);
  cr_assert_eq(t->calls->output(t, 0, &bytes), 1);
  t->calls->sent(t, 1, 0);
  cr_assert(t->over);
}

/* Byte by byte, with an end behind each: only the last, and only a clean one, makes figures. */
Test(experiment, may_end_behind_any_byte) {
  const gb_experiment sizes = {7, 0, 3};
  unsigned done = 0;
  for (unsigned most = 0; done == 0; most++) {
    pair p;
    now_at = 0;
    begin(&p, &sizes);
    gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
    for (unsigned moved = 0; moved < most && (move(t, i, 1, 0.1) || move(i, t, 1, 0.1)); moved++)
      ;
    cr_assert_not(i->over);
    i->calls->closed(i, true, now_at + 0.1);
    cr_assert(i->over);
    done = p.initiator.state == GB_INITIATOR_DONE;
    cr_assert_eq(done, most == GB_EXPERIMENT_ANSWER_BYTES + 2 + 9);
    cr_assert_eq(done, t->over);
  }
}

/* Whatever the target does, and whenever it goes before the time is up: the initiator ends by itself or by
 * its deadline, and has figures only when all went well. */
Test(experiment, initiator_survives_any_target) {
  uint64_t seed = 4242;
  unsigned failed = 0, done = 0;
  for (unsigned round = 0; round < 20000; round++) {
    const gb_experiment sizes = {1 + xorshift(&seed, 300), xorshift(&seed, 100000), 1 + xorshift(&seed, 300)};
    pair p;
    now_at = 0;
    begin(&p, &sizes);
    gb_handler *i = &p.initiator.handler, *t = &p.target.handler;
    unsigned steps = xorshift(&seed, 60), garbage = xorshift(&seed, 3) == 0 ? xorshift(&seed, 60) : 99;
    for (unsigned step = 0; step < steps && !i->over; step++) {
      unsigned char junk[40];
      size_t size = 1 + xorshift(&seed, sizeof junk);
      for (size_t b = 0; b < size; b++)
        junk[b] = (unsigned char)xorshift(&seed, 256);
      if (step == garbage)
        i->calls->received(i, junk, size, now_at);
      else if (xorshift(&seed, 2) == 0)
        (void)move(t, i, 1 + xorshift(&seed, 30), 0.001);
      else
        (void)move(i, t, 1 + xorshift(&seed, 300), 0.001);
    }
    cr_assert(i->over || i->deadline <= GB_EXPERIMENT_MOST);
    if (p.initiator.state == GB_INITIATOR_REDIAL)
      continue;
    if (!i->over)
      i->calls->closed(i, xorshift(&seed, 2) == 0, now_at);
    cr_assert(i->over);
    bool good = p.initiator.state == GB_INITIATOR_DONE;
    cr_assert(good || p.initiator.state == GB_INITIATOR_FAILED);
    cr_assert(!good || (t->over && p.initiator.bandwidth > 0 && isfinite(p.initiator.round_trip)));
    failed += !good;
    done += good;
  }
  cr_assert_gt(failed, 1000);
  cr_assert_gt(done, 1000);
}

Test(experiment, target_survives_any_initiator) {
  uint64_t seed = 7;
  for (unsigned round = 0; round < 20000; round++) {
    const gb_experiment sizes = {xorshift(&seed, 5) == 0 ? 0 : xorshift(&seed, 3000), 0,
                                 1 + xorshift(&seed, 3000)};
    gb_target target;
    gb_handler *t = &target.handler;
    double now = 0;
    uint64_t taken = 0, echoes = 0;
    bool spoke_first = false;
    gb_target_start(&target, &sizes, now);
    while (!t->over && xorshift(&seed, 100) > 0) {
      unsigned char bytes[700] = {0};
      const unsigned char *out = NULL;
      size_t size = 1 + xorshift(&seed, sizeof bytes);
      now += 0.01 * xorshift(&seed, 10);
      cr_assert(t->deadline <= GB_EXPERIMENT_MOST && t->deadline <= now + GB_EXPERIMENT_IDLE);
      if (xorshift(&seed, 3) > 0) {
        size_t offered = t->calls->output(t, now, &out);
        if (offered == 0)
          continue;
        echoes += target.state == GB_TARGET_ECHO;
        t->calls->sent(t, target.state == GB_TARGET_GREET ? 1 + xorshift(&seed, (uint32_t)offered) : 1, now);
      } else {
        spoke_first |= target.state == GB_TARGET_GREET;
        t->calls->received(t, bytes, size, now);
        taken += size;
      }
    }
    cr_assert_leq(echoes, 1);
    if (t->over && !spoke_first)
      cr_assert(taken >= gb_experiment_burst(&sizes) + 1 && echoes == 1);
    if (!t->over)
      t->calls->closed(t, true, now);
    cr_assert(t->over);
  }
}

Test(experiment, absurd_sizes_are_refused) {
  const gb_experiment absurd[] = {{1, 1, 0},
                                  {UINT32_MAX, 1, 1},
                                  {1, 1, 1u << 31},
                                  {0, 1, 1u << 31},
                                  {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
  for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
    cr_assert_not(gb_experiment_sound(&absurd[i]));
  cr_assert(gb_experiment_sound(&GB_EXPERIMENT_DEFAULT));
  for (uint32_t i = 0; i < 8; i++) { /* nws_ping -size 0,... */
    const gb_experiment nothing = {0, i % 2 * 32768, i / 2 * 1024};
    cr_assert(gb_experiment_sound(&nothing));
    cr_assert_eq(gb_experiment_burst(&nothing), 0);
  }
  cr_assert_leq(gb_experiment_socket_buffer(&(gb_experiment){1, UINT32_MAX, 1}), 4 << 20);
  cr_assert_gt(gb_experiment_socket_buffer(&(gb_experiment){1, 0, 1}), 0);
  cr_assert_eq(gb_experiment_burst(&(gb_experiment){100, 0, 64}), 128);
}
