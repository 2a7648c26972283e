/* The layout of messages of which no captured one is at hand, and what must be refused. */
#include "nws/wire/message.h"

#include <criterion/criterion.h>

#define ROOM 1024u

/* The bytes of messages of which no captured one is at hand; sizes are filled in here. */
static void has_bytes(const gb_nws_message *m, const char *body, size_t size) {
  unsigned char expected[ROOM] = {2,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  (unsigned char)(m->number >> 8),
                                  (unsigned char)m->number,
                                  0,
                                  0,
                                  0,
                                  (unsigned char)size};
  gb_bytes out = {0};
  memcpy(expected + GB_NWS_HEADER_BYTES, body, size);
  gb_nws_encode(&out, m);
  cr_assert(!out.failed);
  cr_assert_eq(out.size, GB_NWS_HEADER_BYTES + size, "%u", m->number);
  cr_expect_arr_eq(out.data, expected, out.size, "%u", m->number);
  gb_bytes_release(&out);
}

Test(nws_message, layouts) {
  static const char activity[] = "clq\0clique\0tcpMessageMonitor\0member:vm:8060\tperiod:5\t";
  static const char measurement[] = "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0"; /* 1 and -2 */
  char data[4 + 4 + 128 + 4 + 16] = "\0\0\0\1\0\0\0\7me";
  data[139] = 1;
  memcpy(data + 140, measurement, 16);
  gb_nws_message fore_data = {.number = GB_NWS_FORE_DATA,
                              .data = {true, 7, "me", 1, (gb_view){measurement, 16}}};
  has_bytes(&fore_data, data, sizeof data);
  gb_nws_message start = {.number = GB_NWS_ACTIVITY_START,
                          .activity = {gb_view_of("clq"), gb_view_of("clique"),
                                       gb_view_of("tcpMessageMonitor"),
                                       gb_view_of("member:vm:8060\tperiod:5\t")}};
  has_bytes(&start, activity, sizeof activity);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIAGNOSTICS, .word = (uint32_t)-3}, "\xff\xff\xff\xfd",
            4);
  has_bytes(&(gb_nws_message){.number = GB_NWS_MEMORY_CLEAN, .word = 0x10203}, "\0\1\2\3", 4);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIE, .text = {NULL, 0}}, "", 0);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIE, .text = gb_view_of("pw")}, "pw", 3);
  has_bytes(&(gb_nws_message){.number = GB_NWS_AUTOFETCH_BEGIN, .text = {NULL, 0}}, "", 1);
  has_bytes(&(gb_nws_message){.number = GB_NWS_NS_SEARCH, .text = {"a=b\0c", 5}}, "a=b", 4);
  has_bytes(&(gb_nws_message){.number = GB_NWS_NS_REGISTER, .registration = {{"a:b\0c", 5}, 258}},
            "a:b\0\0\1\2", 7);
}

static bool decodes(uint32_t number, const void *body, size_t size, gb_nws_message *m) {
  static unsigned char bytes[ROOM];
  gb_bytes out = {0};
  gb_put_u32(&out, 0x02030000); /* of the later library */
  gb_put_u32(&out, number);
  gb_put_u32(&out, (uint32_t)size);
  gb_put(&out, body, size);
  memcpy(bytes, out.data, out.size);
  size = out.size;
  gb_bytes_release(&out);
  return gb_nws_decode(bytes, size, m);
}

Test(nws_message, strings_may_end_early_or_not_at_all) {
  gb_nws_message m;
  cr_assert(decodes(GB_NWS_NS_SEARCH, "(a=b)", 5, &m));
  cr_expect(gb_view_is(m.text, "(a=b)"));
  cr_assert(decodes(GB_NWS_NS_SEARCH, "(a=b)\0more", 11, &m));
  cr_expect(gb_view_is(m.text, "(a=b)"));
  cr_assert(decodes(GB_NWS_NS_SEARCH, "", 0, &m));
  cr_expect_eq(m.text.length, 0);
  cr_assert(decodes(GB_NWS_HOST_DIE, "", 0, &m));
  cr_expect_eq(m.text.length, 0);
  cr_assert(decodes(GB_NWS_NS_REGISTER, "a:b\t\t\0\0\0\1\1", 10, &m)); /* a NUL that does not belong there */
  cr_expect(gb_view_is(m.registration.object, "a:b\t\t"));
  cr_expect_eq(m.registration.seconds, 257);
  cr_assert(decodes(GB_NWS_ACTIVITY_START, "a\0\0c\0d", 6, &m));
  cr_expect(gb_view_is(m.activity.name, "a") && m.activity.control.length == 0);
  cr_expect(gb_view_is(m.activity.skill, "c") && gb_view_is(m.activity.options, "d"));
}

Test(nws_message, some_bodies_are_ignored) {
  gb_nws_message m;
  cr_expect(decodes(GB_NWS_IPERF_ASK, "", 0, &m));
  cr_expect(decodes(GB_NWS_IPERF_ASK, "x", 1, &m));
  has_bytes(&m, "", 0);
}

Test(nws_message, contradictions_are_refused) {
  gb_nws_message m;
  gb_bytes state = {0};
  gb_put_field(&state, "id", 128);
  static const struct {
    uint32_t size, count, bytes;
    bool good;
  } row[] = {{32, 2, 64, true},         {32, 2, 63, false},        {32, 2, 65, false},
             {32, 3, 64, false},        {0, 0, 0, true},           {32, 0, 0, true},
             {0, 4, 0, false},          {0, 0xffffffff, 0, false}, {65536, 65536, 0, false},
             {0x80000000, 2, 0, false}, {0x80000001, 2, 2, false}, /* products of 2^32 */
             {0, 2, 64, false},         {1, 64, 64, true},         {64, 1, 64, true}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    state.size = 128;
    gb_put_u32(&state, row[i].size);
    gb_put_u32(&state, row[i].count);
    for (unsigned j = 0; j < 16 + row[i].bytes; j++)
      gb_put(&state, "", 1);
    cr_expect_eq(decodes(GB_NWS_STATE_FETCHED, state.data, state.size, &m), row[i].good, "row %zu", i);
    cr_expect_eq(decodes(GB_NWS_STORE_STATE, state.data, state.size, &m), row[i].good, "row %zu", i);
    cr_expect_eq(decodes(GB_NWS_FETCH_STATE, state.data, state.size, &m), row[i].bytes == 0, "row %zu", i);
  }
  gb_bytes_release(&state);
  static const char zeros[400] = "\0\0\0\2";
  cr_expect_not(decodes(GB_NWS_FORE_SERIES, zeros, 338, &m), "two series");
  cr_expect_not(decodes(GB_NWS_HOST_TEST, zeros, 1, &m));
  cr_expect_not(decodes(GB_NWS_NS_REGISTER, zeros, 3, &m));
  cr_expect_not(decodes(GB_NWS_ACTIVITY_START, "a\0b\0c", 5, &m), "three strings");
  cr_expect_not(decodes(400, zeros, 0, &m), "a clique's message");
  cr_expect_not(decodes(0, zeros, 0, &m));
  unsigned char longer[] = "\2\0\0\0\0\0\0\xc8\0\0\0\0";
  cr_expect(gb_nws_decode(longer, 12, &m));
  cr_expect_not(gb_nws_decode(longer, 13, &m), "a byte more than the header says");
}

Test(nws_message, what_cannot_be_sent_is_refused) {
  static const gb_nws_message wrong[] = {
      {.number = 12},
      {.number = GB_NWS_STORE_STATE, .state = {.record_size = 32, .record_count = 1}},
      {.number = GB_NWS_STATE_FETCHED, .state = {.record_count = 1}},
      {.number = GB_NWS_FORE_DATA, .data.count = 1},
      {.number = GB_NWS_FORE_FORECAST, .forecast.count = 1},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gb_bytes out = {0};
    gb_nws_encode(&out, &wrong[i]);
    cr_expect(out.failed, "message %zu", i);
    gb_bytes_release(&out);
  }
}

Test(nws_message, too_long_is_told_at_once) {
  static const unsigned char huge[] = "\2\0\0\0\0\0\2\xbf\xff\xff\xff\xff";
  unsigned char forecasts[144] = "\2\0\0\0\0\0\1\xf5\0\0\0\0";
  size_t size = 7;
  cr_expect_eq(gb_nws_frame(huge, 12, 1 << 20, &size), GB_NWS_TOO_LONG);
  cr_expect_eq(size, 7);
  cr_expect_eq(gb_nws_frame(huge, 11, 1 << 20, &size), GB_NWS_PART);
  cr_expect_eq(size, 12);
  cr_expect_eq(gb_nws_frame(forecasts, 143, 1 << 20, &size), GB_NWS_PART);
  cr_expect_eq(size, 144);
  cr_expect_eq(gb_nws_frame(forecasts, 144, 1 << 20, &size), GB_NWS_WHOLE);
  cr_expect_eq(size, 144);
  memset(forecasts + 140, 0xff, 4);
  cr_expect_eq(gb_nws_frame(forecasts, 144, 1 << 20, &size), GB_NWS_TOO_LONG);
  forecasts[140] = forecasts[141] = forecasts[142] = 0;
  forecasts[143] = 3;
  cr_expect_eq(gb_nws_frame(forecasts, 144, 144 + 3 * 56, &size), GB_NWS_PART);
  cr_expect_eq(size, 144 + 3 * 56);
  cr_expect_eq(gb_nws_frame(forecasts, 144, 144 + 3 * 56 - 1, &size), GB_NWS_TOO_LONG);
}
