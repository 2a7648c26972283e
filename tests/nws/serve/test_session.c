/* Conversations with gbcast-nws serve, without sockets: what comes back for what bytes, however they arrive.
 */
#include "tests/nws/serve/bench.h"

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
    gb_batch batch = {gb_view_of(series), {NOW, times[i], 315360000}, 32, 1, record};
    cr_assert(gb_store_put(&b.store, &batch, NOW));
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
      m.text = gb_view_of(filters[xorshift(seed, 6)]);
      if (m.number == GB_NWS_NS_REGISTER) {
        m.registration.object = gb_view_of(xorshift(seed, 9) == 0 ? "nonsense" : c.object);
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
        m.text = gb_view_of(c.id);
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
    gb_view all = {(const char *)said[0].data, said[0].size};
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
