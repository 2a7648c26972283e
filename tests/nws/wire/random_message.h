/* Messages of all numbers with anything in them that their bytes can carry. */
#ifndef GB_TESTS_NWS_WIRE_RANDOM_MESSAGE_H
#define GB_TESTS_NWS_WIRE_RANDOM_MESSAGE_H

#include "nws/wire/message.h"

#include "tests/support/xorshift.h"

#define RANDOM_TEXT 1024u

typedef struct random_message { /* a random message and the bytes that its texts point to */
  gb_nws_message message;
  char texts[4][RANDOM_TEXT];
} random_message;

static const uint32_t random_numbers[] = {100, 101, 102, 103, 104, 105, 106, 107, 199, 200, 201, 202, 203,
                                          204, 205, 206, 207, 298, 299, 411, 500, 501, 502, 503, 504, 599,
                                          600, 601, 602, 603, 699, 700, 701, 702, 703, 704, 705, 799, 800};

static inline void fill_field(uint64_t *seed, char *field, size_t width) {
  size_t length = xorshift(seed, (uint32_t)width);
  for (size_t i = 0; i < width; i++)
    field[i] = (char)(i < length ? 1 + xorshift(seed, 255) : 0);
}

static inline gb_view fill_text(uint64_t *seed, char *at, uint32_t length, bool nul_too) {
  for (uint32_t i = 0; i < length; i++)
    at[i] = (char)(nul_too ? xorshift(seed, 256) : 1 + xorshift(seed, 255));
  return (gb_view){at, length};
}

static inline double any_double(uint64_t *seed) {
  uint64_t bits = (uint64_t)xorshift(seed, UINT32_MAX) << 32 | xorshift(seed, UINT32_MAX);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void fill_state(uint64_t *seed, random_message *m) {
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

static inline void fill_forecasting(uint64_t *seed, random_message *m) {
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

static inline void random_message_fill(uint64_t *seed, random_message *m) {
  gb_nws_message *n = &m->message;
  *m = (random_message){.message.number =
                            random_numbers[xorshift(seed, sizeof random_numbers / sizeof *random_numbers)]};
  gb_view text[4];
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

#endif
