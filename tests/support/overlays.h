/* What the tests of live values share. */
#ifndef GB_TESTS_SUPPORT_OVERLAYS_H
#define GB_TESTS_SUPPORT_OVERLAYS_H

#include "plan/core/core.h"
#include "platform/live/live.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline char *print(const gbcast_platform *p) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_platform_print(p, out), GBCAST_OK);
  fclose(out);
  return text;
}

static inline gbcast_platform *parse(const char *text) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(text, strlen(text), "hosts", &p, &err), GBCAST_OK, "%s", err.message);
  return p;
}

/* Lays the lines of a live file over it. */
static inline void lay(gbcast_platform *p, const char *lines) {
  gb_live live = {.source = "file:live"};
  gbcast_error err = {""};
  cr_assert_eq(gb_live_parse(&live, lines, strlen(lines), "live", 0, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_live_overlay(p, &live, GB_LIVE_MAX_AGE, &err), GBCAST_OK, "%s", err.message);
  gb_live_release(&live);
}

static inline const gb_link *link_of(const gbcast_platform *p, const char *from, const char *to) {
  return gb_platform_link(p, gb_platform_find_cluster(p, from), gb_platform_find_cluster(p, to));
}

static inline const gb_finding *found(const gbcast_platform *p, const char *from, const char *to) {
  return gb_weather_of(p->weather, gb_platform_find_cluster(p, from), gb_platform_find_cluster(p, to));
}

static inline uint64_t hash(const gbcast_platform *p) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  gbcast_request request = {.bytes = 100000};
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_OK, "%s", err.message);
  uint64_t h = gbcast_plan_hash(plan);
  gbcast_plan_free(plan);
  return h;
}

static inline void add(gb_live *live, gb_live_value value) {
  gbcast_error err = {""};
  cr_assert_eq(gb_live_add(live, &value, &err), GBCAST_OK, "%s", err.message);
}

#endif
