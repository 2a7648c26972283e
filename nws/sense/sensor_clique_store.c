/* Puts measurements into the outbox, and registers their series once the memory is known. */
#include "nws/sense/sensor_clique.h"

#include "nws/wire/wire.h"

static void store(gb_sensor *s, const gb_pair_series *series, double when, double value) {
  char name[GB_NWS_NAME_MOST + 1];
  gb_bytes object = {0};
  if (value < 0 || !gb_pair_series_name(series, name) || !gb_outbox_put(&s->outbox, name, when, value))
    return;
  gb_reconnecting_client_wake(&s->to_memory);
  if (s->memory_name[0] == '\0')
    return; /* registered with the next value */
  gb_pair_series_object(&object, series, name, s->memory_name);
  gb_registration_add(s, &object);
}

void gb_sensor_clique_store(gb_sensor_clique *c) {
  const gb_experiment *sizes = &c->probe.initiator.sizes;
  const gb_peer_probe *t = &c->probe;
  gb_pair_series series = {.host = c->is.name[c->clique.self], .target = c->is.name[c->member]};
  store(c->sensor, &series, t->measured, t->round_trip);
  series.bandwidth = true;
  series.buffer = sizes->buffer / 1024;
  series.message = sizes->message / 1024;
  series.size = sizes->size / 1024;
  store(c->sensor, &series, t->measured, t->bandwidth);
  series.buffer = 0; /* as the system likes */
  series.message = GB_IPERF_MESSAGE;
  series.size = GB_IPERF_SIZE;
  series.method = "iperf";
  store(c->sensor, &series, t->long_measured, t->long_bandwidth);
}
