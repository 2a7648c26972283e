/* Messages on a connection, and its events: one each for reading and writing; the deadline is the timeout of
 * the former. */
#include "nws/sense/tcp_connection.h"

#include "nws/client/client.h"

#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static size_t output(gb_handler *self, double now, const unsigned char **bytes) {
  const gb_message_codec *m = (const gb_message_codec *)self;
  (void)now;
  *bytes = m->out.data;
  return m->out.failed ? 0 : m->out.size;
}

static void sent(gb_handler *self, size_t size, double now) {
  gb_message_codec *m = (gb_message_codec *)self;
  (void)now;
  gb_bytes_drop_front(&m->out, size);
  m->handler.over = m->out.size == 0 && m->last;
}

static void received(gb_handler *self, const unsigned char *bytes, size_t size, double now) {
  gb_message_codec *m = (gb_message_codec *)self;
  (void)now;
  gb_put(&m->in, bytes, size);
  while (!m->in.failed && !m->handler.over && !m->last && !m->paused) {
    gb_nws_message message;
    size_t whole = 0;
    enum gb_nws_framing framing = gb_nws_next(&m->in, m->most, &message, &whole);
    if (framing == GB_NWS_PART)
      break;
    if (framing == GB_NWS_WHOLE)
      m->on_message(m->context, &message);
    else
      m->handler.over = true;
    if (framing == GB_NWS_INVALID)
      m->unreadable = message.number;
    gb_bytes_drop_front(&m->in, whole);
  }
  if (m->in.failed || m->out.failed || m->in.size > m->most || m->out.size > m->most)
    m->handler.over = true;
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

enum { READ, WRITE };

int gb_event_wait(struct event *event, double seconds) {
  if (isinf(seconds)) {
    (void)event_remove_timer(event); /* which event_add would leave as it is */
    return event_add(event, NULL);
  }
  double left = fmin(fmax(seconds, 0), 1e6) + 1e-6; /* rounded up, so that it has passed */
  struct timeval time = {.tv_sec = (time_t)left, .tv_usec = (suseconds_t)((left - floor(left)) * 1e6)};
  return event_add(event, &time);
}

void gb_tcp_connection_close(gb_tcp_connection *c) {
  for (size_t i = 0; c->open && i < 2; i++)
    if (c->event[i] != NULL)
      event_free(c->event[i]);
  if (c->open)
    (void)close(c->file);
  c->open = false;
}

static void finish(gb_tcp_connection *c) {
  gb_tcp_connection_close(c);
  c->ended(c->context);
}

static void lose(gb_tcp_connection *c, bool clean) {
  if (!c->handler->over)
    c->handler->calls->closed(c->handler, clean, gb_clock_now());
  c->handler->over = true;
}

/* Sends the pending output; `c` may be freed afterwards. */
static void talk(gb_tcp_connection *c) {
  while (!c->handler->over && !c->connecting) {
    const unsigned char *bytes = NULL;
    size_t size = c->handler->calls->output(c->handler, gb_clock_now(), &bytes);
    if (size == 0)
      break;
    ssize_t sent = send(c->file, bytes, size, MSG_NOSIGNAL);
    if (sent > 0)
      c->handler->calls->sent(c->handler, (size_t)sent, gb_clock_now());
    else if (errno == EAGAIN || errno == EINTR) {
      (void)event_add(c->event[WRITE], NULL);
      break;
    } else
      lose(c, false);
  }
  if (c->handler->over)
    finish(c);
  else
    (void)gb_event_wait(c->event[READ], c->handler->deadline - gb_clock_now());
}

static void on_writable(evutil_socket_t file, short what, void *context) {
  gb_tcp_connection *c = context;
  (void)file;
  (void)what;
  c->connecting = false; /* if it could not connect, sending fails */
  talk(c);
}

static void on_readable(evutil_socket_t file, short what, void *context) {
  gb_tcp_connection *c = context;
  unsigned char bytes[65536];
  double now = gb_clock_now();
  if ((what & EV_READ) != 0 && !c->connecting) {
    ssize_t size = recv(file, bytes, sizeof bytes, 0);
    now = gb_clock_now();
    if (size > 0)
      c->handler->calls->received(c->handler, bytes, (size_t)size, now);
    else if (size == 0 || (errno != EAGAIN && errno != EINTR))
      lose(c, size == 0);
  }
  if (now >= c->handler->deadline)
    lose(c, false);
  talk(c);
}

static void set_buffer(int file, int buffer) {
  if (buffer <= 0)
    return;
  (void)setsockopt(file, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  (void)setsockopt(file, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
}

bool gb_tcp_connection_adopt(gb_tcp_connection *c, struct event_base *base, int file, gb_handler *handler,
                             gb_tcp_connection_ended *ended, void *context) {
  int on = 1;
  *c =
      (gb_tcp_connection){.handler = handler, .ended = ended, .context = context, .file = file, .open = true};
  (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  c->event[READ] = event_new(base, file, EV_READ | EV_PERSIST, on_readable, c);
  c->event[WRITE] = event_new(base, file, EV_WRITE, on_writable, c);
  bool good = c->event[READ] != NULL && c->event[WRITE] != NULL && event_add(c->event[WRITE], NULL) == 0;
  if (!good)
    gb_tcp_connection_close(c);
  return good;
}

bool gb_tcp_connection_connect(gb_tcp_connection *c, struct event_base *base, const struct sockaddr_in *to,
                               int buffer, gb_handler *handler, gb_tcp_connection_ended *ended,
                               void *context) {
  int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (file < 0 || !gb_tcp_connection_adopt(c, base, file, handler, ended, context))
    return false;
  set_buffer(file, buffer);
  c->connecting = true;
  if (connect(file, (const struct sockaddr *)to, sizeof *to) != 0 && errno != EINPROGRESS)
    event_active(c->event[WRITE], EV_WRITE, 0); /* this failure is met in the event loop, like any other */
  (void)gb_event_wait(c->event[READ], handler->deadline - gb_clock_now());
  return true;
}

void gb_tcp_connection_switch(gb_tcp_connection *c, gb_handler *handler, int buffer) {
  c->handler = handler;
  set_buffer(c->file, buffer);
  gb_tcp_connection_wake(c);
}

void gb_tcp_connection_wake(gb_tcp_connection *c) {
  if (c->open && !c->connecting)
    event_active(c->event[WRITE], EV_WRITE, 0);
}
