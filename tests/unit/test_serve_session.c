/* Conversations with gbcast-nws serve, without sockets: what comes back for what bytes, however they arrive.
 */
#include "naive_depot.h"
#include "nws/object.h"
#include "nws/serve/session.h"
#include "nws_vectors.h"

#include <stdio.h>
#include <unistd.h>

#define NOW 1795300000.0

typedef struct bench {
  char path[32];
  gb_depot depot;
  gb_service service;
} bench;

static void set_up(bench *b) {
  static const gb_depot_limits limits = {.objects = 20000,
                                         .object_bytes = 1 << 22,
                                         .series = 100,
                                         .series_bytes = 1 << 24,
                                         .ring = 2000,
                                         .log_floor = 1 << 24};
  gbcast_error err = {""};
  *b = (bench){.path = "/tmp/gbcast-nws.XXXXXX"};
  cr_assert_not_null(mkdtemp(b->path));
  cr_assert_eq(gb_depot_open(&b->depot, b->path, &limits, NOW, stderr, &err), GBCAST_OK, "%s", err.message);
  b->service = (gb_service){.depot = &b->depot,
                            .name_server = "vm:8090",
                            .memory = "vm:8050",
                            .own = gb_text_of("name:vm:8050\tobjectclass:nwsHost\thostType:memory\t\t"),
                            .held_most = 1 << 24};
}

static void tear_down(bench *b) {
  char name[64];
  cr_assert_eq(b->service.held, 0);
  cr_assert_null(b->service.subscribers);
  gb_depot_close(&b->depot);
  static const char *const files[] = {"lock", "00000001.log"};
  for (int i = 0; i < 2; i++) {
    (void)snprintf(name, sizeof name, "%s/%s", b->path, files[i]);
    cr_assert_eq(unlink(name), 0);
  }
  cr_assert_eq(rmdir(b->path), 0);
}

/* Lets the session work, and takes what it says. */
static void settle(gb_session *s, gb_bytes *said) {
  do {
    s->service->spent = 0;
    gb_session_work(s, NOW);
    gb_text out = gb_session_output(s);
    gb_put(said, out.at, out.length);
    gb_session_sent(s, out.length);
  } while (gb_session_has_work(s));
}

static void check_said(gb_session *s, const char *reply) {
  unsigned char want[NWS_VECTOR_MOST];
  size_t size = nws_vector_read(reply, want);
  gb_bytes said = {0};
  settle(s, &said);
  cr_assert_not(s->closing, "%s", reply);
  cr_assert_eq(said.size, size, "%s: %zu bytes", reply, said.size);
  cr_assert_eq(memcmp(said.data, want, size), 0, "%s", reply);
  gb_bytes_release(&said);
}

static void take_vector(gb_session *s, const char *request) {
  unsigned char bytes[NWS_VECTOR_MOST];
  gb_session_take(s, bytes, nws_vector_read(request, bytes));
}

static void take(gb_session *s, const gb_nws_message *m) {
  gb_bytes bytes = {0};
  gb_nws_encode(&bytes, m);
  cr_assert_not(bytes.failed);
  gb_session_take(s, bytes.data, bytes.size);
  gb_bytes_release(&bytes);
}

static void take_store(gb_session *s, const char *id, double time) {
  char record[40];
  (void)snprintf(record, sizeof record, "%11.0f %20.5f", time, 15.5);
  gb_nws_message m = {
      .number = GB_NWS_STORE_STATE,
      .state = {.record_size = 32, .record_count = 1, .sequence = time, .time_out = 315360000}};
  (void)snprintf(m.state.id, sizeof m.state.id, "%s", id);
  m.state.records = (gb_text){record, 32};
  take(s, &m);
}

static void take_text(gb_session *s, uint32_t number, const char *text) {
  take(s, &(gb_nws_message){.number = number, .text = gb_text_of(text)});
}

/* The next message of what was said; NULL at the end. */
static bool next_said(gb_text *said, gb_nws_message *m) {
  size_t size;
  if (said->length == 0)
    return false;
  cr_assert_eq(gb_nws_frame((const unsigned char *)said->at, said->length, SIZE_MAX, &size), GB_NWS_WHOLE);
  cr_assert(gb_nws_decode((const unsigned char *)said->at, size, m));
  *said = (gb_text){said->at + size, said->length - size};
  return true;
}

static void check_number(gb_session *s, uint32_t number) {
  gb_bytes bytes = {0};
  gb_nws_message m;
  settle(s, &bytes);
  gb_text said = {(const char *)bytes.data, bytes.size};
  cr_assert(next_said(&said, &m));
  cr_assert_eq(m.number, number, "%u", (unsigned)m.number);
  cr_assert_eq(said.length, 0);
  gb_bytes_release(&bytes);
}

Test(serve_session, captured_messages) {
  static const char series[] = "a.example.org:8060.latencyTcp.b.example.org:8060";
  unsigned char object[NWS_VECTOR_MOST], unknown[NWS_VECTOR_MOST];
  bench b;
  gb_session ns, memory;
  set_up(&b);
  gb_session_start(&ns, &b.service, false);
  gb_session_start(&memory, &b.service, true);
  take_vector(&ns, "03_ns_search_req");
  check_said(&ns, "04b_ns_searched_empty_rep");
  take_vector(&ns, "01_ns_register_req");
  check_said(&ns, "02_ns_registered_rep");
  take_vector(&ns, "11_ns_register_sensor_req");
  check_said(&ns, "02_ns_registered_rep");
  size_t size = nws_vector_read("04_ns_searched_rep", object);
  take(&ns, &(gb_nws_message){.number = GB_NWS_NS_REGISTER,
                              .registration.object = {(const char *)object + 12, size - 13}});
  check_said(&ns, "02_ns_registered_rep");
  take_vector(&ns, "03_ns_search_req");
  check_said(&ns, "04_ns_searched_rep");
  take_vector(&memory, "05_store_req_sensor");
  check_said(&memory, "06_state_stored_rep");
  take_vector(&memory, "12_store_req_bw_sensor");
  check_said(&memory, "06_state_stored_rep");
  take_vector(&memory, "10_host_test_req");
  check_said(&memory, "10_host_test_result_rep");
  take_vector(&memory, "18_autofetch_begin_req");
  check_said(&memory, "19_autofetch_ack_rep");
  size = nws_vector_read("07_fetch_req", unknown);
  unknown[12] = 'x';
  gb_session_take(&memory, unknown, size);
  check_said(&memory, "09_memory_failed_rep");
  gb_session_end(&memory);

  gb_session_start(&memory, &b.service, true);
  char record[40];
  static const double times[] = {1795228110, 1795228120, 1795228130, 1795228140},
                      values[] = {1, 15, 15.25, 15.5};
  for (int i = 0; i < 4; i++) {
    (void)snprintf(record, sizeof record, "%11.0f %20.5f", times[i], values[i]);
    gb_batch batch = {gb_text_of(series), {NOW, times[i], 315360000}, 32, 1, record};
    cr_assert(gb_depot_store(&b.depot, &batch, NOW));
  }
  size = nws_vector_read("07_fetch_req", unknown);
  unknown[147] = 3;
  gb_session_take(&memory, unknown, size);
  check_said(&memory, "08a_state_fetched_newest_first_rep");
  gb_session_end(&memory);
  gb_session_end(&ns);
  tear_down(&b);
}

/* Requests of all kinds, some of them nonsense. */
static gb_bytes many_requests(uint64_t *seed, bool to_memory, int count) {
  static const char *const filters[] = {"(name=n*)", "(kind=1)", "(&(name=n1*)(!(kind=2)))",
                                        "",          "((((",     "hostType=memory"};
  gb_bytes all = {0};
  for (int i = 0; i < count; i++) {
    random_change c;
    gb_nws_message m = {.number = GB_NWS_HOST_TEST};
    make_random_change(&c, seed, NOW - 100 + i * 0.5);
    uint32_t kind = xorshift(seed, 8);
    if (kind == 0) {
      m.number = xorshift(seed, 2) == 0 ? GB_NWS_HOST_DIE : GB_NWS_HOST_REGISTER;
    } else if (kind == 1) {
      m.number = GB_NWS_HOST_DIAGNOSTICS;
    } else if (!to_memory) {
      static const uint32_t numbers[] = {GB_NWS_NS_REGISTER, GB_NWS_NS_SEARCH, GB_NWS_NS_UNREGISTER};
      m.number = numbers[xorshift(seed, 3)];
      m.text = gb_text_of(filters[xorshift(seed, 6)]);
      if (m.number == GB_NWS_NS_REGISTER) {
        m.registration.object = gb_text_of(xorshift(seed, 9) == 0 ? "nonsense" : c.object);
        m.registration.seconds = c.seconds;
      }
    } else if (kind < 7) {
      static const uint32_t numbers[] = {GB_NWS_STORE_STATE, GB_NWS_FETCH_STATE};
      m.number = numbers[xorshift(seed, 2)];
      m.state = (gb_nws_state){.record_size = c.batch.width,
                               .record_count = c.batch.count,
                               .sequence = c.last,
                               .time_out = 1e9,
                               .records = {c.records, (size_t)c.batch.width * c.batch.count}};
      m.state.id[0] = xorshift(seed, 9) == 0 ? '\0' : c.id[0];
    } else {
      m.number = xorshift(seed, 2) == 0 ? GB_NWS_AUTOFETCH_BEGIN : GB_NWS_MEMORY_CLEAN;
      if (m.number == GB_NWS_AUTOFETCH_BEGIN)
        m.text = gb_text_of(c.id);
      else
        m.word = xorshift(seed, 200);
    }
    gb_nws_encode(&all, &m);
  }
  cr_assert_not(all.failed);
  return all;
}

Test(serve_session, however_it_arrives, .timeout = 60) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t random = seed;
    bool to_memory = seed % 2 == 0;
    gb_bytes requests = many_requests(&random, to_memory, 200), said[2] = {{0}, {0}};
    for (int way = 0; way < 2; way++) {
      bench b;
      gb_session s;
      set_up(&b);
      gb_session_start(&s, &b.service, to_memory);
      for (size_t at = 0, size; at < requests.size; at += size) {
        size = way == 0 ? requests.size : 1 + xorshift(&random, seed % 3 == 0 ? 1 : 300);
        size = size > requests.size - at ? requests.size - at : size;
        gb_session_take(&s, requests.data + at, size);
        settle(&s, &said[way]);
        cr_assert_not(s.closing);
      }
      gb_session_end(&s);
      tear_down(&b);
    }
    cr_assert(said[0].size == said[1].size && memcmp(said[0].data, said[1].data, said[0].size) == 0);
    gb_text all = {(const char *)said[0].data, said[0].size};
    gb_nws_message m;
    int replies = 0;
    while (next_said(&all, &m))
      replies++;
    cr_assert_geq(replies, 200);
    gb_bytes_release(&said[0]);
    gb_bytes_release(&said[1]);
    gb_bytes_release(&requests);
  }
}

Test(serve_session, garbage, .timeout = 60) {
  bench b;
  set_up(&b);
  int closed = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    gb_bytes requests = many_requests(&random, seed % 2 == 0, 8), said = {0};
    gb_session s;
    gb_session_start(&s, &b.service, seed % 2 == 0);
    for (uint32_t flips = 1 + xorshift(&random, 8); flips > 0; flips--)
      requests.data[xorshift(&random, (uint32_t)requests.size)] = (unsigned char)xorshift(&random, 256);
    gb_session_take(&s, requests.data, requests.size);
    settle(&s, &said);
    closed += s.closing;
    gb_session_end(&s);
    gb_bytes_release(&said);
    gb_bytes_release(&requests);
  }
  cr_assert_gt(closed, 300, "%d", closed);
  tear_down(&b);
}

Test(serve_session, what_ends_it) {
  static const unsigned char whole[][12] = {
      {2, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0},          /* an unknown number */
      {2, 0, 0, 0, 0, 0, 0x02, 0xBE, 0x7F, 0xFF, 0xFF, 0}, /* a search of 2 GB */
      {2, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0, 0},              /* a reply */
      {2, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0}, /* a store without its body, or of another daemon */
  };
  bench b;
  set_up(&b);
  for (int i = 0; i < 8; i++) {
    gb_session s;
    gb_bytes said = {0};
    gb_session_start(&s, &b.service, i < 4);
    gb_session_take(&s, whole[i % 4], 12);
    settle(&s, &said);
    cr_assert(s.closing, "%d", i);
    cr_assert_eq(said.size, 0);
    cr_assert_not(gb_session_wants_input(&s));
    gb_session_end(&s);
    gb_bytes_release(&said);
  }
  tear_down(&b);
}

/* A client that asks without end and does not take the answers is not answered without end. */
Test(serve_session, answers_wait_to_be_taken) {
  bench b;
  gb_session s;
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  for (int i = 0; i < 2000; i++) {
    take_store(&s, "a", NOW - 3000 + i);
    gb_session_work(&s, NOW);
    gb_session_sent(&s, gb_session_output(&s).length);
  }
  gb_nws_message fetch = {.number = GB_NWS_FETCH_STATE, .state = {.id = "a", .record_count = 2000}};
  for (int i = 0; i < 100; i++)
    take(&s, &fetch);
  for (int i = 0; i < 100; i++)
    gb_session_work(&s, NOW);
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

Test(serve_session, autofetch) {
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
  gb_text all = {(const char *)said.data, said.size};
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
Test(serve_session, searches_in_turns, .timeout = 60) {
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
    cr_assert(gb_depot_register(&b.depot, gb_text_of(object), 0, NOW));
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
      b.service.spent = 0;
      gb_session_work(&slow, NOW);
      take_text(&quick, GB_NWS_HOST_TEST, "");
      check_number(&quick, GB_NWS_HOST_TEST_RESULT);
    }
    cr_assert_gt(turns, 10, "%d", turns);
    settle(&slow, &bytes);
    gb_text said = {(const char *)bytes.data, bytes.size}, object;
    cr_assert(next_said(&said, &m));
    cr_assert_eq(m.number, unregister ? GB_NWS_NS_UNREGISTERED : GB_NWS_NS_SEARCHED);
    int found = 0;
    while (!unregister && gb_object_next(&m.text, &object))
      found++;
    cr_assert_eq(found, unregister ? 0 : OBJECTS);
    cr_assert(next_said(&said, &m));
    cr_assert_eq(m.number, GB_NWS_NS_SEARCHED);
    cr_assert(gb_text_is(m.text, unregister ? "" : "name:n777\tkind:series\t\t"));
    gb_bytes_clear(&bytes);
  }
  cr_assert_eq(b.depot.registry.shelf.count, 0);
  gb_bytes_release(&bytes);
  gb_session_end(&quick);
  gb_session_end(&slow);
  tear_down(&b);
}

Test(serve_session, registrations) {
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
         &(gb_nws_message){.number = GB_NWS_NS_REGISTER, .registration = {gb_text_of(cases[i].object), 9}});
    check_number(&s, cases[i].reply);
  }
  cr_assert_eq(b.depot.registry.shelf.count, 1);
  take_text(&s, GB_NWS_NS_UNREGISTER, "(objectclass=*)"); /* the memory's own object stays */
  check_number(&s, GB_NWS_NS_UNREGISTERED);
  gb_bytes bytes = {0};
  gb_nws_message m;
  take_text(&s, GB_NWS_NS_SEARCH, "(hostType=memory)");
  settle(&s, &bytes);
  gb_text said = {(const char *)bytes.data, bytes.size};
  cr_assert(next_said(&said, &m));
  cr_assert(gb_text_is(m.text, b.service.own.at));
  gb_bytes_release(&bytes);
  gb_session_end(&s);
  tear_down(&b);
}

static unsigned ticks_until_late(gb_session *s, unsigned most) {
  unsigned ticks = 0;
  while (ticks < most && !gb_session_tick(s))
    ticks++;
  return ticks;
}

Test(serve_session, patience_ends) {
  bench b;
  gb_session s;
  gb_bytes said = {0};
  set_up(&b);
  gb_session_start(&s, &b.service, true);
  cr_assert_eq(ticks_until_late(&s, 100000), 100000, "to say nothing is allowed");
  gb_session_take(&s, "\2\0\0", 3);
  gb_session_work(&s, NOW);
  cr_assert_eq(ticks_until_late(&s, 1000), GB_SESSION_TICKS, "half a request is not");
  gb_session_take(&s, "\0", 1);
  gb_session_work(&s, NOW);
  cr_assert(gb_session_tick(&s), "nor a byte now and then");
  gb_session_end(&s);

  gb_session_start(&s, &b.service, true);
  take_vector(&s, "10_host_test_req");
  gb_session_work(&s, NOW);
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
Test(serve_session, buffers_have_a_bound) {
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
    gb_session_work(&s[i], NOW);
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
