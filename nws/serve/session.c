#include "nws/serve/session.h"

#define KEEP_BUFFER (4u << 10) /* bytes of room that an idle session may keep */
#define PROGRESS (64u << 10)   /* bytes to be taken in GB_SESSION_TICKS */

enum { MOST_NAME_SERVER = 16 << 10, MOST_MEMORY = 1 << 20 }; /* bytes of a request */

void gb_session_start(gb_session *s, gb_service *service, bool is_memory) {
  *s = (gb_session){.service = service, .is_memory = is_memory};
}

void gb_session_end(gb_session *s) {
  gb_unsubscribe(s);
  gb_bytes_release(&s->in);
  gb_bytes_release(&s->out);
  gb_bytes_release(&s->search.filter);
  gb_bytes_release(&s->search.found);
  s->service->held -= s->held;
}

gb_view gb_session_output(const gb_session *s) {
  return gb_bytes_view(&s->out);
}

bool gb_session_has_work(const gb_session *s) {
  bool some = s->search.on ? s->search.room > 0 || gb_session_search_room(s) > 0 : s->unlooked;
  return some && !s->closing && s->out.size < GB_SESSION_OUT_PAUSE;
}

bool gb_session_wants_input(const gb_session *s) {
  return !s->closing && s->out.size < GB_SESSION_OUT_PAUSE && !s->search.on && !s->unlooked;
}

bool gb_session_is_idle(const gb_session *s) {
  return s->out.size == 0 && !s->search.on && !s->unlooked;
}

static void let_go(gb_bytes *buffer) {
  if (buffer->size == 0 && buffer->capacity > KEEP_BUFFER)
    gb_bytes_release(buffer);
}

/* Updates the sum over all sessions; closes this one if the sum is too high and it holds much. */
static void account(gb_session *s) {
  gb_service *service = s->service;
  size_t held = s->in.capacity + s->out.capacity + s->search.filter.capacity + s->search.found.capacity +
                s->subscription.bytes;
  held = held > s->search.room ? held : s->search.room;
  service->held += held - s->held;
  s->held = held;
  if ((service->held > service->held_most && held > KEEP_BUFFER) || s->in.failed || s->out.failed)
    s->closing = true;
}

void gb_session_say(gb_session *s, const gb_nws_message *message) {
  gb_nws_encode(&s->out, message);
  account(s);
}

void gb_session_take(gb_session *s, const void *bytes, size_t size) {
  gb_put(&s->in, bytes, size);
  s->unlooked = true;
  account(s);
}

/* Answers requests until one is a search, too much output is pending, or the turn ends. */
static void answer_some(gb_session *s, double now) {
  do {
    gb_nws_message request;
    size_t size = 0, before = s->out.size, most = s->is_memory ? MOST_MEMORY : MOST_NAME_SERVER;
    enum gb_nws_framing framing = gb_nws_next(&s->in, most, &request, &size);
    s->unlooked = framing != GB_NWS_PART;
    if (!s->unlooked)
      break;
    s->in_ticks = 0;
    if (framing != GB_NWS_WHOLE || !gb_answer(s, &request, now))
      s->closing = true;
    s->service->spent += GB_REQUEST_COST + GB_BYTE_COST * (size + s->out.size - before);
    gb_bytes_drop_front(&s->in, size);
  } while (gb_session_has_work(s) && !s->search.on && s->service->spent < s->service->most);
}

size_t gb_session_work(gb_session *s, double now, size_t most) {
  if (!gb_session_has_work(s))
    return 0;
  s->service->spent = 0;
  s->service->most = most;
  if (!s->search.on)
    answer_some(s, now);
  if (s->search.on && gb_session_has_work(s))
    gb_session_search_step(s, now);
  let_go(&s->in);
  let_go(&s->search.found);
  let_go(&s->search.filter);
  account(s);
  return s->service->spent;
}

void gb_session_sent(gb_session *s, size_t size) {
  s->sent_then += size;
  gb_bytes_drop_front(&s->out, size);
  let_go(&s->out);
  account(s);
}

/* Only PROGRESS bytes, or all that was pending, count as progress. */
static bool is_slow_reader(gb_session *s) {
  if (s->out.size == 0 || s->sent_then >= PROGRESS) {
    s->out_ticks = 0;
    s->sent_then = 0;
    return false;
  }
  return ++s->out_ticks > GB_SESSION_TICKS;
}

static bool is_slow_writer(gb_session *s) {
  if (s->in.size == 0 || !gb_session_wants_input(s)) {
    s->in_ticks = 0;
    return false;
  }
  return ++s->in_ticks > GB_SESSION_TICKS;
}

bool gb_session_tick(gb_session *s) {
  bool reads_slowly = is_slow_reader(s), writes_slowly = is_slow_writer(s);
  return reads_slowly || writes_slowly;
}
