#include "nws/sense/sensor.h"

#include "nws/client/client.h"

#include <math.h>

#define PAUSE_LEAST 0.25 /* s */
#define PAUSE_MOST 30.0
#define REPLY_MOST 30.0
#define LOOK_AGAIN 0.02 /* for an address */

enum { REPLY_BYTES = 1 << 20 };

static void ask(gb_reconnecting_client *l) {
  l->asked = l->calls->next(l->context, &l->codec.out);
  l->codec.handler.deadline = l->asked ? gb_clock_now() + REPLY_MOST : INFINITY;
}

static void on_reply(void *context, const gb_nws_message *message) {
  gb_reconnecting_client *l = context;
  l->bad = !l->asked || !l->calls->reply(l->context, message);
  l->asked = false;
  if (l->bad) {
    l->codec.handler.over = true;
    return;
  }
  l->pause = PAUSE_LEAST;
  l->silent = false;
  ask(l);
}

static void on_ended(void *context) {
  gb_reconnecting_client *l = context;
  gb_message_codec_release(&l->codec);
  l->asked = false;
  l->calls->lost(l->context);
  if (!l->silent)
    gb_sense_warn("the %s at %s:%u does not answer; it is tried again", l->calls->what, l->host, l->port);
  l->silent = true;
  (void)gb_event_wait(l->retry, l->pause);
  l->pause = fmin(2 * l->pause, PAUSE_MOST);
}

static void dial_address(gb_reconnecting_client *l, struct in_addr address) {
  const struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = address, .sin_port = htons(l->port)};
  gb_message_codec_start(&l->codec, REPLY_BYTES, on_reply, l, gb_clock_now() + REPLY_MOST);
  ask(l);
  if (!gb_tcp_connection_connect(&l->connection, l->base, &to, 0, &l->codec.handler, on_ended, l))
    on_ended(l);
}

static void drop_resolver(gb_reconnecting_client *l) {
  if (l->resolver != NULL)
    gb_resolver_drop(l->resolver);
  l->resolver = NULL;
}

/* Called again until the address is known: a slow resolver does not block the event loop. */
static void dial(evutil_socket_t file, short what, void *context) {
  gb_reconnecting_client *l = context;
  gb_host_addresses found = {.count = 0};
  const char *why = NULL;
  (void)file;
  (void)what;
  bool number = gb_resolve_number(l->host, &found);
  if (!number && l->resolver == NULL)
    l->resolver = gb_resolver_start(l->host);
  if (l->resolver != NULL && !gb_resolver_done(l->resolver, &found, &why)) {
    (void)gb_event_wait(l->retry, LOOK_AGAIN);
    return;
  }
  drop_resolver(l);
  if (found.count > 0)
    dial_address(l, found.at[0]);
  else
    on_ended(l);
}

bool gb_reconnecting_client_open(gb_reconnecting_client *l, struct event_base *base, const char *host,
                                 uint16_t port, const gb_reconnecting_client_calls *calls, void *context) {
  *l = (gb_reconnecting_client){.calls = calls, .context = context, .base = base, .host = host, .port = port};
  l->pause = PAUSE_LEAST;
  l->retry = evtimer_new(base, dial, l);
  return l->retry != NULL && gb_event_wait(l->retry, 0) == 0;
}

void gb_reconnecting_client_close(gb_reconnecting_client *l) {
  gb_tcp_connection_close(&l->connection);
  gb_message_codec_release(&l->codec);
  drop_resolver(l);
  if (l->retry != NULL)
    event_free(l->retry);
  *l = (gb_reconnecting_client){0};
}

void gb_reconnecting_client_wake(gb_reconnecting_client *l) {
  if (!l->connection.open || l->asked)
    return;
  ask(l);
  gb_tcp_connection_wake(&l->connection);
}
