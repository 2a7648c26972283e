/* What happens to sensors: named cases of a clique of gbcast's and NWS's, in a simulated network. After each
 * the pairs of members that run are measured in every second period. */
#include "tests/nws/sense/clique_world.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define PERIOD 10.0
#define USUAL (2 * PERIOD)
/* A token is missed after at most 2.5 periods by NWS, and here after two rounds, of at most two periods; and
 * who did not answer is left out of three turns. */
#define RECOVERY (12 * PERIOD)

static world *new_world(uint32_t count, unsigned nws) {
  world *w = world_new(count, nws, 17 * count + nws + 1);
  w->rules = (gb_clique_rules){.period = PERIOD, .slot = 2, .experiment = 0.4, .hand_over = 0.5};
  return w;
}

/* Three members that have been at it for a while; `nws` bits as of world_new. */
static world *going(unsigned nws) {
  world *w = new_world(3, nws);
  world_start_all(w);
  world_run(w, 5 * PERIOD);
  world_check_measured(w, USUAL);
  cr_assert_eq(w->overlaps, 0);
  return w;
}

/* It gets over what happened, stays so, and no two measure at once from then on. */
static void check_recovers(world *w) {
  world_run(w, RECOVERY);
  unsigned overlaps = w->overlaps;
  for (unsigned i = 0; i < 10; i++) {
    world_run(w, PERIOD);
    world_check_measured(w, USUAL);
  }
  cr_assert_eq(w->overlaps, overlaps);
  world_free(w);
}

/* Member `leader` is told by start_activity; nobody else is told anything. */
static void check_started(unsigned nws, uint32_t leader) {
  world *w = new_world(3, nws);
  world_start_all(w);
  world_define(w, leader);
  for (unsigned i = 0; i < 10; i++) {
    world_run(w, i == 0 ? USUAL : PERIOD);
    world_check_measured(w, USUAL);
  }
  world_free(w);
}

enum { GBCAST, FIRST_IS_NWS = 1, LAST_IS_NWS = 4, ONE_IS_GBCAST = 6 };

Test(started, two_of_gbcast_and_one_of_nws_which_leads) {
  check_started(LAST_IS_NWS, 2);
}

Test(started, two_of_gbcast_which_lead_and_one_of_nws) {
  check_started(LAST_IS_NWS, 0);
  check_started(LAST_IS_NWS, 1);
}

Test(started, one_of_gbcast_and_two_of_nws_which_lead) {
  check_started(ONE_IS_GBCAST, 1);
  check_started(ONE_IS_GBCAST, 2);
}

Test(started, one_of_gbcast_which_leads_and_two_of_nws) {
  check_started(ONE_IS_GBCAST, 0);
}

Test(started, by_the_command_lines_of_gbcast) {
  for (unsigned nws = 0; nws < 7; nws++)
    world_free(going(nws));
}

Test(started, one_second_after_the_other) {
  world *w = new_world(6, 0);
  for (uint32_t i = 0; i < w->count; i++) {
    world_start(w, w->count - 1 - i);
    world_run(w, 1);
  }
  check_recovers(w);
}

Test(started, while_a_clique_that_nws_defined_goes_on) {
  world *w = new_world(3, ONE_IS_GBCAST);
  world_start(w, 1);
  world_start(w, 2);
  world_define(w, 1);
  world_run(w, 20 * PERIOD);
  world_start(w, 0);
  check_recovers(w);
}

/* It drops the tokens of a clique that it takes for older, and says nothing. */
Test(started, anew_with_a_sensor_of_nws_that_remembers_the_clique_before) {
  world *w = new_world(3, LAST_IS_NWS);
  world_start_all(w);
  w->m[2].old.known = true;
  w->m[2].old.token = (gb_token_id){w->wall - 100, 5, 2};
  w->m[2].old.next_run = INFINITY; /* it was stopped */
  world_run(w, RECOVERY);
  check_recovers(w);
}

Test(failure, the_leader_of_nws_dies) {
  world *w = new_world(3, LAST_IS_NWS);
  world_start_all(w);
  world_define(w, 2);
  world_run(w, 3 * PERIOD);
  world_stop(w, 2);
  check_recovers(w);
}

Test(failure, the_leader_of_gbcast_dies) {
  world *w = new_world(3, LAST_IS_NWS);
  world_start_all(w);
  world_define(w, 0);
  world_run(w, 3 * PERIOD);
  world_stop(w, 0);
  check_recovers(w);
}

/* At each moment of a round. */
static void check_each_moment(unsigned nws, void (*fail)(world *w, uint32_t who)) {
  for (uint32_t who = 0; who < 3; who++)
    for (double moment = 0; moment < PERIOD; moment += 0.25) {
      world *w = going(nws);
      world_run(w, moment + 0.1);
      fail(w, who);
      check_recovers(w);
    }
}

Test(failure, a_member_dies_for_good) {
  for (unsigned nws = 0; nws < 7; nws++)
    check_each_moment(nws, world_stop);
}

Test(failure, a_member_restarts) {
  for (unsigned nws = 0; nws < 7; nws++)
    check_each_moment(nws, world_start);
}

static void freeze_and_thaw(world *w, uint32_t who) {
  w->m[who].frozen = true;
  world_run(w, 6 * PERIOD);
  w->m[who].frozen = false;
}

Test(failure, a_member_freezes_and_thaws) {
  for (unsigned nws = 0; nws < 7; nws++)
    check_each_moment(nws, freeze_and_thaw);
}

static void cut_and_join(world *w, uint32_t who) {
  world_isolate(w, who, true);
  world_run(w, 10 * PERIOD);
  world_isolate(w, who, false);
}

Test(failure, a_member_is_cut_off_and_joined_again) {
  for (unsigned nws = 0; nws < 7; nws++)
    check_each_moment(nws, cut_and_join);
}

static void restart_all(world *w, uint32_t who) {
  (void)who;
  world_start_all(w);
}

Test(failure, the_power_fails_everywhere) {
  for (unsigned nws = 0; nws < 7; nws++)
    check_each_moment(nws, restart_all);
}

static void set_back_and_restart(world *w, uint32_t who) {
  w->wall -= 3600;
  world_start(w, who);
}

Test(failure, a_clock_is_set_back_before_a_restart) {
  check_each_moment(GBCAST, set_back_and_restart);
  check_each_moment(LAST_IS_NWS, set_back_and_restart);
}

static void set_forward_and_restart(world *w, uint32_t who) {
  w->wall += 3e7;
  world_start(w, who);
}

Test(failure, a_clock_is_set_forward_before_a_restart) {
  check_each_moment(GBCAST, set_forward_and_restart);
  check_each_moment(LAST_IS_NWS, set_forward_and_restart);
}

Test(failure, the_clock_of_the_one_who_defined_it_was_ahead) {
  world *w = new_world(3, LAST_IS_NWS);
  w->wall += 3e7;
  world_start_all(w);
  world_define(w, 0);
  world_run(w, 3 * PERIOD);
  w->wall -= 3e7;
  for (uint32_t i = 0; i < 2; i++) { /* those of gbcast begin anew, with clocks that are behind the token */
    world_start(w, i);
    world_run(w, 5 * PERIOD);
  }
  check_recovers(w);
}

Test(failure, a_network_splits_in_halves) {
  for (unsigned nws = 0; nws < 15; nws++) {
    world *w = new_world(4, nws);
    world_start_all(w);
    world_run(w, 3 * PERIOD);
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t j = 0; j < 4; j++)
        w->cut[i][j] = i / 2 != j / 2;
    world_run(w, 20 * PERIOD);
    memset(w->cut, 0, sizeof w->cut);
    check_recovers(w);
  }
}

/* It reaches others, and nobody reaches it: a firewall. The others are measured all the same. */
Test(failure, a_member_can_only_call) {
  world *w = going(GBCAST);
  w->cut[0][2] = w->cut[1][2] = true;
  world_run(w, RECOVERY);
  double before = w->now;
  world_run(w, 5 * PERIOD);
  cr_assert_gt(w->measured[0][1], before);
  cr_assert_gt(w->measured[1][0], before);
  world_free(w);
}

Test(failure, a_frozen_member_does_not_stop_the_others) {
  for (unsigned nws = 0; nws < 4; nws++) { /* at least the last is of gbcast */
    world *w = going(nws);
    w->m[0].frozen = true;
    world_run(w, RECOVERY);
    for (unsigned i = 0; i < 10; i++) {
      double before = w->now;
      world_run(w, 4 * PERIOD);
      cr_assert_gt(w->measured[1][2], before);
      cr_assert_gt(w->measured[2][1], before);
    }
    world_free(w);
  }
}

Test(failure, messages_get_lost_for_an_hour) {
  for (unsigned nws = 0; nws < 7; nws++) {
    world *w = going(nws);
    w->loss = 100;
    world_run(w, 3600);
    w->loss = 0;
    check_recovers(w);
  }
}

Test(failure, of_all_kinds_in_cliques_of_all_mixes) {
  for (uint64_t round = 1; round < 1500; round++) {
    uint64_t seed = round;
    uint32_t count = 2 + xorshift(&seed, WORLD_MOST - 1);
    world *w = new_world(count, xorshift(&seed, (1u << count) - 1)); /* one at least is of gbcast */
    w->seed += round;
    w->loss = round % 3 > 0 ? 50 : 0;
    world_start_all(w);
    world_shake(w, 500);
    (void)world_heal(w, true);
    check_recovers(w);
  }
}
