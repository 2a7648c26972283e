#include "nws/client/series.h"

#include "nws/wire/wire.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>

/* An option in units of 1024 bytes, as bytes; `otherwise` is what sensors do by default. */
static double option(gb_view object, const char *name, uint32_t otherwise) {
  gb_view text;
  const char *why;
  uint32_t kilobytes = otherwise;
  bool bad = gb_object_get(object, name, &text) && !gb_read_count(text.at, text.length, &kilobytes, &why);
  return bad ? 0 : 1024.0 * kilobytes;
}

bool gb_nws_series_read(gb_view object, uint16_t memory_port, gb_nws_series *out) {
  gb_view class, resource, name, from, to, memory;
  *out = (gb_nws_series){.sequence = 0};
  if (!gb_object_get(object, "objectclass", &class) || !gb_object_get(object, "resource", &resource) ||
      !gb_object_get(object, "name", &name) || !gb_object_get(object, "host", &from) ||
      !gb_object_get(object, "target", &to) || !gb_object_get(object, "memory", &memory))
    return false;
  if (gb_view_is(resource, GB_NWS_LATENCY))
    out->kind = GB_SERIES_LATENCY;
  else if (gb_view_is(resource, GB_NWS_BANDWIDTH))
    out->kind = GB_SERIES_BANDWIDTH;
  else
    return false;
  out->bytes = option(object, "size", 64);
  out->window = option(object, "buffer", 32);
  return gb_view_is(class, "nwsSeries") && gb_view_copy(name, out->name, sizeof out->name) &&
         gb_nws_address_complete(from, GB_NWS_SENSOR_PORT, out->from) &&
         gb_nws_address_complete(to, GB_NWS_SENSOR_PORT, out->to) &&
         gb_nws_address_read(memory, memory_port, &out->memory);
}

bool gb_nws_series_ask(gb_client *c, const gb_nws_series *series, gb_nws_answer *answer, void *context) {
  gb_nws_message fetch = {.number = GB_NWS_FETCH_STATE};
  memcpy(fetch.state.id, series->name, sizeof fetch.state.id);
  fetch.state.record_count = GB_SERIES_FETCHED;
  fetch.state.sequence = series->sequence;
  return gb_client_ask(c, &series->memory, &fetch, answer, context);
}

static bool take_all(gb_nws_series *s, const gb_measurement *newest_first, uint32_t count, double clock) {
  double before = s->count > 0 ? s->newest : -INFINITY;
  if (s->forecaster == NULL && count > 0)
    s->forecaster = gb_forecaster_new();
  if (s->forecaster == NULL)
    return count == 0;
  for (uint32_t i = count; i-- > 0;) {
    gb_measurement m = newest_first[i];
    if (!(m.time > before && m.time <= clock + GB_SERIES_AHEAD))
      continue;
    gb_forecaster_add(s->forecaster, m.value);
    s->recent[s->count++ % GB_SERIES_RECENT] = m.value;
    s->newest = m.time;
  }
  return true;
}

bool gb_nws_series_take(gb_nws_series *series, const gb_nws_state *state, double clock) {
  if (state->record_count == 0)
    return true;
  gb_measurement *list = malloc(state->record_count * sizeof *list);
  if (list == NULL)
    return false;
  bool taken = take_all(series, list, gb_records_read(state, list), clock);
  free(list);
  if (taken && state->sequence > series->sequence && state->sequence <= clock + GB_SERIES_AHEAD)
    series->sequence = state->sequence;
  return taken;
}

void gb_nws_series_release(gb_nws_series *series) {
  gb_forecaster_free(series->forecaster);
  series->forecaster = NULL;
}

double gb_nws_series_least(const gb_nws_series *series, uint32_t most) {
  double least = INFINITY;
  for (uint32_t i = 1; i <= most && i <= series->count; i++)
    least = fmin(least, series->recent[(series->count - i) % GB_SERIES_RECENT]);
  return isfinite(least) ? least : -1;
}

int gb_nws_series_order(const gb_nws_series *a, const gb_nws_series *b) {
  int order = strcmp(a->memory.host, b->memory.host);
  if (order == 0)
    order = (a->memory.port > b->memory.port) - (a->memory.port < b->memory.port);
  return order != 0 ? order : strcmp(a->name, b->name);
}

int gb_nws_series_pair(const gb_nws_series *a, const gb_nws_series *b) {
  int order = strcmp(a->from, b->from);
  return order != 0 ? order : strcmp(a->to, b->to);
}
