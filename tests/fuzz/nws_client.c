/* A peer that sends any bytes, in pieces, and closes: each question is answered once, and the client ends up
 * as it began. The first byte of the input says what is asked, the second how long the pieces are. */
#include "fuzz.h"

#include "nws/client/request_queue.h"

#include <math.h>
#include <string.h>

enum { QUESTIONS = 3 };

static void count(void *context, const gb_nws_message *reply, const char *why) {
  must((reply == NULL) != (why == NULL));
  ++*(unsigned *)context;
}

static void pushed(void *context, const gb_nws_message *message, const char *why) {
  (void)context;
  must(message != NULL ? message->number == GB_NWS_STATE_FETCHED : why != NULL);
}

static gb_nws_message question(unsigned char kind) {
  static const uint32_t number[] = {GB_NWS_NS_SEARCH,   GB_NWS_FETCH_STATE, GB_NWS_AUTOFETCH_BEGIN,
                                    GB_NWS_HOST_TEST,   GB_NWS_FORE_SERIES, GB_NWS_STORE_STATE,
                                    GB_NWS_NS_REGISTER, GB_NWS_METHODS_ASK, GB_NWS_NS_UNREGISTER};
  gb_nws_message m = {.number = number[kind % (sizeof number / sizeof *number)]};
  if (m.number == GB_NWS_FETCH_STATE || m.number == GB_NWS_STORE_STATE)
    strcpy(m.state.id, "a.example.org:8060.latencyTcp.b.example.org:8060"); /* as in the vectors */
  else if (m.number != GB_NWS_FORE_SERIES)
    m.text = gb_view_of("name=x");
  return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gb_client c;
  unsigned answers = 0;
  const gb_nws_address to = {"peer", 1};
  if (size < 2)
    return 0;
  size_t step = data[1] > 0 ? data[1] : size;
  gb_nws_message m = question(data[0]);
  gb_client_init(&c, 5, pushed, NULL);
  for (unsigned i = 0; i < QUESTIONS; i++)
    must(gb_client_ask(&c, &to, &m, count, &answers));
  double now = 0;
  for (unsigned turn = 0; gb_client_wants(&c, now) != NULL && turn < 4 * QUESTIONS; turn++) {
    uint32_t connection = c.connection;
    gb_client_opened(&c, now);
    for (size_t at = 2; at < size && c.connection == connection && c.state == GB_CLIENT_OPEN; at += step) {
      gb_client_sent(&c, gb_client_output(&c).length);
      gb_client_came(&c, data + at, size - at < step ? size - at : step, now);
    }
    if (c.connection == connection && c.state == GB_CLIENT_OPEN)
      gb_client_closed(&c, "closed", now);
    now += 10;
  }
  must(answers == QUESTIONS && c.first == NULL && c.in.data == NULL && c.state == GB_CLIENT_IDLE);
  gb_client_forget(&c);
  return 0;
}
