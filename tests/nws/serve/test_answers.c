/* What gbcast-nws serve answers: registrations, searches that take many turns, autofetch. */
#include "tests/nws/serve/bench.h"

Test(serve_answers, registrations) {
  bench b;
  gb_session s;
  set_up(&b);
  gb_session_start(&s, &b.service, false);
  static const struct {
    const char *object;
    uint32_t reply;
  } cases[] = {{"name:x\ta:1\t\t", GB_NWS_NS_REGISTERED},
               {"name:x\ta:1", GB_NWS_NS_REGISTERED}, /* the same one: ended here */
               {"name:x\ta:1\t\t\t", GB_NWS_NS_REGISTERED},
               {"name:x\t\tname:y\t\t", GB_NWS_NS_FAILED},
               {"a:1\t\t", GB_NWS_NS_FAILED},
               {"", GB_NWS_NS_FAILED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    take(&s,
         &(gb_nws_message){.number = GB_NWS_NS_REGISTER, .registration = {gb_view_of(cases[i].object), 9}});
    check_number(&s, cases[i].reply);
  }
  cr_assert_eq(b.store.registry.index.count, 1);
  take_text(&s, GB_NWS_NS_UNREGISTER, "(objectclass=*)"); /* the memory's own object stays */
  check_number(&s, GB_NWS_NS_UNREGISTERED);
  gb_bytes bytes = {0};
  gb_nws_message m;
  take_text(&s, GB_NWS_NS_SEARCH, "(hostType=memory)");
  settle(&s, &bytes);
  gb_view said = gb_bytes_view(&bytes);
  cr_assert(next_said(&said, &m));
  cr_assert(gb_view_is(m.text, b.service.own.at));
  gb_bytes_release(&bytes);
  gb_session_end(&s);
  tear_down(&b);
}

Test(serve_answers, autofetch) {
  bench b;
  gb_session writer, reader, other;
  gb_bytes said = {0};
  gb_nws_message m;
  set_up(&b);
  gb_session_start(&writer, &b.service, true);
  gb_session_start(&reader, &b.service, true);
  gb_session_start(&other, &b.service, true);
  take_text(&reader, GB_NWS_AUTOFETCH_BEGIN, "zz\tab\tab\t\tc");
  check_number(&reader, GB_NWS_AUTOFETCH_ACK);
  take_text(&other, GB_NWS_AUTOFETCH_BEGIN, "a");
  check_number(&other, GB_NWS_AUTOFETCH_ACK);
  static const char *const ids[] = {"ab", "a", "abc", "b", "c", "z", "zz", ""};
  for (int i = 0; i < 8; i++) {
    take_store(&writer, ids[i], NOW - 10 + i);
    check_number(&writer, *ids[i] != '\0' ? GB_NWS_STATE_STORED : GB_NWS_MEMORY_FAILED);
  }
  take_store(&writer, "c", NOW - 50); /* an earlier time: pushed with the number that a fetch would give */
  check_number(&writer, GB_NWS_STATE_STORED);
  settle(&reader, &said);
  gb_view all = gb_bytes_view(&said);
  static const struct {
    const char *id;
    double sequence;
  } want[] = {{"ab", NOW - 10}, {"c", NOW - 6}, {"zz", NOW - 4}, {"c", NOW - 6}};
  for (int i = 0; i < 4; i++) {
    cr_assert(next_said(&all, &m));
    cr_assert_eq(m.number, GB_NWS_STATE_FETCHED);
    cr_assert_str_eq(m.state.id, want[i].id);
    cr_assert_eq(m.state.record_count, 1);
    cr_assert(i < 3 ? m.state.sequence == want[i].sequence : m.state.sequence > want[i].sequence);
  }
  cr_assert_eq(all.length, 0);
  take_text(&reader, GB_NWS_AUTOFETCH_BEGIN, "");
  check_number(&reader, GB_NWS_AUTOFETCH_ACK);
  take_store(&writer, "ab", NOW);
  check_number(&writer, GB_NWS_STATE_STORED);
  cr_assert_eq(gb_session_output(&reader).length, 0);
  check_number(&other, GB_NWS_STATE_FETCHED);
  for (int i = 0; i < 10000 && !other.closing; i++) { /* it takes nothing */
    take_store(&writer, "a", NOW);
    check_number(&writer, GB_NWS_STATE_STORED);
  }
  cr_assert(other.closing);
  cr_assert_leq(gb_session_output(&other).length, GB_SESSION_PUSH_MOST + 1000);
  gb_session_end(&other);
  gb_session_end(&reader);
  gb_session_end(&writer);
  gb_bytes_release(&said);
  tear_down(&b);
}

/* A search among many objects with a long filter takes many turns, in which others are answered. */
Test(serve_answers, searches_in_turns, .timeout = 60) {
  enum { OBJECTS = 4000 };
  static char filter[6000];
  bench b;
  gb_session slow, quick;
  gb_bytes bytes = {0};
  gb_nws_message m;
  set_up(&b);
  for (int i = 0; i < OBJECTS; i++) {
    char object[64];
    (void)snprintf(object, sizeof object, "name:n%d\tkind:series\t\t", i);
    cr_assert(gb_store_register(&b.store, gb_view_of(object), 0, NOW));
  }
  size_t length = 0;
  filter[length++] = '|';
  for (int i = 0; i < 500; i++)
    length += (size_t)snprintf(filter + length, sizeof filter - length, "(name=x%d)", i % 100);
  (void)snprintf(filter + length, sizeof filter - length, "(kind=ser*)");
  gb_session_start(&slow, &b.service, false);
  gb_session_start(&quick, &b.service, false);
  for (int unregister = 0; unregister < 2; unregister++) {
    int turns = 0;
    take_text(&slow, unregister ? GB_NWS_NS_UNREGISTER : GB_NWS_NS_SEARCH, filter);
    take_text(&slow, GB_NWS_NS_SEARCH, "(name=n777)"); /* pipelined: answered afterwards */
    for (; gb_session_has_work(&slow); turns++) {
      (void)gb_session_work(&slow, NOW, GB_ITERATION_COST);
      take_text(&quick, GB_NWS_HOST_TEST, "");
      check_number(&quick, GB_NWS_HOST_TEST_RESULT);
    }
    cr_assert_gt(turns, 10, "%d", turns);
    settle(&slow, &bytes);
    gb_view said = gb_bytes_view(&bytes), object;
    cr_assert(next_said(&said, &m));
    cr_assert_eq(m.number, unregister ? GB_NWS_NS_UNREGISTERED : GB_NWS_NS_SEARCHED);
    int found = 0;
    while (!unregister && gb_object_next(&m.text, &object))
      found++;
    cr_assert_eq(found, unregister ? 0 : OBJECTS);
    cr_assert(next_said(&said, &m));
    cr_assert_eq(m.number, GB_NWS_NS_SEARCHED);
    cr_assert(gb_view_is(m.text, unregister ? "" : "name:n777\tkind:series\t\t"));
    gb_bytes_clear(&bytes);
  }
  cr_assert_eq(b.store.registry.index.count, 0);
  gb_bytes_release(&bytes);
  gb_session_end(&quick);
  gb_session_end(&slow);
  tear_down(&b);
}

/* Objects come and go while a search pauses in the middle of its filter, also the one that it was looking at.
 */
Test(serve_answers, objects_leave_during_a_search) {
  enum { OBJECTS = 200 };
  bench b;
  gb_session s;
  gb_bytes bytes = {0};
  gb_nws_message m;
  uint64_t seed = 9;
  bool gone[OBJECTS] = {false}, looked_at[OBJECTS] = {false};
  char object[OBJECTS][32];
  set_up(&b);
  for (int i = 0; i < OBJECTS; i++) {
    (void)snprintf(object[i], sizeof object[i], "name:n%d\tk:%d\t\t", i, i % 3 > 0);
    cr_assert(gb_store_register(&b.store, gb_view_of(object[i]), 0, NOW));
  }
  gb_session_start(&s, &b.service, false);
  take_text(&s, GB_NWS_NS_SEARCH, "(|(k=1)(a=1)(b=2)(c=3))");
  while (gb_session_has_work(&s)) {
    (void)gb_session_work(&s, NOW, 1);
    uint32_t i = xorshift(&seed, 3) == 0 ? (uint32_t)s.search.next - 1 : xorshift(&seed, OBJECTS);
    if (i >= OBJECTS || gone[i] || xorshift(&seed, 4) > 0)
      continue;
    uint64_t number = gb_nws_registry_number(&b.store.registry, gb_view_of(object[i]), NOW);
    gone[i] = true;
    looked_at[i] = number < s.search.next;
    const gb_registered *r = gb_nws_registry_from(&b.store.registry, number, NOW);
    cr_assert(gb_store_unregister(&b.store, r));
  }
  settle(&s, &bytes);
  gb_view said = gb_bytes_view(&bytes), found;
  cr_assert(next_said(&said, &m));
  int left = 0;
  for (int i = 0; i < OBJECTS; i++) {
    left += !gone[i];
    if (i % 3 == 0 || (gone[i] && !looked_at[i]))
      continue;
    cr_assert(gb_object_next(&m.text, &found));
    cr_assert(gb_view_is(found, object[i]), "%.*s, not %s", (int)found.length, found.at, object[i]);
  }
  cr_assert_eq(m.text.length, 0);
  cr_assert(left > 20 && left < OBJECTS - 20, "%d", left);
  gb_bytes_release(&bytes);
  gb_session_end(&s);
  tear_down(&b);
}

/* A store of more records than a series has: the newest are kept. */
Test(serve_answers, a_store_of_too_many_records) {
  enum { RING = 2000, RECORDS = 5000 };
  static char records[RECORDS * 5];
  bench b;
  gb_session s;
  gb_bytes bytes = {0};
  gb_nws_message store = {.number = GB_NWS_STORE_STATE,
                          .state = {.id = "a", .record_size = 4, .time_out = 1e9}},
                 fetch = {.number = GB_NWS_FETCH_STATE, .state = {.id = "a", .record_count = RECORDS}}, m;
  for (size_t i = 0; i < RECORDS; i++)
    (void)snprintf(records + 4 * i, 5, "%04zu", i);
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  store.state.record_count = RECORDS;
  store.state.records = (gb_view){records, (size_t)4 * RECORDS};
  take(&s, &store);
  check_number(&s, GB_NWS_STATE_STORED);
  cr_assert_leq(b.store.log.size, 1.1 * RING * (4 + GB_LOG_ENTRY_TIMES), "the log has no others either");
  take(&s, &fetch);
  settle(&s, &bytes);
  gb_view said = gb_bytes_view(&bytes);
  cr_assert(next_said(&said, &m));
  cr_assert_eq(m.state.record_count, RING);
  for (size_t i = 0; i < RING; i++) /* newest first */
    cr_assert_eq(memcmp(m.state.records.at + 4 * i, records + 4 * (RECORDS - 1 - i), 4), 0);
  gb_bytes_release(&bytes);
  gb_session_end(&s);
  tear_down(&b);
}
