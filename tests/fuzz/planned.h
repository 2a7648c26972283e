/* A platform that was read: it prints as what reads back as the same, and what is planned on it holds. */
#ifndef GB_TESTS_FUZZ_PLANNED_H
#define GB_TESTS_FUZZ_PLANNED_H

#include "fuzz.h"

#include "platform/platform.h"
#include <gbcast/plan.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Planning on more takes too long to be tried thousands of times. */
enum { PLANNED_SLOTS = 12, PLANNED_CLUSTERS = 5, PLANNED_SWITCHES = 24 };

/* Whatever file a hosts file names. */
static struct {
  const char *text;
  size_t length;
} beside;

/* The linker puts this in the reader's place. */
int __wrap_gb_read_file(const char *path, const gb_place *where, const char *shown, char **text,
                        size_t *length, gbcast_error *err);
int __wrap_gb_read_file(const char *path, const gb_place *where, const char *shown, char **text,
                        size_t *length, gbcast_error *err) {
  must(path != NULL && where != NULL && shown != NULL && err != NULL);
  *text = malloc(beside.length); /* NULL for nothing, as of an empty file */
  must(*text != NULL || beside.length == 0);
  if (beside.length > 0)
    memcpy(*text, beside.text, beside.length);
  *length = beside.length;
  return GBCAST_OK;
}

/* The message begins NAME:LINE:COLUMN: and is one line. */
static inline void must_tell_where(const gbcast_error *err, const char *name) {
  unsigned line, column;
  int end = 0;
  size_t length = strlen(name);
  must(strncmp(err->message, name, length) == 0);
  must(sscanf(err->message + length, ":%u:%u: %n", &line, &column, &end) == 2 && end > 0);
  must(err->message[length + (size_t)end] != '\0' && strchr(err->message, '\n') == NULL);
}

static inline char *printed(const gbcast_platform *p, int print(const gbcast_platform *p, FILE *out)) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  must(out != NULL && print(p, out) == GBCAST_OK && fclose(out) == 0);
  return text;
}

/* Its links can be planned on, and it reads back as it prints. */
static inline void must_hold(const gbcast_platform *p) {
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *l = &p->link[i];
    must(l->latency >= GB_LEAST_TIME && l->latency <= GB_MOST_TIME);
    must(l->bandwidth >= GB_LEAST_RATE && l->bandwidth <= GB_MOST_RATE);
    must(l->stream_bandwidth == INFINITY || l->stream_bandwidth <= l->bandwidth);
    for (uint32_t k = 0; k < l->plogp.count; k++)
      must(l->plogp.point[k].latency >= 0 && isfinite(l->plogp.point[k].latency));
  }
  gbcast_platform *again = NULL;
  char *text = printed(p, gbcast_platform_print), *live = printed(p, gbcast_platform_print_live);
  must(gbcast_platform_parse(text, strlen(text), "printed", &again, NULL) == GBCAST_OK);
  char *second = printed(again, gbcast_platform_print);
  must(p->run_count == again->run_count && memcmp(p->run, again->run, p->run_count * sizeof *p->run) == 0);
  must(strcmp(text, second) == 0 && (p->weather == NULL) == (live[0] == '\0'));
  gbcast_platform_free(again);
  free(text);
  free(second);
  free(live);
}

static inline void must_print(const gbcast_plan *plan, enum gbcast_format format) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  must(out != NULL);
  int status = gbcast_plan_print(plan, format, out);
  must(fclose(out) == 0 && (status == GBCAST_OK || format == GBCAST_C));
  if (format == GBCAST_JSON) {
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    must(json != NULL);
    json_decref(json);
  }
  free(text);
}

/* A request that may be one for something else than this platform. */
static inline void check_plan(const gbcast_platform *p, const gbcast_request *request, bool fits) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  if (gbcast_platform_slots(p) > PLANNED_SLOTS || p->cluster_count > PLANNED_CLUSTERS ||
      p->switch_count > PLANNED_SWITCHES)
    return;
  if (gbcast_plan_make(p, request, &plan, &err) != GBCAST_OK) {
    must(!fits && plan == NULL && err.message[0] != '\0');
    return;
  }
  must(gbcast_plan_check(plan, &err) == GBCAST_OK);
  double predicted = gbcast_plan_predicted(plan), bound = gbcast_plan_lower_bound(plan);
  must(isfinite(predicted) && isfinite(bound) && predicted >= 0 && bound >= 0);
  must_print(plan, GBCAST_TEXT);
  must_print(plan, GBCAST_JSON);
  must_print(plan, GBCAST_COMPARE);
  must_print(plan, GBCAST_C);
  gbcast_plan_free(plan);
}

/* One request, chosen by the input: a corpus asks for everything in time. */
static inline void check_some_plan(const gbcast_platform *p, const uint8_t *data, size_t size) {
  static const uint64_t bytes[] = {0, 1, 1000, 65536, 1000000};
  uint64_t pick = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    pick = (pick ^ data[i]) * 1099511628211u;
  gbcast_request request = {.operation = (enum gbcast_operation)((pick >> 8) % 3),
                            .bytes = bytes[(pick >> 16) % 5]};
  if (request.operation == GBCAST_BCAST)
    request.lanes = (uint32_t)((pick >> 24) % 3);
  check_plan(p, &request, true);
}

/* Reads a hosts file, which may be wrong. `data` chooses what is planned. */
static inline void check_hosts(const char *text, size_t length, const uint8_t *data, size_t size) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  int status = gbcast_platform_parse(text, length, "hosts", &p, &err);
  if (status != GBCAST_OK) {
    must(status == GBCAST_EINPUT && p == NULL);
    must_tell_where(&err, "hosts");
    return;
  }
  must_hold(p);
  check_some_plan(p, data, size);
  gbcast_platform_free(p);
}

#endif
