/* The JSON's `sources` say of every link what the plan counts with, and the text has what differs. */
#include "tests/support/overlays.h"
#include "tests/support/random_platform.h"

#include <jansson.h>

static char *print_plan(const gbcast_platform *p, enum gbcast_format format) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  gbcast_request request = {.bytes = 1000};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gbcast_plan_print(plan, format, out), GBCAST_OK);
  fclose(out);
  gbcast_plan_free(plan);
  return text;
}

/* A value now and then, some of them too old or no number. */
static void lay_some(gb_random *r, gbcast_platform *p) {
  gb_live live = {.source = "file:\"here\""};
  gbcast_error err = {""};
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *l = &p->link[i];
    gb_live_value v = {p->cluster[l->from].name,
                       p->cluster[l->to].name,
                       1e-3 * (random_below(r, 5) + 1),
                       1e-3,
                       1e6 * random_below(r, 5),
                       -1,
                       random_below(r, 900)};
    if (random_below(r, 3) > 0)
      add(&live, v);
  }
  cr_assert_eq(gb_live_overlay(p, &live, 600, &err), GBCAST_OK, "%s", err.message);
  gb_live_release(&live);
}

static double real(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  cr_assert(json_is_number(value), "%s is no number", key);
  return json_number_value(value);
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  cr_assert_not_null(text, "%s is no string", key);
  return text;
}

static void check_value(const gbcast_platform *p, const gb_link *l, const json_t *source, double value,
                        const gb_reading *r) {
  char what[64];
  snprintf(what, sizeof what, "link %s -> %s", p->cluster[l->from].name, p->cluster[l->to].name);
  cr_assert_str_eq(text_of(source, "what"), what);
  cr_assert_eq(real(source, "value"), value, "%s", what);
  const char *live = r == NULL ? "none" : text_of(source, "live");
  bool used = r != NULL && r->state == GB_READING_USED;
  cr_assert_str_eq(text_of(source, "from"), used ? "file:\"here\"" : p->file);
  cr_assert_eq(strcmp(live, "used") == 0, used);
  if (used) {
    cr_assert_eq(real(source, "age_seconds"), r->age);
    cr_assert_eq(json_is_true(json_object_get(source, "uncertain")), gb_reading_uncertain(r));
  } else {
    cr_assert(json_is_null(json_object_get(source, "age_seconds")));
  }
}

Test(sources, every_link) {
  const gb_grid_kind kind = {
      .sites = 6, .hosts = 2, .slots = 1, .caps = true, .sparse = true, .measured = true};
  for (uint64_t seed = 1; seed <= 60; seed++) {
    gb_random r = {seed};
    gbcast_platform *p = random_platform(&r, kind);
    lay_some(&r, p);
    char *text = print_plan(p, GBCAST_JSON), *table = print_plan(p, GBCAST_TEXT);
    json_error_t error;
    json_t *plan = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(plan, "%s in\n%s", error.text, text);
    const json_t *sources = json_object_get(plan, "sources");
    cr_assert_eq(json_array_size(sources), 2 * (size_t)p->link_count);
    for (uint32_t i = 0; i < p->link_count; i++) {
      const gb_link *l = &p->link[i];
      const gb_finding *f = gb_weather_of(p->weather, l->from, l->to);
      bool stream = isfinite(l->stream_bandwidth);
      const json_t *latency = json_array_get(sources, 2 * (size_t)i),
                   *rate = json_array_get(sources, 2 * (size_t)i + 1);
      check_value(p, l, latency, l->latency, f != NULL ? &f->latency : NULL);
      check_value(p, l, rate, stream ? l->stream_bandwidth : l->bandwidth, f != NULL ? &f->bandwidth : NULL);
      cr_assert_str_eq(text_of(rate, "quantity"), stream ? "stream-bandwidth" : "bandwidth");
      char row[64];
      snprintf(row, sizeof row, "\n%s -> %s ", p->cluster[l->from].name, p->cluster[l->to].name);
      bool told = f != NULL && (gb_reading_changes(&f->latency) || gb_reading_changes(&f->bandwidth) ||
                                gb_reading_uncertain(&f->latency) || f->latency.state != GB_READING_USED ||
                                f->bandwidth.state != GB_READING_USED);
      cr_assert_eq(strstr(table, row) != NULL, told, "%s%s", row, table);
    }
    json_decref(plan);
    free(table);
    free(text);
    gbcast_platform_free(p);
  }
}

/* A mesh of 40 sites in which everything differs: the text stays short. */
Test(sources, many_links) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  for (int i = 0; i < 40; i++)
    fprintf(out, "h.s%d\n", i);
  fclose(out);
  gbcast_platform *p = parse(text);
  free(text);
  out = open_memstream(&text, &length);
  for (int i = 0; i < 40; i++)
    for (int k = 0; k < 40; k++)
      fprintf(out, "s%d s%d 11\n", i, k);
  fclose(out);
  lay(p, text);
  free(text);
  text = print_plan(p, GBCAST_TEXT);
  cr_assert_not_null(strstr(text, "\n1530 more links of this kind (--format=json has every one)\n"), "%s",
                     text);
  cr_assert_not_null(strstr(text, "\n40 live values not used: within one site (s0 s0, ...)\n"), "%s", text);
  free(text);
  gbcast_platform_free(p);
}
