#include "nws/commands/show/table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* JSON knows no infinity. */
static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *values(const gb_nws_series *s) {
  json_t *list = json_array();
  for (uint32_t i = s->count > GB_SERIES_RECENT ? s->count - GB_SERIES_RECENT : 0; i < s->count; i++)
    (void)json_array_append_new(list, number(s->recent[i % GB_SERIES_RECENT]));
  return list;
}

/* The name of a series is somebody else's bytes; that of a host has letters, digits, - _ and . alone. */
static json_t *quoted(const char *name) {
  char text[GB_QUOTED(GB_NWS_NAME_MOST)];
  return json_string(gb_quote(text, sizeof text, name, strlen(name)));
}

static json_t *describe(const gb_nws_series *s, double clock) {
  gb_forecast mae = {0}, mse;
  char memory[GB_NWS_ADDRESS_TEXT];
  bool latency = s->kind == GB_SERIES_LATENCY;
  (void)gb_forecaster_get(s->forecaster, &mae, &mse);
  gb_nws_address_write(&s->memory, memory);
  return json_pack("{s:o, s:o, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:I, s:o}", "source",
                   json_string(s->from), "target", json_string(s->to), "resource",
                   latency ? GB_NWS_LATENCY : GB_NWS_BANDWIDTH, "unit", latency ? "ms, round trip" : "Mbit/s",
                   "name", quoted(s->name), "memory", memory, "last",
                   number(s->recent[(s->count - 1) % GB_SERIES_RECENT]), "forecast", number(mae.value),
                   "error", number(mae.error), "age_seconds", number(fmax(0, clock - s->newest)), "count",
                   (json_int_t)s->count, "recent", values(s));
}

bool gb_show_json(const gb_survey *survey, double clock, FILE *out) {
  gb_nws_series_ref *list = NULL;
  uint32_t count = 0;
  char server[GB_NWS_ADDRESS_TEXT];
  if (!gb_survey_current(survey, &list, &count))
    return false;
  json_t *series = json_array();
  for (uint32_t i = 0; i < count; i++)
    (void)json_array_append_new(series, describe(list[i].series, clock));
  bool all = json_array_size(series) == count;
  free(list);
  gb_nws_address_write(&survey->name_server, server);
  json_t *root = json_pack("{s:s, s:s, s:f, s:o}", "schema", "gbcast-nws-show/1", "name_server", server,
                           "time", clock, "series", series);
  if (root != NULL && survey->trouble.message[0] != '\0')
    all = json_object_set_new(root, "trouble", json_string(survey->trouble.message)) == 0 && all;
  all = root != NULL && all && json_dumpf(root, out, JSON_REAL_PRECISION(12)) == 0;
  (void)putc('\n', out);
  json_decref(root);
  return all;
}
