/* gbcast-nws sense: puts a sensor together and runs it. */
#include "nws/choose.h"
#include "nws/commands.h"
#include "nws/sense/circle.h"
#include "nws/sense/options.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* A memory that is named; none is no error. */
static int read_memory(gb_sensor *s, const gb_nws_settings *settings, const char *text, gbcast_error *err) {
  gb_nws_address memory;
  uint16_t port;
  const bool option = text != NULL;
  if (!option)
    text = gb_nws_setting(settings, "SENSOR_MEMORY");
  if (text == NULL)
    return GBCAST_OK;
  int status = gb_nws_setting_port(settings, "MEMORY_PORT", GB_NWS_MEMORY_PORT, &port, err);
  if (status != GBCAST_OK)
    return status;
  if (!gb_nws_address_read(gb_text_of(text), port, &memory))
    return gb_fail(err, option ? GBCAST_EUSAGE : GBCAST_EINPUT, "%s: found '%s', expected HOST[:PORT]",
                   option ? "--memory" : "SENSOR_MEMORY", text);
  gb_nws_address_write(&memory, s->memory_name);
  gb_deliver_start(s, memory.host, memory.port);
  return GBCAST_OK;
}

typedef struct start {
  gb_sensor *sensor;
  const gb_sense_options *options;
} start;

/* Its port, and whom it talks to. */
static int choose(void *context, const gb_nws_settings *settings, gbcast_error *err) {
  const start *it = context;
  const gb_sense_options *o = it->options;
  gb_sensor *s = it->sensor;
  int status = gb_nws_setting_name_server(settings, o->name_server, &s->name_server, err);
  s->port = o->port;
  if (status == GBCAST_OK && !o->has_port)
    status = gb_nws_setting_port(settings, "SENSOR_PORT", GB_NWS_SENSOR_PORT, &s->port, err);
  if (status == GBCAST_OK)
    gb_nws_address_write(&s->name_server, s->name_server_name);
  return status == GBCAST_OK ? read_memory(s, settings, o->memory, err) : status;
}

static bool listen_and_name(gb_sensor *s) {
  gbcast_error err;
  int file = -1;
  if (gb_machine_find("0.0.0.0", &s->machine, &err) == GBCAST_OK)
    file = gb_listen(&s->machine, &s->port, "--port", &err);
  if (file < 0) {
    gb_complain("%s", err.message);
    return false;
  }
  gb_host_name(s->name, &s->machine, s->port);
  if (gb_visits_start(s, file))
    return true;
  gb_complain("out of memory");
  return false;
}

/* In its clique the sensor has the name that the others know, and that is its name altogether. */
static bool join(gb_sensor *s, const gb_sense_options *o) {
  gbcast_error err;
  if (o->clique == NULL)
    return true;
  const gb_circle *c = gb_circle_join(s, o->clique, &o->members, o->period, &err);
  if (c == NULL) {
    gb_complain("%s", err.message);
    return false;
  }
  (void)snprintf(s->name, sizeof s->name, "%s", c->members.name[c->clique.self]);
  return true;
}

static void on_signal(evutil_socket_t number, short what, void *context) {
  (void)number;
  (void)what;
  (void)event_base_loopbreak(context);
}

/* An exit status. */
static int run(gb_sensor *s, const gb_sense_options *o) {
  const int result = gb_nws_choose("gbcast-nws sense", choose, &(start){s, o});
  if (result != GB_NWS_EXIT_DONE)
    return result;
  if (!listen_and_name(s) || !join(s, o))
    return GB_NWS_EXIT_CANNOT;
  gb_enrol_sensor(s);
  if (!gb_enrol_start(s)) {
    gb_complain("out of memory");
    return GB_NWS_EXIT_CANNOT;
  }
  (void)printf("gbcast-nws sense: %s answers at port %u\n", s->name, s->port);
  (void)fflush(stdout);
  return event_base_dispatch(s->base) >= 0 ? GB_NWS_EXIT_DONE : GB_NWS_EXIT_CANNOT;
}

/* Registrations are left to expire: the series stay what they are. */
static void stop(gb_sensor *s) {
  gb_circles_stop(s);
  gb_visits_stop(s);
  gb_deliver_stop(s);
  gb_enrol_stop(s);
  if (s->outbox.count > 0 || s->outbox.lost > 0)
    gb_complain("%" PRIu64 " measurements were not stored", s->outbox.count + s->outbox.lost);
}

int gb_nws_command_sense(int argc, char **argv) {
  gb_sense_options options;
  gb_sense_options_read(argc, argv, &options);
  gb_sensor *s = calloc(1, sizeof *s);
  struct event_base *base = event_base_new();
  struct event *signals[2] = {NULL, NULL};
  int result = GB_NWS_EXIT_CANNOT;
  if (s != NULL && base != NULL) {
    s->base = base;
    s->period = options.period;
    s->iperf = options.iperf;
    signals[0] = evsignal_new(base, SIGINT, on_signal, base);
    signals[1] = evsignal_new(base, SIGTERM, on_signal, base);
    if (signals[0] != NULL && signals[1] != NULL && event_add(signals[0], NULL) == 0 &&
        event_add(signals[1], NULL) == 0)
      result = run(s, &options);
    stop(s);
  } else {
    gb_complain("out of memory");
  }
  for (size_t i = 0; i < 2; i++)
    if (signals[i] != NULL)
      event_free(signals[i]);
  if (base != NULL)
    event_base_free(base);
  free(s);
  return result;
}
