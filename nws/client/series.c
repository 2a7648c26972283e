#include "nws/client/survey.h"

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

static double most_of(const gb_nws_series *s) {
  return s->kind == GB_SERIES_LATENCY ? GB_SERIES_ROUND_TRIP_MOST : GB_SERIES_BANDWIDTH_MOST;
}

static bool is_future(const gb_measurement *m, double clock) {
  return !(m->time <= clock + GB_SERIES_AHEAD);
}

static bool is_sound(const gb_nws_series *s, const gb_measurement *m, double clock) {
  return !is_future(m, clock) && m->value >= 0 && m->value <= most_of(s);
}

static bool take_all(gb_nws_series *s, const gb_measurement *newest_first, uint32_t count, double clock) {
  double before = s->count > 0 ? s->newest : -INFINITY;
  if (s->forecaster == NULL && count > 0)
    s->forecaster = gb_forecaster_new();
  if (s->forecaster == NULL)
    return count == 0;
  for (uint32_t i = count; i-- > 0;) {
    gb_measurement m = newest_first[i];
    if (!is_sound(s, &m, clock)) {
      s->refused.count++;
      s->refused.newest = m;
      continue;
    }
    if (m.time <= before)
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
  uint32_t count;
  gb_measurement *list = gb_records_read(state, &count); /* without what is no number */
  if (list == NULL)
    return false;
  series->refused = (gb_series_refused){state->record_count - count, state->record_count, {0, NAN}};
  bool taken = take_all(series, list, count, clock);
  free(list);
  if (taken && state->sequence > series->sequence && state->sequence <= clock + GB_SERIES_AHEAD)
    series->sequence = state->sequence;
  return taken;
}

void gb_nws_series_tell_refused(const gb_nws_series *s, double clock, gbcast_error *out) {
  const gb_series_refused *r = &s->refused;
  const char *unit = s->kind == GB_SERIES_LATENCY ? "ms" : "Mbit/s";
  char name[GB_QUOTED(GB_NWS_NAME_MOST)], why[128];
  if (is_future(&r->newest, clock))
    (void)snprintf(why, sizeof why, "is %.0f s from now: is a clock wrong?", r->newest.time - clock);
  else if (isnan(r->newest.value))
    (void)snprintf(why, sizeof why, "is no number");
  else
    (void)snprintf(why, sizeof why, "is %g %s, expected 0 to %g", r->newest.value, unit, most_of(s));
  (void)gb_fail(out, GBCAST_EINPUT, "%s in %s:%u: %u of %u measurements are left out; the last %s",
                gb_quote(name, sizeof name, s->name, strlen(s->name)), s->memory.host,
                (unsigned)s->memory.port, (unsigned)r->count, (unsigned)r->of, why);
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
