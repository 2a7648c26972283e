/* Clients of gbcast-nws serve that ask too much, or take or say too little. */
#include "tests/nws/serve/bench.h"

/* A client that asks without end and does not take the answers is not answered without end. */
Test(serve_patience, answers_wait_to_be_taken) {
  bench b;
  gb_session s;
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  for (int i = 0; i < 2000; i++) {
    take_store(&s, "a", NOW - 3000 + i);
    (void)gb_session_work(&s, NOW, GB_ITERATION_COST);
    gb_session_sent(&s, gb_session_output(&s).length);
  }
  gb_nws_message fetch = {.number = GB_NWS_FETCH_STATE, .state = {.id = "a", .record_count = 2000}};
  for (int i = 0; i < 100; i++)
    take(&s, &fetch);
  for (int i = 0; i < 100; i++)
    (void)gb_session_work(&s, NOW, GB_ITERATION_COST);
  cr_assert_not(gb_session_has_work(&s));
  cr_assert_not(gb_session_wants_input(&s));
  cr_assert_leq(gb_session_output(&s).length, GB_SESSION_OUT_PAUSE + 12 + 152 + 2000 * 32);
  gb_bytes said = {0};
  settle(&s, &said);
  cr_assert_eq(said.size, 100 * (12 + 152 + 2000 * 32));
  cr_assert_leq(s.held, 1 << 14, "room is given back");
  gb_session_end(&s);
  gb_bytes_release(&said);
  tear_down(&b);
}

static unsigned ticks_until_late(gb_session *s, unsigned most) {
  unsigned ticks = 0;
  while (ticks < most && !gb_session_tick(s))
    ticks++;
  return ticks;
}

Test(serve_patience, patience_ends) {
  bench b;
  gb_session s;
  gb_bytes said = {0};
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  cr_assert_eq(ticks_until_late(&s, 100000), 100000, "to say nothing is allowed");
  gb_session_take(&s, "\2\0\0", 3);
  (void)gb_session_work(&s, NOW, GB_ITERATION_COST);
  cr_assert_eq(ticks_until_late(&s, 1000), GB_SESSION_TICKS, "half a request is not");
  gb_session_take(&s, "\0", 1);
  (void)gb_session_work(&s, NOW, GB_ITERATION_COST);
  cr_assert(gb_session_tick(&s), "nor a byte now and then");
  gb_session_end(&s);

  gb_session_start(&s, &b.service, true);
  take_vector(&s, "10_host_test_req");
  (void)gb_session_work(&s, NOW, GB_ITERATION_COST);
  cr_assert_eq(ticks_until_late(&s, 1000), GB_SESSION_TICKS, "answers are to be taken");
  gb_session_sent(&s, 1);
  cr_assert(gb_session_tick(&s), "not one byte now and then");
  settle(&s, &said);
  cr_assert_not(gb_session_tick(&s));
  gb_session_end(&s);
  gb_bytes_release(&said);
  tear_down(&b);
}

/* All buffers together are bounded: who wants more has to go, and those who want little stay. */
Test(serve_patience, buffers_have_a_bound) {
  enum { CLIENTS = 40 };
  static char part[900000] = {2, 0, 0, 0, 0, 0, 0, 100, 0, 15, 0, 0};
  bench b;
  static gb_session s[CLIENTS], small;
  gb_bytes said = {0};
  int closed = 0;
  set_up(&b);
  gb_session_start(&small, &b.service, true);
  for (int i = 0; i < CLIENTS; i++) {
    gb_session_start(&s[i], &b.service, true);
    gb_session_take(&s[i], part, sizeof part);
    (void)gb_session_work(&s[i], NOW, GB_ITERATION_COST);
    closed += s[i].closing;
    if (s[i].closing)
      gb_session_end(&s[i]);
    cr_assert_leq(b.service.held, b.service.held_most);
  }
  cr_assert(closed > 5 && closed < CLIENTS - 5, "%d", closed);
  take_vector(&small, "10_host_test_req");
  settle(&small, &said);
  cr_assert_eq(said.size, 160);
  for (int i = 0; i < CLIENTS; i++)
    if (!s[i].closing)
      gb_session_end(&s[i]);
  gb_session_end(&small);
  gb_bytes_release(&said);
  tear_down(&b);
}

/* Names of one letter, each of which takes several times its length to be found again. */
Test(serve_patience, subscriptions_have_a_bound) {
  enum { CLIENTS = 80, NAMES = 20000 };
  static char names[2 * NAMES + 3];
  static gb_session s[CLIENTS];
  int closed = 0;
  bench b;
  for (int i = 0; i < NAMES; i++)
    memcpy(names + 2 * i, "a\t", 2);
  set_up(&b);
  for (int i = 0; i < CLIENTS; i++) {
    gb_bytes said = {0};
    gb_session_start(&s[i], &b.service, true);
    take_text(&s[i], GB_NWS_AUTOFETCH_BEGIN, names);
    settle(&s[i], &said);
    cr_assert_geq(s[i].held, s[i].closing ? 0 : NAMES * sizeof(gb_view));
    closed += s[i].closing;
    if (s[i].closing)
      gb_session_end(&s[i]);
    cr_assert_leq(b.service.held, b.service.held_most);
    gb_bytes_release(&said);
  }
  cr_assert(closed > 5 && closed < CLIENTS - 5, "%d", closed);
  for (int i = 0; i < CLIENTS; i++)
    if (!s[i].closing)
      gb_session_end(&s[i]);
  tear_down(&b);
}

/* More names than a subscription may have leave the one that there is. */
Test(serve_patience, subscriptions_have_so_many_names) {
  enum { NAMES = 20000 };
  static char names[2 * NAMES + 3];
  bench b;
  gb_session s;
  for (int i = 0; i <= NAMES; i++)
    memcpy(names + 2 * i, "a\t", 2);
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  names[(size_t)2 * NAMES] = '\0';
  take_text(&s, GB_NWS_AUTOFETCH_BEGIN, names);
  check_number(&s, GB_NWS_AUTOFETCH_ACK);
  names[(size_t)2 * NAMES] = 'a';
  take_text(&s, GB_NWS_AUTOFETCH_BEGIN, names);
  check_number(&s, GB_NWS_MEMORY_FAILED);
  cr_assert_eq(s.subscription.count, NAMES);
  gb_session_end(&s);
  tear_down(&b);
}

/* Many clients that ask for everything at once: each waits until there is room, and gets it. */
Test(serve_patience, everything_for_everybody) {
  enum { CLIENTS = 60, OBJECTS = 1000 };
  static gb_session s[CLIENTS];
  size_t want = 0, got[CLIENTS] = {0}, most = 0;
  int left = CLIENTS, turns = 0;
  bench b;
  set_up(&b);
  for (int i = 0; i < OBJECTS; i++) {
    char object[256];
    (void)snprintf(object, sizeof object, "name:n%0200d\t\t", i);
    cr_assert(gb_store_register(&b.store, gb_view_of(object), 0, NOW));
  }
  want = 12 + b.service.own.length + b.store.registry.bytes + 1;
  b.service.held_most = 10 * b.store.registry.bytes;
  for (int i = 0; i < CLIENTS; i++) {
    gb_session_start(&s[i], &b.service, false);
    take_text(&s[i], GB_NWS_NS_SEARCH, "(name=*)");
  }
  for (; left > 0 && turns < 10000; turns++) {
    for (int i = 0; i < CLIENTS; i++)
      (void)gb_session_work(&s[i], NOW, GB_ITERATION_COST);
    most = b.service.held > most ? b.service.held : most;
    for (int i = 0; i < CLIENTS; i++) {
      size_t size = gb_session_output(&s[i]).length, part = size < 50000 ? size : 50000;
      cr_assert_not(s[i].closing);
      if (part > 0)
        gb_session_sent(&s[i], part);
      left -= got[i] < want && got[i] + part >= want;
      got[i] += part;
    }
  }
  cr_assert_leq(most, b.service.held_most);
  cr_assert_geq(most, b.service.held_most / 3, "several at a time");
  for (int i = 0; i < CLIENTS; i++) {
    cr_assert_eq(got[i], want);
    gb_session_end(&s[i]);
  }
  tear_down(&b);
}
