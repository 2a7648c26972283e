/* Sends samples to the memory one by one, each until it is acknowledged. */
#include "nws/sense/sensor.h"

#include <stdio.h>

static bool next(void *context, gb_bytes *out) {
  const gb_sensor *s = context;
  const gb_sample *sample = gb_outbox_first(&s->outbox);
  if (sample != NULL)
    gb_sample_encode(out, sample);
  return sample != NULL;
}

/* A sample that the memory refuses is dropped: it would be refused again. */
static bool reply(void *context, const unsigned char *bytes, size_t size) {
  gb_sensor *s = context;
  uint32_t number = gb_nws_message_number(bytes);
  (void)size;
  if (number != GB_NWS_STATE_STORED && number != GB_NWS_MEMORY_FAILED)
    return false;
  bool failed = number == GB_NWS_MEMORY_FAILED;
  if (failed && !s->failing)
    gb_sense_warn("memory %s refuses to store measurements; they are lost", s->memory_name);
  s->failing = failed;
  gb_outbox_drop_first(&s->outbox);
  return true;
}

static void lost(void *context) {
  (void)context; /* the sample is still in the outbox */
}

static const gb_reconnecting_client_calls calls = {"memory", next, reply, lost};

void gb_deliver_start(gb_sensor *s, const char *host, uint16_t port) {
  (void)snprintf(s->memory_host, sizeof s->memory_host, "%s", host);
  if (!gb_reconnecting_client_open(&s->to_memory, s->base, s->memory_host, port, &calls, s))
    gb_sense_warn("out of memory: nothing is stored");
}

void gb_deliver_stop(gb_sensor *s) {
  gb_reconnecting_client_close(&s->to_memory);
}
