/* A clique in a simulated network: members that stop and come back, messages that get lost. No two members
 * ever measure by the same token; as long as messages arrive no two measure at once at all; nobody makes a
 * token without need; and once the failures end every pair is measured again and again. */
#include "nws/sense/clique.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MOST = 6 };

static const gb_clique_rules rules = {.period = 10, .slot = 3, .experiment = 4, .hand_over = 2};

/* A hand-over is offered at `offer`, answered at `answer`, and gone ahead with at `go`; INFINITY: that
 * message is lost, or the step is done. */
typedef struct member {
  gb_clique clique;
  bool alive, measuring, passing;
  gb_clique_action action;
  double ends; /* the experiment, or the wait for an answer */
  double offer, answer, go;
  double turn; /* when the present one began; -INFINITY: none yet */
  gb_token_id answered, gone;
  uint32_t gone_to;
} member;

typedef struct world {
  member m[MOST];
  uint32_t count;
  double now;
  uint64_t seed;
  uint32_t loss;               /* of 1000 messages */
  unsigned made;               /* tokens */
  unsigned overlaps;           /* moments with two experiments at once */
  double measured[MOST][MOST]; /* when last */
} world;

static double some(world *w, double most) {
  return most * (1 + xorshift(&w->seed, 999)) / 1000;
}

static void stop(world *w, uint32_t i) {
  w->m[i] = (member){.offer = INFINITY, .answer = INFINITY, .go = INFINITY};
}

static void start(world *w, uint32_t i) {
  stop(w, i);
  w->m[i].alive = true;
  w->m[i].turn = -INFINITY;
  gb_clique_start(&w->m[i].clique, &rules, w->count, i, 1.8e9 + w->now, w->now);
}

static void check_tokens(world *w) {
  bool overlap = false;
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const member *a = &w->m[i], *b = &w->m[j];
      if (!a->measuring || !b->measuring)
        continue;
      overlap = true;
      cr_assert_neq(gb_token_compare(&a->clique.seen, &b->clique.seen), 0, "%u, %u: by one token", i, j);
    }
  w->overlaps += overlap;
}

/* When a message arrives that may take until `latest`. */
static double arrival(world *w, double latest) {
  return xorshift(&w->seed, 1000) < w->loss ? INFINITY : w->now + some(w, latest - w->now);
}

static void check_turn(world *w, member *m) {
  if (m->clique.began == m->turn) {
    cr_assert_lt(w->now - m->turn, rules.slot);
    return;
  }
  cr_assert(w->now - m->turn > rules.period - 1e-6, "a turn after %g s", w->now - m->turn);
  m->turn = w->now;
}

static void begin(world *w, uint32_t i, const gb_clique_action *action) {
  member *m = &w->m[i];
  if (action->what == GB_CLIQUE_MEASURE)
    check_turn(w, m);
  m->action = *action;
  m->measuring = action->what == GB_CLIQUE_MEASURE;
  m->passing = !m->measuring;
  m->ends = w->now + (m->measuring ? some(w, rules.experiment) : rules.hand_over);
  if (m->passing)
    m->offer = arrival(w, w->m[action->member].alive ? m->ends : INFINITY);
  if (m->passing && !w->m[action->member].alive)
    m->ends = w->now + some(w, rules.hand_over); /* the connection is refused */
}

/* The steps of a hand-over that are due. A member that stops takes what it waits for with it. */
static void step(world *w, member *m) {
  const member *to = &w->m[m->action.member];
  if (m->offer <= w->now) {
    m->offer = INFINITY;
    if (to->alive) {
      m->answered = gb_clique_offered(&to->clique, &m->action.token);
      m->answer = arrival(w, m->ends);
    }
  } else if (m->answer <= w->now) {
    m->answer = INFINITY;
    m->passing = false;
    if (gb_clique_answered(&m->clique, &m->answered, w->now)) {
      m->go = arrival(w, w->now + rules.hand_over);
      m->gone = m->action.token;
      m->gone_to = m->action.member;
    }
  } else if (m->go <= w->now) {
    m->go = INFINITY;
    if (w->m[m->gone_to].alive)
      gb_clique_take(&w->m[m->gone_to].clique, &m->gone, w->now);
  }
}

static void end(world *w, uint32_t i) {
  member *m = &w->m[i];
  bool good = w->m[m->action.member].alive;
  if (m->measuring && good)
    w->measured[i][m->action.member] = w->now;
  if (m->measuring) {
    m->measuring = false;
    gb_clique_measured(&m->clique, good, w->now);
  } else {
    m->passing = false;
    m->offer = m->answer = INFINITY;
    gb_clique_refused(&m->clique, w->now);
  }
}

/* Begins what the members want to; the next moment at which something happens, at most `limit`. */
static double soonest(world *w, double limit) {
  for (uint32_t i = 0; i < w->count; i++) {
    member *m = &w->m[i];
    if (m->alive) {
      gb_token_id before = m->clique.seen;
      gb_clique_action action = gb_clique_next(&m->clique, w->now);
      w->made += gb_token_compare(&before, &m->clique.seen) != 0;
      if (action.what == GB_CLIQUE_WAIT) {
        limit = fmin(limit, action.deadline);
      } else {
        cr_assert(!m->measuring && !m->passing && action.member < w->count && action.member != i);
        begin(w, i, &action);
      }
    }
    if (m->measuring || m->passing)
      limit = fmin(limit, m->ends);
    limit = fmin(limit, fmin(m->offer, fmin(m->answer, m->go)));
  }
  return limit;
}

static void run(world *w, double until) {
  unsigned still = 0; /* steps without time */
  while (w->now < until) {
    double next = soonest(w, until);
    check_tokens(w);
    cr_assert_geq(next, w->now);
    still = next > w->now ? 0 : still + 1;
    cr_assert_lt(still, 1000, "nothing goes on at %.17g", next);
    w->now = next;
    for (uint32_t i = 0; i < w->count; i++) {
      member *m = &w->m[i];
      step(w, m);
      if ((m->measuring || m->passing) && m->ends <= w->now)
        end(w, i);
    }
  }
}

/* The longest that a pair may go unmeasured: rounds until each of a member's peers had its turn. */
static double bound(const world *w) {
  return w->count * (rules.period + w->count * (rules.slot + rules.experiment + rules.hand_over));
}

static void check_measured(const world *w) {
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t j = 0; j < w->count; j++)
      if (i != j && w->m[i].alive && w->m[j].alive)
        cr_assert_gt(w->measured[i][j], w->now - bound(w), "%u did not measure %u: %g, now %g", i, j,
                     w->measured[i][j], w->now);
}

Test(clique, without_failures_there_is_one_token_and_every_pair_is_measured) {
  for (unsigned round = 0; round < 300; round++) {
    world w = {.count = 2 + round % (MOST - 1), .seed = 99 + round};
    for (uint32_t i = 0; i < w.count; i++)
      start(&w, i);
    run(&w, 3 * bound(&w));
    cr_assert_eq(w.overlaps, 0);
    cr_assert_lt(w.m[0].clique.seen.instance, 0); /* the first token is there still */
    check_measured(&w);
  }
}

/* Members are down at first, stop, and are started again. */
static void shake(world *w, double until) {
  while (w->now < until) {
    run(w, fmin(until, w->now + some(w, 200)));
    uint32_t i = xorshift(&w->seed, w->count);
    if (w->m[i].alive)
      stop(w, i);
    else
      start(w, i);
  }
}

Test(clique, recovers_from_deaths_and_losses) {
  unsigned overlapped = 0, made = 0;
  for (unsigned round = 0; round < 600; round++) {
    world w = {.count = 2 + round % (MOST - 1), .seed = 7 + round, .loss = round % 3 == 0 ? 0 : 100};
    for (uint32_t i = 0; i < w.count; i++)
      if (xorshift(&w.seed, 3) > 0)
        start(&w, i);
      else
        stop(&w, i);
    shake(&w, 3000);
    cr_assert(w.loss > 0 || w.overlaps == 0, "two at once although messages arrive");
    overlapped += w.overlaps > 0;
    made += w.made;
    w.loss = 0;
    for (uint32_t i = 0; i < w.count; i++)
      if (round % 2 == 0 && !w.m[i].alive)
        start(&w, i);
    run(&w, w.now + 2 * bound(&w)); /* what is lost is made again, what is too much meets the rest */
    unsigned overlaps = w.overlaps, before = w.made, alive = 0;
    for (uint32_t i = 0; i < w.count; i++)
      alive += w.m[i].alive;
    run(&w, w.now + 3 * bound(&w));
    check_measured(&w);
    cr_assert_eq(w.overlaps, overlaps, "round %u: two at once long after the last failure", round);
    cr_assert(w.made == before || alive < 2, "round %u: %u made without need", round, w.made - before);
  }
  cr_assert_gt(overlapped, 0, "the losses are too mild to test anything");
  cr_assert_gt(made, 2000);
}

/* A member that restarts while the token travels does not bring in another. */
Test(clique, restart_disturbs_nobody) {
  unsigned restarts = 0;
  for (unsigned round = 0; round < 300; round++) {
    world w = {.count = 3 + round % (MOST - 2), .seed = 1 + round};
    for (uint32_t i = 0; i < w.count; i++)
      start(&w, i);
    run(&w, 100 + some(&w, 100));
    uint32_t i = xorshift(&w.seed, w.count);
    bool involved = w.m[i].clique.state != GB_CLIQUE_AWAY || w.m[i].go < INFINITY;
    for (uint32_t j = 0; j < w.count; j++)
      involved |= (w.m[j].passing || w.m[j].go < INFINITY) && w.m[j].action.member == i;
    if (involved)
      continue; /* it would take the token with it */
    restarts++;
    start(&w, i);
    run(&w, w.now + bound(&w));
    cr_assert_eq(w.overlaps, 0);
    check_measured(&w);
    for (uint32_t j = 0; j < w.count; j++)
      cr_assert_lt(w.m[j].clique.seen.instance, 0, "a second token won");
  }
  cr_assert_gt(restarts, 50);
}

/* Member 0 of three, away, with the token {0, 5, 1} known. */
static gb_clique member_0(void) {
  gb_clique c;
  gb_clique_start(&c, &rules, 3, 0, 1.8e9, 0);
  gb_clique_take(&c, &(gb_token_id){0, 5, 1}, 0);
  cr_assert_eq(gb_clique_next(&c, 0).what, GB_CLIQUE_HAND_OVER); /* new to it: handed on */
  cr_assert(gb_clique_answered(&c, &(gb_token_id){0, 5, 1}, 0));
  return c;
}

Test(clique, what_came_back_measures_and_what_is_new_is_handed_on) {
  const gb_token_id known = {0, 5, 1}, newer = {0, 6, 2};
  gb_clique c = member_0();
  gb_clique_take(&c, &known, 1);
  cr_assert_eq(gb_clique_next(&c, 1).what, GB_CLIQUE_MEASURE);
  gb_clique_take(&c, &newer, 2); /* while the experiment runs, which comes to its end */
  cr_assert_eq(gb_clique_next(&c, 2).what, GB_CLIQUE_WAIT);
  gb_clique_measured(&c, true, 3);
  gb_clique_action action = gb_clique_next(&c, 3);
  cr_assert_eq(action.what, GB_CLIQUE_HAND_OVER);
  cr_assert_eq(action.member, 1);
  cr_assert_eq(gb_token_compare(&action.token, &newer), 0);
}

Test(clique, a_token_is_missed_sooner_when_rounds_are_short) {
  const gb_token_id known = {0, 5, 1};
  gb_clique c = member_0();
  double now = 0;
  cr_assert_eq(gb_clique_next(&c, now).deadline, gb_clique_round_most(&c));
  for (unsigned round = 0; round < 3; round++) {
    now += rules.period;
    gb_clique_take(&c, &known, now);
    for (unsigned peer = 0; peer < 2; peer++) {
      cr_assert_eq(gb_clique_next(&c, now).what, GB_CLIQUE_MEASURE);
      gb_clique_measured(&c, true, now);
    }
    cr_assert_eq(gb_clique_next(&c, now).what, GB_CLIQUE_HAND_OVER);
    cr_assert(gb_clique_answered(&c, &known, now));
  }
  cr_assert_eq(gb_clique_next(&c, now).deadline, now + 2 * (rules.period + rules.hand_over));
}

Test(clique, who_does_not_answer_is_left_out_for_three_turns) {
  const gb_token_id known = {0, 5, 1};
  gb_clique c = member_0();
  double now = 0;
  for (unsigned turn = 0; turn < 20; turn++) {
    gb_clique_action action;
    bool tried = false;
    unsigned good = 0;
    now += rules.period;
    gb_clique_take(&c, &known, now);
    while ((action = gb_clique_next(&c, now)).what == GB_CLIQUE_MEASURE) {
      tried |= action.member == 2;
      good += action.member == 1;
      gb_clique_measured(&c, action.member == 1 || turn >= 8, now);
    }
    cr_assert_eq(good, 1);
    cr_assert_eq(tried, turn % 4 == 0 || turn >= 8, "turn %u", turn);
    cr_assert_eq(action.what, GB_CLIQUE_HAND_OVER);
    cr_assert(gb_clique_answered(&c, &known, now));
  }
}

Test(clique, an_answer_may_tell_of_a_newer_token) {
  const gb_token_id known = {0, 5, 1}, newer = {0, 6, 2};
  gb_clique c = member_0();
  gb_clique_take(&c, &known, 1);
  cr_assert_eq(gb_clique_next(&c, 1).member, 1);
  gb_clique_measured(&c, true, 1);
  cr_assert_eq(gb_clique_next(&c, 1).member, 2);
  gb_clique_measured(&c, true, 1);
  cr_assert_eq(gb_clique_next(&c, 1).what, GB_CLIQUE_HAND_OVER);
  cr_assert_not(gb_clique_answered(&c, &newer, 2));
  gb_token_id answer = gb_clique_offered(&c, &known);
  cr_assert_eq(gb_token_compare(&answer, &newer), 0);
  gb_clique_take(&c, &known, 3);
  cr_assert_eq(gb_clique_next(&c, 3).what, GB_CLIQUE_WAIT);
  gb_clique_take(&c, &newer, 3); /* heard of, but never here */
  cr_assert_eq(gb_clique_next(&c, 3).what, GB_CLIQUE_HAND_OVER);
}

Test(clique, tokens_have_an_order) {
  const gb_token_id by_age[] = {{0, -0.2, 1}, {0, -0.1, 7}, {0, 3, 2}, {0, 3, 1}, {0, 4, 9}, {1, 0, 5}};
  for (size_t i = 0; i < sizeof by_age / sizeof *by_age; i++)
    for (size_t j = 0; j < sizeof by_age / sizeof *by_age; j++)
      cr_assert_eq(gb_token_compare(&by_age[i], &by_age[j]), (i > j) - (i < j));
}

Test(token, is_968_bytes_and_survives_the_wire) {
  gb_token token = {.name = "wan",
                    .id = {1, 2.5, 3},
                    .skill = "tcpMessageMonitor",
                    .options = "list:1234\t",
                    .period = 120,
                    .time_out = 500,
                    .count = 2,
                    .member = {{0x7f000001, 8060}, {0x7f000002, 8061}}};
  gb_bytes bytes = {0};
  gb_token read;
  gb_token_encode(&bytes, GB_NWS_CLIQUE_TOKEN_FWD, &token);
  cr_assert_eq(bytes.size, 12 + GB_TOKEN_BYTES);
  cr_assert_eq(bytes.data[12 + 39], 0); /* generated: f64 at 32 */
  cr_assert_eq(bytes.data[12 + 32], 0x3f);
  cr_assert_eq(bytes.data[12 + 160], 0x7f); /* the first member, behind 2 names, 2 words, options, 2 words */
  memset(&read, 0, sizeof read);
  cr_assert(gb_token_decode(bytes.data + 12, GB_TOKEN_BYTES, &read));
  cr_assert_eq(memcmp(&read, &token, sizeof token), 0);
  for (size_t size = 0; size < GB_TOKEN_BYTES; size++)
    cr_assert_not(gb_token_decode(bytes.data + 12, size, &read));
  bytes.data[12 + 962] = 1; /* count */
  cr_assert_not(gb_token_decode(bytes.data + 12, GB_TOKEN_BYTES, &read));
  gb_bytes_release(&bytes);
}
