/* Reads results of pScheduler in JSON: with the specification of the test, as archivers get them and
 * `pscheduler result --format=json` prints them, or the result alone. The one-way latency is the median of
 * its histogram. The round trip is the shortest: the others include time in queues. */
#include "tools/import/json.h"
#include <math.h>
#include <stdlib.h>

enum { BITS = 8, MOST_BUCKETS = 1 << 20 };

/* Reads an ISO 8601 duration of days, hours, minutes and seconds, such as PT0.0123S (s). */
static bool read_duration(const char *text, double *seconds) {
  static const struct {
    char unit;
    double seconds;
  } units[] = {{'D', 86400}, {'H', 3600}, {'M', 60}, {'S', 1}};
  bool time = false, any = false;
  *seconds = 0;
  if (text == NULL || *text++ != 'P')
    return false;
  while (*text != '\0') {
    const char *why;
    double value;
    size_t k = 0;
    if (*text == 'T' && !time) {
      time = true;
      text++;
      continue;
    }
    const size_t length = strspn(text, "0123456789.");
    while (k < 4 && text[length] != units[k].unit)
      k++;
    if (k == 4 || time != (k > 0) || !gb_read_number(text, length, 0, &value, &why))
      return false;
    *seconds += value * units[k].seconds;
    text += length + 1;
    any = true;
  }
  return any && isfinite(*seconds);
}

/* Returns the days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March on, so
 * that the leap day is their last day. */
static int count_days(int year, int month, int day) {
  const int y = year - (month <= 2), m = month <= 2 ? month + 9 : month - 3;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* Reads a time such as 2026-11-28T08:00:00Z or 2026-11-28T09:00:00+01:00. Returns s since 1970; -1: it is no
 * time. */
static double read_time(const char *text) {
  int year, month, day, hour, minute, second, hours = 0, minutes = 0, used = 0;
  char sign = '+';
  if (text == NULL ||
      sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second, &used) != 6 ||
      year < 1970)
    return -1;
  text += used;
  text += *text == '.' ? 1 + strspn(text + 1, "0123456789") : 0;
  if (strcmp(text, "Z") != 0 && sscanf(text, "%c%2d:%2d", &sign, &hours, &minutes) != 3)
    return -1;
  const double ahead = 60.0 * (60.0 * hours + minutes);
  return 86400.0 * count_days(year, month, day) + 3600.0 * hour + 60.0 * minute + second -
         (sign == '-' ? -ahead : ahead);
}

typedef struct gb_histogram_bucket {
  double value, count;
} gb_histogram_bucket;

static int compare_buckets(const void *a, const void *b) {
  const double x = ((const gb_histogram_bucket *)a)->value, y = ((const gb_histogram_bucket *)b)->value;
  return (x > y) - (x < y);
}

/* Sets *median to the latency that at least half of the packets did not exceed (s); -1: there are no packets.
 * The keys of the histogram are numbers of buckets, `width` seconds wide; its values count packets. */
static int find_median(const json_t *histogram, double width, double *median, gbcast_error *err) {
  const size_t size = json_object_size(histogram);
  const char *key, *why;
  json_t *value;
  size_t n = 0;
  double all = 0, sum = 0;
  *median = -1;
  if (size == 0 || size > MOST_BUCKETS)
    return GBCAST_OK;
  gb_histogram_bucket *bucket = malloc(sizeof *bucket * size);
  if (bucket == NULL)
    return gb_no_memory(err);
  json_object_foreach((json_t *)histogram, key, value) {
    bucket[n].count = json_number_value(value);
    if (!gb_read_number(key, strlen(key), 0, &bucket[n].value, &why) || !isfinite(bucket[n].value) ||
        !(bucket[n].count > 0))
      continue;
    all += bucket[n++].count;
  }
  qsort(bucket, n, sizeof *bucket, compare_buckets);
  for (size_t i = 0; i < n && *median < 0; i++) {
    sum += bucket[i].count;
    if (sum >= all / 2)
      *median = fmax(bucket[i].value, 0) * width;
  }
  free(bucket);
  return GBCAST_OK;
}

typedef struct gb_pscheduler_run {
  const json_t *test, *result; /* the specification, or NULL; the result */
  gb_import_sample sample;
} gb_pscheduler_run;

static int read_result(gb_import *m, gb_pscheduler_run *r, gbcast_error *err) {
  static const char *const summary[] = {"summary", "summary", NULL};
  gb_import_sample *s = &r->sample;
  const json_t *throughput = gb_import_at(r->result, summary),
               *histogram = json_object_get(r->result, "histogram-latency");
  double least;
  if (json_is_object(throughput)) {
    const double sent = gb_import_number(throughput, GB_IMPORT_PATH("throughput-bits"), -1);
    s->bandwidth = gb_import_number(throughput, GB_IMPORT_PATH("receiver-throughput-bits"), sent) / BITS;
    return gb_import_add_sample(m, s, err);
  }
  if (json_is_object(histogram)) {
    const int status = find_median(
        histogram, gb_import_number(r->test, GB_IMPORT_PATH("spec", "bucket-width"), 1e-3), &s->latency, err);
    s->latency_error = gb_import_number(r->result, GB_IMPORT_PATH("max-clock-error"), -1) * 1e-3;
    return status == GBCAST_OK ? gb_import_add_sample(m, s, err) : status;
  }
  if (read_duration(gb_import_text(r->result, GB_IMPORT_PATH("min")), &least)) {
    s->latency = least;
    s->round_trip = true;
    const int status = gb_import_add_sample(m, s, err);
    const char *from = s->from;
    s->from = s->to;
    s->to = from;
    return status == GBCAST_OK ? gb_import_add_back(m, s, err) : status;
  }
  gb_import_remark(m, &s->where,
                   "a result is left out: it has neither throughput nor latency nor round trip");
  return GBCAST_OK;
}

static int read_run(gb_import *m, const json_t *document, const gb_place *where, gbcast_error *err) {
  gb_pscheduler_run r = {.test = json_object_get(document, "test"),
                         .result = json_object_get(document, "result")};
  if (!json_is_object(document))
    return gb_fail_at(err, where, "found JSON that is no object, expected a result of pScheduler");
  if (r.result == NULL)
    r.result = document;
  if (gb_import_at(r.result, GB_IMPORT_PATH("succeeded")) == NULL)
    return gb_fail_at(err, where, "found JSON without \"succeeded\", expected a result of pScheduler");
  if (!json_is_true(json_object_get(r.result, "succeeded"))) {
    const char *why = gb_import_text(r.result, GB_IMPORT_PATH("error"));
    gb_import_remark(m, where, "a result is left out: the test failed%s%.200s", why != NULL ? ": " : "",
                     why != NULL ? why : "");
    return GBCAST_OK;
  }
  const char *source = gb_import_text(r.test, GB_IMPORT_PATH("spec", "source"));
  if (source == NULL) /* the test need not name its source if that is the first participant */
    source = json_string_value(json_array_get(json_object_get(document, "participants"), 0));
  r.sample =
      (gb_import_sample){.from = source,
                         .to = gb_import_text(r.test, GB_IMPORT_PATH("spec", "dest")),
                         .latency = -1,
                         .latency_error = -1,
                         .bandwidth = -1,
                         .time = read_time(gb_import_text(document, GB_IMPORT_PATH("run", "start-time"))),
                         .where = *where};
  return read_result(m, &r, err);
}

/* Reads a result, or an array of results. */
static int read_document(gb_import *m, const json_t *document, const gb_place *where, gbcast_error *err) {
  int status = GBCAST_OK;
  if (!json_is_array(document))
    return read_run(m, document, where, err);
  for (size_t i = 0; i < json_array_size(document) && status == GBCAST_OK; i++)
    status = read_run(m, json_array_get(document, i), where, err);
  return status;
}

int gb_import_pscheduler(gb_import *m, const char *file, const char *text, size_t length, gbcast_error *err) {
  return gb_import_json(m, file, text, length, read_document, err);
}
