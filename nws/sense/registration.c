/* What a sensor tells its name server and its memory. When the connection to the name server breaks it may
 * have restarted: everything is registered again. */
#include "nws/sense/sensor.h"

#include <math.h>
#include <stdio.h>

#define LOOK_AGAIN 2.0 /* s, for a memory */

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

static const gb_reconnecting_client_calls name_server_calls = {"name server", next, replied, lost};

static void on_renew(evutil_socket_t file, short what, void *context) {
  gb_sensor *s = context;
  (void)file;
  (void)what;
  gb_reconnecting_client_wake(&s->to_name_server);
}

bool gb_registration_start(gb_sensor *s) {
  s->renew = evtimer_new(s->base, on_renew, s);
  return s->renew != NULL &&
         gb_reconnecting_client_open(&s->to_name_server, s->base, &s->name_server, &name_server_calls, s);
}

void gb_registration_stop(gb_sensor *s) {
  gb_reconnecting_client_close(&s->to_name_server);
  gb_renewals_release(&s->renewals);
  if (s->renew != NULL)
    event_free(s->renew);
}

void gb_registration_add(gb_sensor *s, gb_bytes *object) {
  if (!gb_renewals_add(&s->renewals, object))
    gb_sense_warn("out of memory: a series is not registered");
  gb_reconnecting_client_wake(&s->to_name_server);
}

void gb_registration_withdraw(gb_sensor *s, const char *class, const char *name) {
  gb_renewals_withdraw(&s->renewals, class, name);
  gb_reconnecting_client_wake(&s->to_name_server);
}

void gb_registration_sensor(gb_sensor *s) {
  gb_bytes object = {0};
  gb_host_object(&object, "sensor", s->name, &s->machine, s->port);
  gb_registration_add(s, &object);
  gb_registration_abilities(s);
}

/* ---- Samples, which are sent to the memory one by one, each until it is acknowledged ---- */

static bool next_sample(void *context, gb_nws_message *out, gb_bytes *text) {
  const gb_sensor *s = context;
  const gb_sample *sample = gb_outbox_first(&s->outbox);
  if (sample != NULL)
    gb_sample_tell(sample, out, text);
  return sample != NULL;
}

/* A sample that the memory refuses is dropped: it would be refused again. */
static bool stored(void *context, const gb_nws_message *reply) {
  gb_sensor *s = context;
  bool failed = reply->number == GB_NWS_MEMORY_FAILED;
  if (failed && !s->failing)
    gb_sense_warn("memory %s refuses to store measurements; they are lost", s->memory_name);
  s->failing = failed;
  gb_outbox_drop_first(&s->outbox);
  return true;
}

static void memory_lost(void *context) {
  (void)context; /* the sample is still in the outbox */
}

static const gb_reconnecting_client_calls memory_calls = {"memory", next_sample, stored, memory_lost};

void gb_deliver_start(gb_sensor *s, const gb_nws_address *memory) {
  if (!gb_reconnecting_client_open(&s->to_memory, s->base, memory, &memory_calls, s))
    gb_sense_warn("out of memory: nothing is stored");
}

void gb_deliver_stop(gb_sensor *s) {
  gb_reconnecting_client_close(&s->to_memory);
}
