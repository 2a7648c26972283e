/* Puts a sensor together and runs it. */
#include "nws/sense/sense.h"

#include "nws/sense/sensor_clique.h"
#include "platform/text/text.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

bool gb_sense_period_read(gb_view text, double *out, const char **why) {
  if (!gb_read_number(text.at, text.length, 0, out, why))
    return false;
  *why = "0.1 to 86400 seconds";
  return *out >= GB_PERIOD_LEAST && *out <= GB_PERIOD_MOST;
}

static bool listen_and_name(gb_sensor *s) {
  gbcast_error err;
  int file = -1;
  if (gb_machine_find("0.0.0.0", &s->machine, &err) == GBCAST_OK)
    file = gb_listen(&s->machine, &s->port, "--port", &err);
  if (file < 0) {
    gb_sense_warn("%s", err.message);
    return false;
  }
  gb_host_name(s->name, &s->machine, s->port);
  if (gb_sensor_sessions_start(s, file))
    return true;
  gb_sense_warn("out of memory");
  return false;
}

/* The sensor takes the name that the other members of its clique know. */
static bool join(gb_sensor *s, const gb_sense_options *o) {
  gbcast_error err;
  if (o->clique == NULL)
    return true;
  gb_token about = {.skill = GB_CLIQUE_SKILL, .period = o->period};
  (void)snprintf(about.name, sizeof about.name, "%s", o->clique);
  const gb_sensor_clique *c = gb_sensor_clique_join(s, &about, &o->members, false, &err);
  if (c == NULL) {
    gb_sense_warn("%s", err.message);
    return false;
  }
  (void)snprintf(s->name, sizeof s->name, "%s", c->is.name[c->clique.self]);
  return true;
}

static void on_signal(evutil_socket_t number, short what, void *context) {
  (void)number;
  (void)what;
  (void)event_base_loopbreak(context);
}

static bool run(gb_sensor *s, const gb_sense_options *o) {
  if (!listen_and_name(s) || !join(s, o))
    return false;
  gb_registration_sensor(s);
  if (!gb_registration_start(s)) {
    gb_sense_warn("out of memory");
    return false;
  }
  (void)printf("gbcast-nws sense: %s answers at port %u\n", s->name, s->port);
  (void)fflush(stdout);
  return event_base_dispatch(s->base) >= 0;
}

/* Registrations are left to expire; the series remain valid. */
static void stop(gb_sensor *s) {
  gb_sensor_cliques_stop(s);
  gb_sensor_sessions_stop(s);
  gb_registration_stop(s);
  if (s->outbox.count > 0 || s->outbox.lost > 0)
    gb_sense_warn("%" PRIu64 " measurements were not stored", s->outbox.count + s->outbox.lost);
}

static void configure(gb_sensor *s, const gb_sense_options *o) {
  s->port = o->port;
  s->period = o->period;
  s->iperf = o->iperf;
  s->name_server = o->name_server;
  gb_nws_address_write(&s->name_server, s->name_server_name);
  if (!o->has_memory)
    return;
  gb_nws_address_write(&o->memory, s->memory_name);
  gb_deliver_start(s, &o->memory);
}

bool gb_sense(const gb_sense_options *o) {
  gb_sensor *s = calloc(1, sizeof *s);
  struct event_base *base = event_base_new();
  struct event *signals[2] = {NULL, NULL};
  bool good = false;
  if (s != NULL && base != NULL) {
    s->base = base;
    configure(s, o);
    signals[0] = evsignal_new(base, SIGINT, on_signal, base);
    signals[1] = evsignal_new(base, SIGTERM, on_signal, base);
    if (signals[0] != NULL && signals[1] != NULL && event_add(signals[0], NULL) == 0 &&
        event_add(signals[1], NULL) == 0)
      good = run(s, o);
    stop(s);
  } else {
    gb_sense_warn("out of memory");
  }
  for (size_t i = 0; i < 2; i++)
    if (signals[i] != NULL)
      event_free(signals[i]);
  if (base != NULL)
    event_base_free(base);
  free(s);
  return good;
}

void gb_sense_warn(const char *format, ...) {
  gbcast_error warning;
  va_list list;
  va_start(list, format);
  (void)gb_vfail(&warning, GBCAST_OK, format, list);
  va_end(list);
  (void)fprintf(stderr, "gbcast-nws sense: %s\n", warning.message);
}
