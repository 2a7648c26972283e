/* A name server and a memory without sockets, and how to talk to them. */
#ifndef GB_TESTS_NWS_SERVE_BENCH_H
#define GB_TESTS_NWS_SERVE_BENCH_H

#include "nws/serve/session.h"
#include "nws/wire/object.h"
#include "tests/support/nws/naive_store.h"
#include "tests/support/nws/vectors.h"

#include <unistd.h>

#define NOW 1795300000.0

typedef struct bench {
  char path[32];
  gb_store store;
  gb_service service;
} bench;

static inline void set_up(bench *b) {
  static const gb_store_limits limits = {.objects = 20000,
                                         .object_bytes = 1 << 22,
                                         .series = 100,
                                         .series_bytes = 1 << 24,
                                         .ring = 2000,
                                         .log_floor = 1 << 24};
  gbcast_error err = {""};
  *b = (bench){.path = "/tmp/gbcast-nws.XXXXXX"};
  cr_assert_not_null(mkdtemp(b->path));
  cr_assert_eq(gb_store_open(&b->store, b->path, &limits, NOW, stderr, &err), GBCAST_OK, "%s", err.message);
  b->service = (gb_service){.store = &b->store,
                            .name_server = "vm:8090",
                            .memory = "vm:8050",
                            .own = gb_view_of("name:vm:8050\tobjectclass:nwsHost\thostType:memory\t\t"),
                            .held_most = 1 << 24};
}

static inline void tear_down(bench *b) {
  char name[64];
  cr_assert_eq(b->service.held, 0);
  cr_assert(LIST_EMPTY(&b->service.subscribers));
  gb_store_close(&b->store);
  static const char *const files[] = {"lock", "00000001.log"};
  for (int i = 0; i < 2; i++) {
    (void)snprintf(name, sizeof name, "%s/%s", b->path, files[i]);
    cr_assert_eq(unlink(name), 0);
  }
  cr_assert_eq(rmdir(b->path), 0);
}

/* Lets the session work, and takes what it says. */
static inline void settle(gb_session *s, gb_bytes *said) {
  do {
    (void)gb_session_work(s, NOW, GB_ITERATION_COST);
    gb_view out = gb_session_output(s);
    gb_put(said, out.at, out.length);
    gb_session_sent(s, out.length);
  } while (gb_session_has_work(s));
}

static inline void check_said(gb_session *s, const char *reply) {
  unsigned char want[NWS_VECTOR_MOST];
  size_t size = nws_vector_read(reply, want);
  gb_bytes said = {0};
  settle(s, &said);
  cr_assert_not(s->closing, "%s", reply);
  cr_assert_eq(said.size, size, "%s: %zu bytes", reply, said.size);
  cr_assert_eq(memcmp(said.data, want, size), 0, "%s", reply);
  gb_bytes_release(&said);
}

static inline void take_vector(gb_session *s, const char *request) {
  unsigned char bytes[NWS_VECTOR_MOST];
  gb_session_take(s, bytes, nws_vector_read(request, bytes));
}

static inline void take(gb_session *s, const gb_nws_message *m) {
  gb_bytes bytes = {0};
  gb_nws_encode(&bytes, m);
  cr_assert_not(bytes.failed);
  gb_session_take(s, bytes.data, bytes.size);
  gb_bytes_release(&bytes);
}

static inline void take_store(gb_session *s, const char *id, double time) {
  char record[40];
  (void)snprintf(record, sizeof record, "%11.0f %20.5f", time, 15.5);
  gb_nws_message m = {
      .number = GB_NWS_STORE_STATE,
      .state = {.record_size = 32, .record_count = 1, .sequence = time, .time_out = 315360000}};
  (void)snprintf(m.state.id, sizeof m.state.id, "%s", id);
  m.state.records = (gb_view){record, 32};
  take(s, &m);
}

static inline void take_text(gb_session *s, uint32_t number, const char *text) {
  take(s, &(gb_nws_message){.number = number, .text = gb_view_of(text)});
}

/* The next message of what was said; NULL at the end. */
static inline bool next_said(gb_view *said, gb_nws_message *m) {
  size_t size;
  if (said->length == 0)
    return false;
  cr_assert_eq(gb_nws_frame((const unsigned char *)said->at, said->length, SIZE_MAX, &size), GB_NWS_WHOLE);
  cr_assert(gb_nws_decode((const unsigned char *)said->at, size, m));
  *said = (gb_view){said->at + size, said->length - size};
  return true;
}

static inline void check_number(gb_session *s, uint32_t number) {
  gb_bytes bytes = {0};
  gb_nws_message m;
  settle(s, &bytes);
  gb_view said = gb_bytes_view(&bytes);
  cr_assert(next_said(&said, &m));
  cr_assert_eq(m.number, number, "%u", (unsigned)m.number);
  cr_assert_eq(said.length, 0);
  gb_bytes_release(&bytes);
}

#endif
