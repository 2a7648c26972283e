#include "nws/show/table.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 8, TEXT = 160 };

typedef struct row {
  char cell[COLUMNS][TEXT];
} row;

void gb_show_spark(const gb_nws_series *series, char out[GB_SPARK_TEXT]) {
  uint32_t first = series->count > GB_SERIES_RECENT ? series->count - GB_SERIES_RECENT : 0;
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
static void write_value(char out[TEXT], double value, const char *unit) {
  double size = fabs(value);
  int decimals = size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  if (size < 1e9)
    (void)snprintf(out, TEXT, "%.*f %s", decimals, value, unit);
  else
    (void)snprintf(out, TEXT, "%.3g %s", value, unit);
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

static row titles(void) {
  return (row){{"SOURCE", "TARGET", "WHAT", "LAST", "FORECAST", "ERROR", "AGE", "LATELY"}};
}

static row read_row(const gb_nws_series *s, double clock) {
  row r;
  gb_forecast mae = {0}, mse;
  bool latency = s->kind == GB_SERIES_LATENCY;
  const char *unit = latency ? "ms" : "Mbit/s";
  (void)gb_forecaster_get(s->forecaster, &mae, &mse);
  (void)snprintf(r.cell[0], TEXT, "%s", s->from);
  (void)snprintf(r.cell[1], TEXT, "%s", s->to);
  (void)snprintf(r.cell[2], TEXT, "%s", latency ? "round trip" : "bandwidth");
  write_value(r.cell[3], s->recent[(s->count - 1) % GB_SERIES_RECENT], unit);
  write_value(r.cell[4], mae.value, unit);
  write_value(r.cell[5], mae.error, unit);
  write_age(r.cell[6], clock - s->newest);
  gb_show_spark(s, r.cell[7]);
  return r;
}

static void widen(size_t width[COLUMNS], const row *r) {
  for (size_t i = 0; i < COLUMNS - 1; i++) {
    size_t length = strlen(r->cell[i]);
    width[i] = length > width[i] ? length : width[i];
  }
}

/* Texts to the left, numbers to the right. */
static void print_row(const size_t width[COLUMNS], const row *r, const char *end, FILE *out) {
  for (size_t i = 0; i < COLUMNS - 1; i++)
    (void)fprintf(out, i < 3 ? "%-*s  " : "%*s  ", (int)width[i], r->cell[i]);
  (void)fprintf(out, "%s%s\n", r->cell[COLUMNS - 1], end);
}

bool gb_show_table(const gb_survey *survey, double clock, uint32_t lines, const char *end, FILE *out) {
  gb_series_ref *list = NULL;
  uint32_t count = 0;
  size_t width[COLUMNS] = {0};
  row r = titles();
  if (!gb_survey_current(survey, &list, &count))
    return false;
  uint32_t shown = count + 1 <= lines ? count : lines > 2 ? lines - 2 : 0;
  widen(width, &r);
  for (uint32_t i = 0; i < shown; i++) {
    r = read_row(list[i].series, clock);
    widen(width, &r);
  }
  r = titles();
  print_row(width, &r, end, out);
  for (uint32_t i = 0; i < shown; i++) {
    r = read_row(list[i].series, clock);
    print_row(width, &r, end, out);
  }
  if (shown < count)
    (void)fprintf(out, "and %u more%s\n", (unsigned)(count - shown), end);
  free(list);
  return true;
}
