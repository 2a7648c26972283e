/* Messages through their bytes and back: random ones in random pieces, and what must be refused. */
#include "nws/message.h"

#include "xorshift.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 1024u

typedef struct made { /* a random message and the bytes that its texts point to */
  gb_nws_message message;
  char texts[4][ROOM];
} made;

static const uint32_t numbers[] = {100, 101, 102, 103, 104, 105, 106, 107, 199, 200, 201, 202, 203,
                                   204, 205, 206, 207, 298, 299, 411, 500, 501, 502, 503, 504, 599,
                                   600, 601, 602, 603, 699, 700, 701, 702, 703, 704, 705, 799, 800};

static void fill_field(uint64_t *seed, char *field, size_t width) {
  size_t length = xorshift(seed, (uint32_t)width);
  for (size_t i = 0; i < width; i++)
    field[i] = (char)(i < length ? 1 + xorshift(seed, 255) : 0);
}

static gb_text fill_text(uint64_t *seed, char *at, uint32_t length, bool nul_too) {
  for (uint32_t i = 0; i < length; i++)
    at[i] = (char)(nul_too ? xorshift(seed, 256) : 1 + xorshift(seed, 255));
  return (gb_text){at, length};
}

static double any_double(uint64_t *seed) {
  uint64_t bits = (uint64_t)xorshift(seed, UINT32_MAX) << 32 | xorshift(seed, UINT32_MAX);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void fill_state(uint64_t *seed, made *m) {
  gb_nws_state *s = &m->message.state;
  bool query = m->message.number == GB_NWS_FETCH_STATE;
  fill_field(seed, s->id, sizeof s->id);
  s->record_count = xorshift(seed, query ? UINT32_MAX : 11);
  s->record_size = query ? xorshift(seed, UINT32_MAX) : 1 + xorshift(seed, 100);
  s->sequence = any_double(seed);
  s->time_out = any_double(seed);
  if (!query)
    s->records = fill_text(seed, m->texts[0], s->record_size * s->record_count, true);
}

static void fill_forecasting(uint64_t *seed, made *m) {
  gb_nws_message *n = &m->message;
  uint32_t count = xorshift(seed, 10);
  if (n->number == GB_NWS_FORE_FORECAST) {
    fill_field(seed, n->forecast.name, sizeof n->forecast.name);
    n->forecast.count = count;
    n->forecast.pairs = fill_text(seed, m->texts[0], count * GB_NWS_FORECAST_PAIR_BYTES, true);
  } else if (n->number == GB_NWS_FORE_DATA) {
    n->data.more_to_come = xorshift(seed, 2);
    n->data.at_most = xorshift(seed, UINT32_MAX);
    fill_field(seed, n->data.forecast_name, sizeof n->data.forecast_name);
    n->data.count = count;
    n->data.measurements = fill_text(seed, m->texts[0], count * GB_NWS_MEASUREMENT_BYTES, true);
  } else {
    n->series.more_to_come = xorshift(seed, 2);
    n->series.at_most = xorshift(seed, UINT32_MAX);
    fill_field(seed, n->series.forecast_name, sizeof n->series.forecast_name);
    fill_field(seed, n->series.memory, sizeof n->series.memory);
    fill_field(seed, n->series.series, sizeof n->series.series);
  }
}

static void fill(uint64_t *seed, made *m) {
  gb_nws_message *n = &m->message;
  *m = (made){.message.number = numbers[xorshift(seed, sizeof numbers / sizeof *numbers)]};
  gb_text text[4];
  switch (n->number) {
  case GB_NWS_STORE_STATE:
  case GB_NWS_FETCH_STATE:
  case GB_NWS_STATE_FETCHED:
    fill_state(seed, m);
    break;
  case GB_NWS_FORE_DATA:
  case GB_NWS_FORE_FORECAST:
  case GB_NWS_FORE_SERIES:
    fill_forecasting(seed, m);
    break;
  case GB_NWS_HOST_TEST_RESULT:
    fill_field(seed, n->host.name, sizeof n->host.name);
    n->host.type = xorshift(seed, UINT32_MAX);
    fill_field(seed, n->host.name_server, sizeof n->host.name_server);
    n->host.healthy = xorshift(seed, 2);
    break;
  case GB_NWS_TCP_HANDSHAKE:
    n->handshake.address = xorshift(seed, UINT32_MAX);
    n->handshake.port = (uint16_t)xorshift(seed, 65536);
    break;
  case GB_NWS_TCP_BW_REQ:
    n->experiment.experiment = xorshift(seed, UINT32_MAX);
    n->experiment.buffer = xorshift(seed, UINT32_MAX);
    n->experiment.message = xorshift(seed, UINT32_MAX);
    break;
  default: /* these read only what is theirs */
    for (unsigned i = 0; i < 4; i++)
      text[i] = fill_text(seed, m->texts[i], xorshift(seed, 300), false);
    if (n->number == GB_NWS_ACTIVITY_START) {
      n->activity.name = text[0];
      n->activity.control = text[1];
      n->activity.skill = text[2];
      n->activity.options = text[3];
    } else if (n->number == GB_NWS_NS_REGISTER) {
      n->registration.object = text[0];
      n->registration.seconds = xorshift(seed, UINT32_MAX);
    } else if (n->number == GB_NWS_MEMORY_CLEAN || n->number == GB_NWS_HOST_DIAGNOSTICS) {
      n->word = xorshift(seed, UINT32_MAX);
    } else {
      n->text = text[0];
    }
  }
}

/* Takes the whole messages off the front of what has come; each must encode to the bytes that were sent. */
static size_t take_messages(gb_bytes *came, const gb_bytes *sent, size_t *taken) {
  size_t count = 0, size = 0;
  while (gb_nws_frame(came->data, came->size, SIZE_MAX, &size) == GB_NWS_WHOLE) {
    gb_nws_message m;
    gb_bytes again = {0};
    cr_assert(gb_nws_decode(came->data, size, &m));
    gb_nws_encode(&again, &m);
    cr_assert(!again.failed && again.size == size, "%u", m.number);
    cr_assert_arr_eq(again.data, sent->data + *taken, size, "%u", m.number);
    gb_bytes_release(&again);
    *taken += size;
    came->size -= size;
    memmove(came->data, came->data + size, came->size);
    count++;
  }
  cr_assert_gt(size, came->size);
  return count;
}

Test(nws_message, random_ones_in_random_pieces) {
  uint64_t seed = 20240501;
  made *m = malloc(sizeof *m);
  cr_assert_not_null(m);
  for (unsigned round = 0; round < 300; round++) {
    gb_bytes sent = {0}, came = {0};
    unsigned count = 1 + xorshift(&seed, 8);
    for (unsigned i = 0; i < count; i++) {
      fill(&seed, m);
      gb_nws_encode(&sent, &m->message);
      cr_assert(!sent.failed, "%u", m->message.number);
    }
    uint32_t longest = round % 3 == 0 ? 1 : 1 + xorshift(&seed, 600);
    size_t taken = 0, messages = 0;
    for (size_t at = 0; at < sent.size;) {
      size_t piece = 1 + xorshift(&seed, longest);
      if (piece > sent.size - at)
        piece = sent.size - at;
      gb_put(&came, sent.data + at, piece);
      at += piece;
      messages += take_messages(&came, &sent, &taken);
    }
    cr_assert_eq(messages, count);
    cr_assert_eq(taken, sent.size);
    gb_bytes_release(&sent);
    gb_bytes_release(&came);
  }
  free(m);
}

/* Whatever a byte is changed into: the answer is a message that encodes to what decodes alike, or none. */
Test(nws_message, damaged_ones) {
  uint64_t seed = 99;
  made *m = malloc(sizeof *m);
  cr_assert_not_null(m);
  for (unsigned round = 0; round < 20000; round++) {
    gb_bytes sent = {0}, again = {0}, third = {0};
    gb_nws_message other;
    fill(&seed, m);
    gb_nws_encode(&sent, &m->message);
    for (unsigned i = 1 + xorshift(&seed, 3); i > 0; i--)
      sent.data[xorshift(&seed, (uint32_t)sent.size)] = (unsigned char)xorshift(&seed, 256);
    if (gb_nws_decode(sent.data, sent.size, &other)) {
      gb_nws_encode(&again, &other);
      cr_assert(!again.failed && gb_nws_decode(again.data, again.size, &other));
      gb_nws_encode(&third, &other);
      cr_assert(third.size == again.size && memcmp(third.data, again.data, again.size) == 0);
    }
    gb_bytes_release(&sent);
    gb_bytes_release(&again);
    gb_bytes_release(&third);
  }
  free(m);
}

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
                              .data = {true, 7, "me", 1, (gb_text){measurement, 16}}};
  has_bytes(&fore_data, data, sizeof data);
  gb_nws_message start = {.number = GB_NWS_ACTIVITY_START,
                          .activity = {gb_text_of("clq"), gb_text_of("clique"),
                                       gb_text_of("tcpMessageMonitor"),
                                       gb_text_of("member:vm:8060\tperiod:5\t")}};
  has_bytes(&start, activity, sizeof activity);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIAGNOSTICS, .word = (uint32_t)-3}, "\xff\xff\xff\xfd",
            4);
  has_bytes(&(gb_nws_message){.number = GB_NWS_MEMORY_CLEAN, .word = 0x10203}, "\0\1\2\3", 4);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIE, .text = {NULL, 0}}, "", 0);
  has_bytes(&(gb_nws_message){.number = GB_NWS_HOST_DIE, .text = gb_text_of("pw")}, "pw", 3);
  has_bytes(&(gb_nws_message){.number = GB_NWS_AUTOFETCH_BEGIN, .text = {NULL, 0}}, "", 1);
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
  cr_expect(gb_text_is(m.text, "(a=b)"));
  cr_assert(decodes(GB_NWS_NS_SEARCH, "(a=b)\0more", 11, &m));
  cr_expect(gb_text_is(m.text, "(a=b)"));
  cr_assert(decodes(GB_NWS_NS_SEARCH, "", 0, &m));
  cr_expect_eq(m.text.length, 0);
  cr_assert(decodes(GB_NWS_HOST_DIE, "", 0, &m));
  cr_expect_eq(m.text.length, 0);
  cr_assert(decodes(GB_NWS_NS_REGISTER, "a:b\t\t\0\0\0\1\1", 10, &m)); /* a NUL that does not belong there */
  cr_expect(gb_text_is(m.registration.object, "a:b\t\t"));
  cr_expect_eq(m.registration.seconds, 257);
  cr_assert(decodes(GB_NWS_ACTIVITY_START, "a\0\0c\0d", 6, &m));
  cr_expect(gb_text_is(m.activity.name, "a") && m.activity.control.length == 0);
  cr_expect(gb_text_is(m.activity.skill, "c") && gb_text_is(m.activity.options, "d"));
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
             {0x80000000, 2, 0, false}, /* products of 2^32 */
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
