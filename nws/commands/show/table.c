#include "nws/commands/show/show.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 7, TEXT = 160, GAP = 2, SPARK_LEAST = 8 };

typedef struct table_row { /* without the spark */
  char cell[COLUMNS][TEXT];
} table_row;

void gb_show_spark(const gb_nws_series *series, uint32_t most, char out[GB_SPARK_TEXT]) {
  most = most < GB_SERIES_RECENT ? most : GB_SERIES_RECENT;
  uint32_t first = series->count > most ? series->count - most : 0;
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = first; i < series->count; i++) {
    low = fmin(low, series->recent[i % GB_SERIES_RECENT]);
    high = fmax(high, series->recent[i % GB_SERIES_RECENT]);
  }
  char *at = out;
  for (uint32_t i = first; i < series->count; i++) {
    double share = (series->recent[i % GB_SERIES_RECENT] - low) / (high - low);
    int height = share >= 0 && share <= 1 ? (int)(7 * share + 0.5) : 3; /* all alike: the middle */
    memcpy(at, "\xE2\x96\x81", 3);                                      /* U+2581 is the lowest of eight */
    at[2] = (char)(at[2] + height);
    at += 3;
  }
  *at = '\0';
}

/* Four digits or so. */
static void write_value(char out[TEXT], double value) {
  double size = fabs(value);
  int decimals = size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  if (size < 1e9)
    (void)snprintf(out, TEXT, "%.*f", decimals, value);
  else
    (void)snprintf(out, TEXT, "%.3g", value);
}

static void write_age(char out[TEXT], double seconds) {
  static const struct {
    double length;
    const char *name;
  } unit[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t i = 0;
  while (i < 3 && seconds < 2 * unit[i].length)
    i++;
  (void)snprintf(out, TEXT, "%.0f %s", fmax(0, floor(seconds / unit[i].length)), unit[i].name);
}

/* Without the port, where it is every sensor's. */
static void write_host(char out[TEXT], const char *host) {
  gb_nws_address address;
  bool usual = gb_nws_address_read(gb_view_of(host), 0, &address) && address.port == GB_NWS_SENSOR_PORT;
  (void)snprintf(out, TEXT, "%.*s", usual ? (int)strcspn(host, ":") : TEXT, host);
}

static const table_row titles = {{"SOURCE", "TARGET", "WHAT", "LAST", "FORECAST", "ERROR", "AGE"}};

static table_row read_row(const gb_nws_series *s, double clock) {
  table_row r;
  gb_forecast mae = {0}, mse;
  (void)gb_forecaster_get(s->forecaster, &mae, &mse);
  write_host(r.cell[0], s->from);
  write_host(r.cell[1], s->to);
  (void)snprintf(r.cell[2], TEXT, "%s", s->kind == GB_SERIES_LATENCY ? "rtt ms" : "Mbit/s");
  write_value(r.cell[3], s->recent[(s->count - 1) % GB_SERIES_RECENT]);
  write_value(r.cell[4], mae.value);
  write_value(r.cell[5], mae.error);
  write_age(r.cell[6], clock - s->newest);
  return r;
}

static void widen(size_t width[COLUMNS], const table_row *r) {
  for (size_t i = 0; i < COLUMNS; i++) {
    size_t length = strlen(r->cell[i]);
    width[i] = length > width[i] ? length : width[i];
  }
}

/* Texts to the left, numbers to the right. */
static void print_row(const size_t width[COLUMNS], const table_row *r, const char *last, const char *end,
                      FILE *out) {
  for (size_t i = 0; i < COLUMNS; i++)
    (void)fprintf(out, i < 3 ? "%-*s%*s" : "%*s%*s", (int)width[i], r->cell[i], GAP, "");
  (void)fprintf(out, "%s%s\n", last, end);
}

/* Values of a spark, which has what the other columns leave. */
static uint32_t spark_length(const size_t width[COLUMNS], uint32_t columns) {
  size_t used = 0;
  for (size_t i = 0; i < COLUMNS; i++)
    used += width[i] + GAP;
  return columns >= used + SPARK_LEAST ? columns - (uint32_t)used : SPARK_LEAST;
}

bool gb_show_table(const gb_survey *survey, double clock, const gb_show_window *window, FILE *out) {
  const gb_nws_series **list = NULL;
  uint32_t count = 0, lines = window->lines;
  size_t width[COLUMNS] = {0};
  if (!gb_survey_current(survey, &list, &count))
    return false;
  uint32_t shown = count + 1 <= lines ? count : lines > 2 ? lines - 2 : 0;
  widen(width, &titles);
  for (uint32_t i = 0; i < shown; i++) {
    table_row r = read_row(list[i], clock);
    widen(width, &r);
  }
  print_row(width, &titles, "LATELY", window->end, out);
  for (uint32_t i = 0; i < shown; i++) {
    char spark[GB_SPARK_TEXT];
    table_row r = read_row(list[i], clock);
    gb_show_spark(list[i], spark_length(width, window->columns), spark);
    print_row(width, &r, spark, window->end, out);
  }
  if (shown < count)
    (void)fprintf(out, "and %u more%s\n", (unsigned)(count - shown), window->end);
  free(list);
  return true;
}

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
  const gb_nws_series **list = NULL;
  uint32_t count = 0;
  char server[GB_NWS_ADDRESS_TEXT];
  if (!gb_survey_current(survey, &list, &count))
    return false;
  json_t *series = json_array();
  for (uint32_t i = 0; i < count; i++)
    (void)json_array_append_new(series, describe(list[i], clock));
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
