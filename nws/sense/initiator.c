/* The end that measures. Each time is taken from right before the first byte is sent until the answer has
 * arrived; neither includes connecting. */
#include "nws/sense/experiment.h"

#include <math.h>
#include <string.h>

static const unsigned char zeros[16384]; /* what a burst is made of */

static void finish(gb_initiator *i, bool good) {
  i->state = good ? GB_INITIATOR_DONE : GB_INITIATOR_FAILED;
  i->handler.over = true;
}

static void enter(gb_initiator *i, enum gb_initiator_state state) {
  i->state = state;
  i->done = 0;
}

static void begin(gb_initiator *i, double now) {
  i->began = now;
  i->end = now + GB_EXPERIMENT_TIMED;
  i->handler.deadline = i->end;
}

static size_t output(gb_handler *self, double now, const unsigned char **bytes) {
  gb_initiator *i = (gb_initiator *)self;
  i->handler.deadline = i->end; /* that of connecting has passed */
  switch (i->state) {
  case GB_INITIATOR_ASK:
    *bytes = i->buffer + i->done;
    return (size_t)(GB_EXPERIMENT_ASK_BYTES - i->done);
  case GB_INITIATOR_BYTE:
    *bytes = zeros;
    begin(i, now);
    return 1;
  case GB_INITIATOR_BURST: {
    uint64_t left = gb_experiment_burst(&i->sizes) - i->done;
    uint64_t most = i->sizes.message < sizeof zeros ? i->sizes.message : sizeof zeros;
    *bytes = zeros;
    if (i->done == 0)
      begin(i, now);
    return (size_t)(left < most ? left : most);
  }
  default:
    return 0;
  }
}

static void sent(gb_handler *self, size_t size, double now) {
  gb_initiator *i = (gb_initiator *)self;
  (void)now;
  i->done += size;
  if (i->state == GB_INITIATOR_ASK && i->done == GB_EXPERIMENT_ASK_BYTES)
    enter(i, GB_INITIATOR_ANSWER);
  else if (i->state == GB_INITIATOR_BYTE)
    enter(i, GB_INITIATOR_ECHO);
  else if (i->state == GB_INITIATOR_BURST && i->done == gb_experiment_burst(&i->sizes))
    enter(i, GB_INITIATOR_CLOSE);
}

static void read_answer(gb_initiator *i) {
  gb_reader in = {i->buffer, GB_EXPERIMENT_ANSWER_BYTES, false};
  (void)gb_get_u32(&in); /* the version means nothing */
  uint32_t number = gb_get_u32(&in), size = gb_get_u32(&in);
  (void)gb_get_u32(&in); /* the address: always that of this connection */
  i->port = gb_get_u16(&in);
  if (number != GB_NWS_TCP_HANDSHAKE || size != 6)
    finish(i, false);
  else
    enter(i, i->port == 0 ? GB_INITIATOR_BYTE : GB_INITIATOR_REDIAL);
  if (i->state == GB_INITIATOR_REDIAL)
    i->handler.over = true;
}

static void received(gb_handler *self, const unsigned char *bytes, size_t size, double now) {
  gb_initiator *i = (gb_initiator *)self;
  if (i->state == GB_INITIATOR_ANSWER && size <= GB_EXPERIMENT_ANSWER_BYTES - i->done) {
    memcpy(i->buffer + i->done, bytes, size);
    i->done += size;
    if (i->done == GB_EXPERIMENT_ANSWER_BYTES)
      read_answer(i);
  } else if (i->state == GB_INITIATOR_ECHO && size == 1) {
    i->round_trip = (now - i->began) * 1e3;
    enter(i, GB_INITIATOR_BURST);
  } else {
    finish(i, false); /* more than was asked for */
  }
}

static void closed(gb_handler *self, bool clean, double now) {
  gb_initiator *i = (gb_initiator *)self;
  bool whole = i->state == GB_INITIATOR_CLOSE, begun = i->state == GB_INITIATOR_BURST && i->done > 0;
  bool late = (whole || begun) && !clean && now >= i->end;
  double elapsed = late ? GB_EXPERIMENT_TIMED : now - i->began;
  bool good = ((clean && whole) || late) && elapsed > 0;
  if (good)
    i->bandwidth = i->sizes.size * 8.0 / elapsed / 1e6;
  finish(i, good);
}

static const gb_handler_calls calls = {output, sent, received, closed};

void gb_initiator_start(gb_initiator *i, const gb_experiment *sizes, double now) {
  *i = (gb_initiator){.handler = {.calls = &calls, .deadline = now + GB_EXPERIMENT_CONNECT},
                      .sizes = *sizes,
                      .end = now + GB_EXPERIMENT_ANSWER};
  const uint32_t words[] = {GB_NWS_VERSION, GB_NWS_TCP_BW_REQ, 12,
                            sizes->size,    sizes->buffer,     sizes->message};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    gb_set_u32(i->buffer + 4 * w, words[w]);
}

void gb_initiator_redialled(gb_initiator *i, double now) {
  enter(i, GB_INITIATOR_BYTE);
  i->handler.over = false;
  i->handler.deadline = fmin(i->end, now + GB_EXPERIMENT_CONNECT);
}
