#include "nws/sense/message_codec.h"

static size_t output(gb_handler *self, double now, const unsigned char **bytes) {
  const gb_message_codec *m = (const gb_message_codec *)self;
  (void)now;
  if (m->out.failed || m->out.size == 0)
    return 0;
  *bytes = m->out.data + m->sent;
  return m->out.size - m->sent;
}

static void sent(gb_handler *self, size_t size, double now) {
  gb_message_codec *m = (gb_message_codec *)self;
  (void)now;
  m->sent += size;
  if (m->sent < m->out.size)
    return;
  gb_bytes_clear(&m->out);
  m->sent = 0;
  m->handler.over = m->last;
}

static void received(gb_handler *self, const unsigned char *bytes, size_t size, double now) {
  gb_message_codec *m = (gb_message_codec *)self;
  size_t at = 0, whole = 0;
  (void)now;
  gb_put(&m->in, bytes, size);
  while (!m->in.failed && !m->handler.over && !m->last && !m->paused) {
    enum gb_nws_framing framing = gb_nws_frame(m->in.data + at, m->in.size - at, m->most, &whole);
    if (framing == GB_NWS_TOO_LONG)
      m->handler.over = true;
    if (framing != GB_NWS_WHOLE)
      break;
    m->on_message(m->context, m->in.data + at, whole);
    at += whole;
  }
  if (m->in.failed || m->out.failed || m->in.size - at > m->most || m->out.size > m->most)
    m->handler.over = true;
  gb_bytes_drop_front(&m->in, at);
}

static void closed(gb_handler *self, bool clean, double now) {
  gb_message_codec *m = (gb_message_codec *)self;
  (void)clean;
  (void)now;
  m->handler.over = true;
}

static const gb_handler_calls calls = {output, sent, received, closed};

void gb_message_codec_start(gb_message_codec *m, size_t most, gb_message_received *on_message, void *context,
                            double deadline) {
  *m = (gb_message_codec){.handler = {.calls = &calls, .deadline = deadline},
                          .most = most,
                          .on_message = on_message,
                          .context = context};
}

void gb_message_codec_release(gb_message_codec *m) {
  gb_bytes_release(&m->in);
  gb_bytes_release(&m->out);
}

void gb_message_codec_send(gb_message_codec *m, uint32_t number) {
  gb_nws_encode(&m->out, &(gb_nws_message){.number = number});
}
