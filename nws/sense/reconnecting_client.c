#include "nws/sense/sensor.h"

#include <math.h>

#define PAUSE_LEAST 0.25 /* s */
#define PAUSE_MOST 30.0
#define PATIENCE 30.0

static void answered(void *context, const gb_nws_message *reply, const char *why);

/* When out of memory, the next wake asks again. */
static void ask(gb_reconnecting_client *l) {
  gb_nws_message m;
  l->asked = l->calls->next(l->context, &m, &l->text) && !l->text.failed &&
             gb_client_ask(&l->client, &l->to, &m, answered, l);
}

/* Tries again after a pause. */
static void fail(gb_reconnecting_client *l) {
  if (!l->silent)
    gb_sense_warn("the %s at %s:%u does not answer; it is tried again", l->calls->what, l->to.host,
                  l->to.port);
  l->silent = true;
  gb_client_forget(&l->client);
  gb_client_pause(&l->client, l->pause);
  l->pause = fmin(2 * l->pause, PAUSE_MOST);
  l->calls->lost(l->context);
  ask(l);
}

static void answered(void *context, const gb_nws_message *reply, const char *why) {
  gb_reconnecting_client *l = context;
  (void)why;
  if (reply == NULL || !l->calls->reply(l->context, reply)) {
    fail(l);
    return;
  }
  l->pause = PAUSE_LEAST;
  l->silent = false;
  ask(l);
}

/* A request that was sent is repeated by the client, or has failed. */
static void on_connection_lost(void *context, const gb_nws_message *message, const char *why) {
  gb_reconnecting_client *l = context;
  (void)message;
  (void)why;
  if (l->asked)
    l->calls->lost(l->context);
  else
    fail(l);
}

static void on_event(evutil_socket_t file, short what, void *context) {
  gb_reconnecting_client *l = context;
  struct pollfd p = {.fd = file,
                     .revents = (short)((what & EV_READ ? POLLIN : 0) | (what & EV_WRITE ? POLLOUT : 0))};
  double wake = INFINITY;
  gb_socket_handle(&l->socket, &p);
  (void)gb_socket_prepare(&l->socket, &p, &wake);
  what = (short)((p.events & POLLIN ? EV_READ : 0) | (p.events & POLLOUT ? EV_WRITE : 0));
  (void)event_del(l->event);
  (void)event_assign(l->event, l->base, p.fd, (short)(p.fd >= 0 ? what : 0), on_event, l);
  (void)gb_event_wait(l->event, wake - gb_clock_now());
}

bool gb_reconnecting_client_open(gb_reconnecting_client *l, struct event_base *base, const gb_nws_address *to,
                                 const gb_reconnecting_client_calls *calls, void *context) {
  *l = (gb_reconnecting_client){
      .calls = calls, .context = context, .base = base, .to = *to, .pause = PAUSE_LEAST};
  gb_client_init(&l->client, PATIENCE, on_connection_lost, l);
  gb_socket_init(&l->socket, &l->client);
  l->client.stays = true;
  l->event = event_new(base, -1, 0, on_event, l);
  gb_reconnecting_client_wake(l);
  return l->event != NULL;
}

void gb_reconnecting_client_close(gb_reconnecting_client *l) {
  if (l->event == NULL)
    return;
  event_free(l->event);
  gb_socket_release(&l->socket);
  gb_client_forget(&l->client);
  gb_bytes_release(&l->text);
  l->event = NULL;
}

void gb_reconnecting_client_wake(gb_reconnecting_client *l) {
  if (l->event == NULL || l->asked)
    return;
  ask(l);
  if (l->asked)
    event_active(l->event, EV_TIMEOUT, 0);
}
