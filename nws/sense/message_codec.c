#include "nws/sense/message_codec.h"

static size_t give(gb_party *self, double now, const unsigned char **bytes) {
  const gb_mail *m = (const gb_mail *)self;
  (void)now;
  if (m->out.failed || m->out.size == 0)
    return 0;
  *bytes = m->out.data + m->sent;
  return m->out.size - m->sent;
}

static void gave(gb_party *self, size_t size, double now) {
  gb_mail *m = (gb_mail *)self;
  (void)now;
  m->sent += size;
  if (m->sent < m->out.size)
    return;
  gb_bytes_clear(&m->out);
  m->sent = 0;
  m->party.over = m->last;
}

static void take(gb_party *self, const unsigned char *bytes, size_t size, double now) {
  gb_mail *m = (gb_mail *)self;
  size_t at = 0, whole = 0;
  (void)now;
  gb_put(&m->in, bytes, size);
  while (!m->in.failed && !m->party.over && !m->last && !m->paused) {
    enum gb_nws_framing framing = gb_nws_frame(m->in.data + at, m->in.size - at, m->most, &whole);
    if (framing == GB_NWS_TOO_LONG)
      m->party.over = true;
    if (framing != GB_NWS_WHOLE)
      break;
    m->came(m->context, m->in.data + at, whole);
    at += whole;
  }
  if (m->in.failed || m->out.failed || m->in.size - at > m->most || m->out.size > m->most)
    m->party.over = true;
  m->in.size -= at;
  if (at > 0 && m->in.size > 0)
    memmove(m->in.data, m->in.data + at, m->in.size);
}

static void lost(gb_party *self, bool clean, double now) {
  gb_mail *m = (gb_mail *)self;
  (void)clean;
  (void)now;
  m->party.over = true;
}

static const gb_party_calls calls = {give, gave, take, lost};

void gb_mail_start(gb_mail *m, size_t most, gb_mail_came *came, void *context, double deadline) {
  *m = (gb_mail){
      .party = {.calls = &calls, .deadline = deadline}, .most = most, .came = came, .context = context};
}

void gb_mail_release(gb_mail *m) {
  gb_bytes_release(&m->in);
  gb_bytes_release(&m->out);
}

void gb_mail_say(gb_mail *m, uint32_t number) {
  gb_nws_encode(&m->out, &(gb_nws_message){.number = number});
}

uint32_t gb_mail_number(const unsigned char *bytes) {
  gb_reader in = {bytes, GB_NWS_HEADER_BYTES, false};
  (void)gb_get_u32(&in);
  return gb_get_u32(&in);
}
