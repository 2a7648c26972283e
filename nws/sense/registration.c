/* What a sensor tells its name server and its memory. When the connection to the name server breaks it may
 * have restarted: everything is registered again. */
#include "nws/sense/sensor.h"

#include <math.h>
#include <stdio.h>

#define PAUSE_LEAST 0.25 /* s */
#define PAUSE_MOST 30.0
#define PATIENCE 30.0
#define LOOK_UP_AGAIN 0.02

/* ---- A client of one daemon ---- */

typedef struct gb_daemon_calls {
  const char *what; /* the daemon, in messages */
  /* The next request, with what has to be written for it in `text`; false: there is none now. */
  bool (*next)(void *context, gb_nws_message *out, gb_bytes *text);
  /* The reply. False: it is a refusal; the request is to be repeated after a pause. */
  bool (*reply)(void *context, const gb_nws_message *reply);
  /* The connection ended. */
  void (*lost)(void *context);
} gb_daemon_calls;

static void answered(void *context, const gb_nws_message *reply, const char *why);

static void ask(gb_daemon_client *l) {
  gb_nws_message m;
  gb_bytes_clear(&l->text);
  bool wanted = l->calls->next(l->context, &m, &l->text);
  l->asked = wanted && !l->text.failed && gb_client_ask(&l->client, &l->to, &m, answered, l);
  l->starved = wanted && !l->asked;
}

/* Tries again after a pause. */
static void fail(gb_daemon_client *l) {
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
  gb_daemon_client *l = context;
  (void)why;
  if (reply == NULL || !l->calls->reply(l->context, reply)) {
    fail(l);
    return;
  }
  l->pause = PAUSE_LEAST;
  l->silent = false;
  ask(l);
}

/* No request has failed, but a daemon that ends each connection must not be dialled again at once. */
static void on_connection_lost(void *context, const gb_nws_message *message, const char *why) {
  (void)message;
  (void)why;
  fail(context);
}

static void on_event(evutil_socket_t file, short what, void *context) {
  gb_daemon_client *l = context;
  struct pollfd p = {.fd = file,
                     .revents = (short)((what & EV_READ ? POLLIN : 0) | (what & EV_WRITE ? POLLOUT : 0))};
  gb_socket_handle(&l->socket, &p);
  if (!l->asked)
    ask(l);
  double wake = l->starved ? gb_clock_now() + PAUSE_LEAST : INFINITY;
  (void)gb_socket_prepare(&l->socket, &p, &wake);
  if (p.fd < 0) /* a pause, or a lookup: there is no haste */
    wake = fmax(wake, gb_clock_now() + LOOK_UP_AGAIN);
  what = (short)((p.events & POLLIN ? EV_READ : 0) | (p.events & POLLOUT ? EV_WRITE : 0));
  (void)event_del(l->event);
  (void)event_assign(l->event, l->base, p.fd, (short)(p.fd >= 0 ? what : 0), on_event, l);
  (void)gb_event_wait(l->event, wake - gb_clock_now());
}

/* There may be a new request. */
static void wake_client(gb_daemon_client *l) {
  if (l->event != NULL && !l->asked)
    event_active(l->event, EV_TIMEOUT, 0);
}

/* False: no resources. */
static bool open_client(gb_daemon_client *l, struct event_base *base, const gb_nws_address *to,
                        const gb_daemon_calls *calls, void *context) {
  *l = (gb_daemon_client){.calls = calls, .context = context, .base = base, .to = *to, .pause = PAUSE_LEAST};
  gb_client_init(&l->client, PATIENCE, on_connection_lost, l);
  gb_socket_init(&l->socket, &l->client);
  l->client.stays = true;
  l->event = event_new(base, -1, 0, on_event, l);
  wake_client(l);
  return l->event != NULL;
}

static void close_client(gb_daemon_client *l) {
  if (l->event == NULL)
    return;
  event_free(l->event);
  gb_socket_release(&l->socket);
  gb_client_forget(&l->client);
  gb_bytes_release(&l->text);
  l->event = NULL;
}

/* ---- Registrations, and the search for a memory ---- */

#define LOOK_AGAIN 2.0 /* s */

static bool next(void *context, gb_nws_message *out, gb_bytes *text) {
  gb_sensor *s = context;
  double now = gb_clock_now(), due = INFINITY;
  uint32_t which = gb_renewals_due(&s->renewals, now, out, text, &due);
  s->renewing = which;
  if (which < s->renewals.count)
    return true;
  if (s->memory_name[0] == '\0' && !evtimer_pending(s->renew, NULL)) {
    *out = (gb_nws_message){.number = GB_NWS_NS_SEARCH,
                            .text = gb_view_of("(&(hostType=memory)(objectclass=nwsHost))")};
    return true;
  }
  if (s->memory_name[0] != '\0')
    (void)gb_event_wait(s->renew, due - now);
  return false;
}

/* `ipAddress` is a list. */
static bool read_memory(gb_view object, gb_nws_address *address, char name[GB_NWS_ADDRESS_TEXT]) {
  gb_view machine, port, registered;
  if (!gb_object_get(object, "ipAddress", &machine) || !gb_object_get(object, "port", &port) ||
      !gb_object_get(object, "name", &registered) || registered.length >= GB_NWS_ADDRESS_TEXT)
    return false;
  gb_view rest, first = gb_view_before(machine, ',', &rest);
  (void)snprintf(name, GB_NWS_ADDRESS_TEXT, "%.*s", (int)registered.length, registered.at);
  return gb_nws_address_read(first, GB_NWS_MEMORY_PORT, address) && gb_nws_port_read(port, &address->port);
}

/* Chooses the first registered memory. */
static void find_memory(gb_sensor *s, gb_view set) {
  gb_view object;
  gb_nws_address address;
  char name[GB_NWS_ADDRESS_TEXT];
  while (gb_object_next(&set, &object))
    if (read_memory(object, &address, name)) {
      (void)snprintf(s->memory_name, sizeof s->memory_name, "%s", name);
      gb_deliver_start(s, &address);
      return;
    }
  (void)gb_event_wait(s->renew, LOOK_AGAIN);
}

static bool replied(void *context, const gb_nws_message *m) {
  gb_sensor *s = context;
  if (m->number == GB_NWS_NS_SEARCHED)
    find_memory(s, m->text);
  else if (m->number != GB_NWS_NS_FAILED)
    gb_renewals_done(&s->renewals, s->renewing, m->number == GB_NWS_NS_UNREGISTERED, gb_clock_now());
  return m->number != GB_NWS_NS_FAILED;
}

static void lost(void *context) {
  gb_sensor *s = context;
  gb_renewals_forgotten(&s->renewals);
}

static const gb_daemon_calls name_server_calls = {"name server", next, replied, lost};

static void on_renew(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)file;
  (void)what;
  wake_client(&s->to_name_server);
}

bool gb_registration_start(gb_sensor *s) {
  s->renew = evtimer_new(s->base, on_renew, s);
  return s->renew != NULL && open_client(&s->to_name_server, s->base, &s->name_server, &name_server_calls, s);
}

void gb_registration_stop(gb_sensor *s) {
  close_client(&s->to_name_server);
  close_client(&s->to_memory);
  gb_renewals_release(&s->renewals);
  if (s->renew != NULL)
    event_free(s->renew);
}

void gb_registration_add(gb_sensor *s, gb_bytes *object) {
  if (!gb_renewals_add(&s->renewals, object))
    gb_sense_warn("out of memory: a series is not registered");
  wake_client(&s->to_name_server);
}

void gb_registration_withdraw(gb_sensor *s, const char *class, const char *name) {
  gb_renewals_withdraw(&s->renewals, class, name);
  wake_client(&s->to_name_server);
}

void gb_registration_sensor(gb_sensor *s) {
  gb_bytes object = {0};
  gb_host_object(&object, "sensor", s->name, &s->machine, s->port);
  gb_registration_add(s, &object);
  gb_registration_abilities(s);
}

/* ---- Samples, which are sent to the memory one by one, each until it is acknowledged ---- */

static bool next_sample(void *context, gb_nws_message *out, gb_bytes *text) {
  gb_sensor *s = context;
  const gb_sample *sample = gb_outbox_first(&s->outbox);
  if (sample == NULL)
    return false;
  gb_sample_tell(sample, out, text);
  s->delivering = sample->sequence;
  return true;
}

/* A sample that the memory refuses is dropped: it would be refused again. */
static bool stored(void *context, const gb_nws_message *reply) {
  gb_sensor *s = context;
  bool failed = reply->number == GB_NWS_MEMORY_FAILED;
  if (failed && !s->failing)
    gb_sense_warn("memory %s refuses to store measurements; they are lost", s->memory_name);
  s->failing = failed;
  gb_outbox_acknowledged(&s->outbox, s->delivering);
  return true;
}

static void memory_lost(void *context) {
  (void)context; /* the sample is still in the outbox */
}

static const gb_daemon_calls memory_calls = {"memory", next_sample, stored, memory_lost};

void gb_deliver_start(gb_sensor *s, const gb_nws_address *memory) {
  if (!open_client(&s->to_memory, s->base, memory, &memory_calls, s))
    gb_sense_warn("out of memory: nothing is stored");
}

void gb_deliver(gb_sensor *s) {
  wake_client(&s->to_memory);
}
