/* Properties of cliques in a simulated network. No two members ever measure by the same token; without
 * failures no two measure at once at all, and nobody makes a token without need; and once the failures end
 * every pair is measured again and again. */
#include "tests/nws/sense/clique_world.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const gb_clique_rules rules = {.period = 10, .slot = 3, .experiment = 4, .hand_over = 2};

Test(clique, without_failures_there_is_one_token_and_every_pair_is_measured) {
  for (unsigned round = 0; round < 300; round++) {
    world *w = world_new(2 + round % (WORLD_MOST - 1), 0, 99 + round);
    world_start_all(w);
    world_run(w, 3 * world_bound(w));
    cr_assert_eq(w->overlaps, 0);
    cr_assert_lt(w->m[0].clique.seen.instance, 0); /* the first token is there still */
    world_check_measured(w, world_bound(w));
    world_free(w);
  }
}

Test(clique, recovers_from_deaths_freezes_and_losses) {
  unsigned overlapped = 0, made = 0;
  for (unsigned round = 0; round < 600; round++) {
    world *w = world_new(2 + round % (WORLD_MOST - 1), 0, 7 + round);
    w->loss = round % 3 == 0 ? 0 : 100;
    for (uint32_t i = 0; i < w->count; i++)
      if (xorshift(&w->seed, 3) > 0)
        world_start(w, i);
    world_shake(w, 3000);
    overlapped += w->overlaps > 0;
    made += w->made;
    uint32_t alive = world_heal(w, round % 2 == 0);
    world_run(w, 3 * world_bound(w)); /* what is lost is made again, what is too much meets the rest */
    unsigned overlaps = w->overlaps, before = w->made;
    world_run(w, 3 * world_bound(w));
    world_check_measured(w, world_bound(w));
    cr_assert_eq(w->overlaps, overlaps, "round %u: two at once long after the last failure", round);
    cr_assert(w->made == before || alive < 2, "round %u: %u made without need", round, w->made - before);
    world_free(w);
  }
  cr_assert_gt(overlapped, 0, "the losses are too mild to test anything");
  cr_assert_gt(made, 2000);
}

/* A member that restarts while the token travels does not bring in another. */
Test(clique, restart_disturbs_nobody) {
  unsigned restarts = 0;
  for (unsigned round = 0; round < 300; round++) {
    world *w = world_new(3 + round % (WORLD_MOST - 2), 0, 1 + round);
    world_start_all(w);
    world_run(w, 100 + world_some(w, 100));
    uint32_t i = xorshift(&w->seed, w->count);
    bool involved = w->m[i].clique.state != GB_CLIQUE_AWAY;
    for (uint32_t j = 0; j < w->count; j++)
      involved |= w->m[j].doing == PASSING && w->m[j].with == i;
    if (!involved) { /* otherwise it would take the token with it */
      restarts++;
      world_start(w, i);
      world_run(w, world_bound(w));
      cr_assert_eq(w->overlaps, 0);
      world_check_measured(w, world_bound(w));
      for (uint32_t j = 0; j < w->count; j++)
        cr_assert_lt(w->m[j].clique.seen.instance, 0, "a second token won");
    }
    world_free(w);
  }
  cr_assert_gt(restarts, 50);
}

/* Of a member that had seen none. */
static const gb_token_id known = {0, -0.1, 1};

/* Member 0 of three, away, with this token known. */
static gb_clique member_0(void) {
  gb_clique c;
  gb_clique_start(&c, &rules, 3, 0, 1.8e9, 0);
  cr_assert(gb_clique_take(&c, &known, 0));
  cr_assert_eq(gb_clique_next(&c, 0).what, GB_CLIQUE_HAND_OVER); /* new to it: handed on */
  gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, 0);
  return c;
}

Test(clique, what_came_back_measures_and_what_is_new_is_handed_on) {
  const gb_token_id newer = {0, 6, 2};
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
    gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, now);
  }
  cr_assert_eq(gb_clique_next(&c, now).deadline, now + 2 * (rules.period + rules.hand_over));
}

Test(clique, who_does_not_answer_is_left_out_for_three_turns) {
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
    gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, now);
  }
}

/* What it hands to its only other member, now. */
static gb_token_id handed(gb_clique *c, double now) {
  gb_clique_action action = gb_clique_next(c, now);
  cr_assert_eq(action.what, GB_CLIQUE_HAND_OVER);
  return action.token;
}

/* A clique that makes tokens too fast is measured all the same. */
Test(clique, at_most_every_second_new_token_is_handed_on_at_once) {
  gb_clique c = member_0();
  double now = 0;
  unsigned measured = 0;
  for (unsigned round = 1; round <= 20; round++) {
    gb_clique_action action;
    now += rules.period;
    cr_assert(gb_clique_take(&c, &(gb_token_id){5, round, 2}, now));
    while ((action = gb_clique_next(&c, now)).what == GB_CLIQUE_MEASURE) {
      measured++;
      gb_clique_measured(&c, true, now);
    }
    cr_assert_eq(action.what, GB_CLIQUE_HAND_OVER);
    gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, now);
  }
  cr_assert_eq(measured, 2 * 10);
}

Test(clique, who_was_reached_and_did_not_answer_has_an_older_token) {
  gb_clique c = member_0();
  for (unsigned turn = 0; turn < 8; turn++) {
    double now = (turn + 1) * rules.period;
    gb_clique_action action;
    const gb_token_id held = c.seen;
    cr_assert(gb_clique_take(&c, &held, now));
    while ((action = gb_clique_next(&c, now)).what == GB_CLIQUE_MEASURE)
      gb_clique_measured(&c, true, now);
    cr_assert_eq(action.member, turn % 4 == 0 ? 1 : 2, "turn %u", turn); /* it is left out of three turns */
    if (action.member == 1) {
      gb_clique_handed_over(&c, GB_HAND_OVER_UNKNOWN, now);
      action = gb_clique_next(&c, now);
      cr_assert_eq(action.what, GB_CLIQUE_HAND_OVER);
      cr_assert_eq(action.member, 2);
      cr_assert_gt(gb_token_compare(&action.token, &held), 0);
    } else {
      cr_assert_eq(gb_token_compare(&action.token, &held), 0);
    }
    gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, now);
  }
}

/* The token that was made in place of a lost one is lost, too: it met somebody who knew a newer one. */
Test(clique, a_token_that_does_not_come_back_is_followed_by_one_that_beats_all) {
  for (double generated = 0; generated < 4e9; generated += 1e9) { /* by clocks that are behind and ahead */
    gb_clique c;
    gb_clique_start(&c, &rules, 2, 0, 1.8e9, 0);
    gb_token_id last = {generated, 5, 1};
    cr_assert(gb_clique_take(&c, &last, 0));
    while (gb_clique_next(&c, 0).what == GB_CLIQUE_MEASURE)
      gb_clique_measured(&c, true, 0);
    for (unsigned lost = 0; lost < 4; lost++) {
      gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, c.until);
      const gb_token_id next = handed(&c, c.until);
      cr_assert_gt(gb_token_compare(&next, &last), 0);
      cr_assert(lost == 0 || next.generated >= 1.8e9);
      last = next;
    }
  }
}

Test(clique, no_token_is_made_twice_however_often_its_maker_restarts) {
  const gb_token_id before = {0, 5.3, 1};
  gb_token_id made[20];
  for (unsigned i = 0; i < 20; i++) {
    gb_clique c;
    gb_clique_start(&c, &rules, 2, 0, 1.8e9 + i, 0);
    cr_assert(gb_clique_take(&c, &before, 0));
    while (gb_clique_next(&c, 0).what == GB_CLIQUE_MEASURE)
      gb_clique_measured(&c, true, 0);
    gb_clique_handed_over(&c, GB_HAND_OVER_UNKNOWN, 0);
    made[i] = c.seen;
    cr_assert_gt(gb_token_compare(&made[i], &before), 0);
    for (unsigned j = 0; j < i; j++)
      cr_assert_neq(gb_token_compare(&made[i], &made[j]), 0);
  }
}

/* The members change: what has begun is forgotten, turns keep their distance. */
Test(clique, that_is_defined_anew_begins_anew) {
  gb_clique c = member_0();
  cr_assert(gb_clique_take(&c, &known, 1));
  cr_assert_eq(gb_clique_next(&c, 1).what, GB_CLIQUE_MEASURE);
  const gb_token_id newer = {1.8e9, 0, 1};
  gb_clique_redefine(&c, &rules, 5, 4, &newer, 2);
  cr_assert_eq(gb_token_compare(&(gb_token_id){1.8e9, 0, 1}, &(gb_token_id){handed(&c, 2).generated, 0, 1}),
               0);
  gb_clique_handed_over(&c, GB_HAND_OVER_TAKEN, 3);
  cr_assert(gb_clique_take(&c, &newer, 4));
  gb_clique_action action = gb_clique_next(&c, 4);
  cr_assert_eq(action.what, GB_CLIQUE_WAIT);
  cr_assert_eq(action.deadline, 1 + rules.period);
  gb_clique_redefine(&c, &rules, 2, 0, NULL, 5); /* this one defines it */
  cr_assert_gt(handed(&c, 5).generated, 1.8e9);
}

Test(clique, tokens_have_an_order) {
  const gb_token_id by_age[] = {{0, -0.2, 1}, {0, -0.1, 7}, {0, 3, 1}, {0, 3, 2}, {0, 4, 9}, {1, 0, 5}};
  for (size_t i = 0; i < sizeof by_age / sizeof *by_age; i++)
    for (size_t j = 0; j < sizeof by_age / sizeof *by_age; j++)
      cr_assert_eq(gb_token_compare(&by_age[i], &by_age[j]), (i > j) - (i < j));
}

Test(token, is_968_bytes_and_survives_the_wire) {
  enum { TOKEN_BYTES = 968 };
  gb_nws_message message = {.number = GB_NWS_CLIQUE_TOKEN_FWD,
                            .token = {.name = "wan",
                                      .id = {1, 2.5, 3},
                                      .skill = "tcpMessageMonitor",
                                      .options = "list:1234\t",
                                      .period = 120,
                                      .time_out = 500,
                                      .count = 2,
                                      .member = {{0x7f000001, 8060}, {0x7f000002, 8061}, {1, 1}}}};
  gb_bytes bytes = {0};
  gb_nws_message read;
  gb_nws_encode(&bytes, &message);
  cr_assert_eq(bytes.size, 12 + TOKEN_BYTES);
  cr_assert_eq(bytes.data[12 + 39], 0); /* generated: f64 at 32 */
  cr_assert_eq(bytes.data[12 + 32], 0x3f);
  cr_assert_eq(bytes.data[12 + 160], 0x7f); /* the first member, behind 2 names, 2 words, options, 2 words */
  cr_assert(gb_nws_decode(bytes.data, bytes.size, &read));
  memset(&message.token.member[2], 0, sizeof message.token.member[2]); /* behind the last there is nothing */
  cr_assert_eq(memcmp(&read.token, &message.token, sizeof read.token), 0);
  bytes.data[12 + 962] = 1; /* count */
  cr_assert_not(gb_nws_decode(bytes.data, bytes.size, &read));
  bytes.data[12 + 962] = 0;
  for (uint32_t size = 0; size <= TOKEN_BYTES; size++) {
    gb_set_u32(bytes.data + 8, size);
    cr_assert_eq(gb_nws_decode(bytes.data, 12 + size, &read), size == TOKEN_BYTES);
  }
  gb_bytes_release(&bytes);
}
