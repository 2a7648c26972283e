/* Subscriptions: what is pushed, what is missed between two connections, and who is not to be believed. */
#include "nws/client/survey.h"
#include "tests/support/nws/world.h"

#define CLOCK 1795228500.0

static const char *ab[] = {"a:8060", "b:8060"}, *ba[] = {"b:8060", "a:8060"};
static const char name_ab[] = "a:8060.latencyTcp.b:8060", name_ba[] = "b:8060.latencyTcp.a:8060";

typedef struct scene {
  world w;
  world_series *ab, *ba;
  gb_survey survey;
  gb_follow follow;
  peer p;
} scene;

static void begin(scene *s) {
  *s = (scene){0};
  s->ab = world_add(&s->w, name_ab, ab, "latencyTcp", "m:8050", "");
  s->ba = world_add(&s->w, name_ba, ba, "latencyTcp", "m:8050", "");
  world_measure(s->ab, CLOCK - 100, 10);
  world_measure(s->ba, CLOCK - 100, 20);
  gb_nws_address ns = address("ns:8090"), memory = address("m:8050");
  gb_survey_init(&s->survey, &ns, 8050, 5);
  s->survey.clock = CLOCK;
  s->p = world_peer(&s->w);
  cr_assert(gb_survey_begin(&s->survey));
  peer_run(&s->p, &s->survey.client);
  s->p.connection = 0;
  gb_follow_init(&s->follow, &s->survey, &memory);
  cr_assert(gb_follow_begin(&s->follow));
}

static void end(scene *s) {
  gb_follow_release(&s->follow);
  gb_survey_release(&s->survey);
  peer_release(&s->p);
  gb_bytes_release(&s->w.objects);
}

static const gb_nws_series *found(const scene *s, const char *name) {
  return gb_survey_find(&s->survey, &s->follow.memory, name);
}

/* The memory forwards a store. */
static void push(scene *s, const char *name, double time, double value) {
  world_series one = {.record = {{time, value}}, .count = 1};
  (void)world_state(&one, name, 0, &s->p.out);
  peer_run(&s->p, &s->follow.client);
}

static void hang_up(scene *s) {
  gb_client_closed(&s->follow.client, "gone", s->p.now);
}

Test(nws_follow, pushes_arrive_and_strangers_do_not) {
  scene s;
  begin(&s);
  peer_run(&s.p, &s.follow.client);
  cr_assert_str_eq(s.w.followed, "a:8060.latencyTcp.b:8060\tb:8060.latencyTcp.a:8060");
  push(&s, name_ab, CLOCK - 90, 11);
  push(&s, "latencyTcp.b:8060", CLOCK - 80, 5); /* a part of a name that is subscribed */
  push(&s, "a:8060.latencyTcp.b:80601", CLOCK - 80, 5);
  cr_assert_eq(found(&s, name_ab)->count, 2);
  cr_assert_eq(found(&s, name_ab)->newest, CLOCK - 90);
  cr_assert_eq(found(&s, name_ba)->count, 1);
  push(&s, name_ab, CLOCK - 90, 11); /* once more */
  cr_assert_eq(found(&s, name_ab)->count, 2);
  end(&s);
}

Test(nws_follow, a_push_may_overtake_the_acknowledgement) {
  scene s;
  begin(&s);
  s.w.overtakes = true;
  uint32_t before = s.p.connections;
  peer_run(&s.p, &s.follow.client);
  cr_assert_eq(s.p.connections, before + 1);
  push(&s, name_ab, CLOCK - 90, 11);
  cr_assert_eq(found(&s, name_ab)->count, 2);
  end(&s);
}

Test(nws_follow, the_gap_is_filled_after_each_end) {
  scene s;
  begin(&s);
  peer_run(&s.p, &s.follow.client);
  for (uint32_t round = 0; round < 20; round++) {
    double before = s.p.now;
    hang_up(&s);
    for (uint32_t i = 0; i < 2; i++)
      world_measure(s.ab, s.ab->record[s.ab->count - 1].time + 1, 10 + i);
    s.p.chunk = 1 + 37 * round;
    peer_run(&s.p, &s.follow.client);
    cr_assert_float_eq(s.p.now - before, 1, 1e-9, "a pause of %g s", s.p.now - before);
    cr_assert_eq(found(&s, name_ab)->count, s.ab->count);
    cr_assert_eq(found(&s, name_ab)->newest, s.ab->record[s.ab->count - 1].time);
  }
  uint32_t fetches = s.w.fetches;
  push(&s, name_ba, CLOCK - 50, 21);
  cr_assert_eq(found(&s, name_ba)->count, 2);
  cr_assert_eq(s.w.fetches, fetches);
  end(&s);
}

/* Attempts in the first hour: 1, 2, 4, ... 60 s apart. */
static uint32_t attempts(scene *s) {
  uint32_t before = s->p.connections;
  for (double begin = s->p.now; s->p.now < begin + 3600;)
    cr_assert(peer_step(&s->p, &s->follow.client));
  return s->p.connections - before;
}

Test(nws_follow, a_memory_that_refuses_or_is_gone_is_asked_now_and_then) {
  scene s;
  begin(&s);
  s.w.refuses = true;
  uint32_t count = attempts(&s);
  cr_assert(count > 30 && count < 70, "%u", count);
  s.w.refuses = false;
  s.p.refused = 8050;
  count = attempts(&s);
  cr_assert(count > 30 && count < 70, "%u", count);
  s.p.refused = 0;
  world_measure(s.ab, CLOCK - 60, 9);
  peer_run(&s.p, &s.follow.client);
  cr_assert_eq(found(&s, name_ab)->count, 2);
  end(&s);
}

/* Closed at every byte of what a memory sends, and then left alone: in the end all is there. */
Test(nws_follow, closing_at_every_byte) {
  for (size_t at = 0; at < 420; at++) {
    scene s;
    begin(&s);
    world_measure(s.ab, CLOCK - 60, 9);
    s.p.close_after = at;
    for (uint32_t i = 0; i < 300; i++)
      cr_assert(peer_step(&s.p, &s.follow.client) || s.p.given < at, "%zu", at);
    s.p.close_after = SIZE_MAX;
    peer_run(&s.p, &s.follow.client);
    cr_assert_eq(found(&s, name_ab)->count, 2, "%zu", at);
    push(&s, name_ab, CLOCK - 30, 8);
    cr_assert_eq(found(&s, name_ab)->count, 3, "%zu", at);
    end(&s);
  }
}
