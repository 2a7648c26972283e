/* What gbcast-nws show prints of a survey. */
#include "nws/commands/show/show.h"
#include "tests/support/nws/world.h"

#include <jansson.h>
#include <stdlib.h>

#define CLOCK 1795228500.0

static const char *ab[] = {"a.x:8060", "b.y:8061"}, *ba[] = {"b.y:8061", "a.x:8060"};

typedef struct scene {
  world w;
  peer p;
  gb_survey survey;
} scene;

static void begin(scene *s) {
  *s = (scene){0};
  gb_nws_address ns = address("ns:8090");
  gb_survey_init(&s->survey, &ns, 8050, 5);
  s->survey.clock = CLOCK;
  world_series *bandwidth = world_add(&s->w, "bw", ab, "bandwidthTcp", "m:8050", "");
  world_series *there = world_add(&s->w, "there", ab, "latencyTcp", "m:8050", "");
  world_series *back = world_add(&s->w, "back", ba, "latencyTcp", "m:8050", "");
  world_add(&s->w, "none", ba, "bandwidthTcp", "m:8050", "");
  for (int i = 0; i < 8; i++)
    world_measure(there, CLOCK - 90 + 10 * i, 10 + i);
  world_measure(back, CLOCK - 7300, 0.057);
  world_measure(bandwidth, CLOCK - 150, 94.25);
  world_measure(bandwidth, CLOCK - 140, 1234.5);
  s->p = world_peer(&s->w);
  cr_assert(gb_survey_begin(&s->survey));
  peer_run(&s->p, &s->survey.client);
}

static void end(scene *s) {
  gb_survey_release(&s->survey);
  peer_release(&s->p);
  gb_bytes_release(&s->w.objects);
}

static char *table(const scene *s, const gb_show_window *window) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert(gb_show_table(&s->survey, CLOCK, window, out));
  fclose(out);
  return text;
}

Test(nws_show, table) {
  scene s;
  begin(&s);
  char *text = table(&s, &(gb_show_window){UINT32_MAX, UINT32_MAX, ""});
  cr_assert_str_eq(text, "SOURCE    TARGET    WHAT     LAST  FORECAST  ERROR    AGE  LATELY\n"
                         "a.x       b.y:8061  rtt ms  17.00     17.00  2.125   20 s  ▁▂▃▄▅▆▇█\n"
                         "a.x       b.y:8061  Mbit/s   1234     151.3  617.2  2 min  ▁█\n"
                         "b.y:8061  a.x       rtt ms  0.057     0.057  0.057    2 h  ▄\n");
  free(text);
  text = table(&s, &(gb_show_window){3, UINT32_MAX, "!"});
  cr_assert_str_eq(text, "SOURCE  TARGET    WHAT     LAST  FORECAST  ERROR   AGE  LATELY!\n"
                         "a.x     b.y:8061  rtt ms  17.00     17.00  2.125  20 s  ▁▂▃▄▅▆▇█!\n"
                         "and 2 more!\n");
  free(text);
  end(&s);
}

/* The newest values are those that stay. */
Test(nws_show, narrow_windows) {
  scene s;
  begin(&s);
  for (int i = 0; i < 30; i++)
    world_measure(&s.w.series[1], CLOCK - 15 + 0.1 * i, i < 29 ? 10 : 20);
  cr_assert(gb_survey_begin(&s.survey));
  peer_run(&s.p, &s.survey.client);
  for (uint32_t columns = 40; columns < 100; columns++) {
    char *text = table(&s, &(gb_show_window){UINT32_MAX, columns, "|"}), *spark = strstr(text, "▁");
    uint32_t want = columns <= 67 ? 8 : columns >= 83 ? 24 : columns - 59;
    cr_assert_eq((size_t)(strchr(spark, '|') - spark), 3 * want, "%u columns:\n%s", (unsigned)columns, text);
    cr_assert(strstr(text, "▁▁▁█|") != NULL, "%s", text);
    free(text);
  }
  end(&s);
}

Test(nws_show, json) {
  scene s;
  char *text = NULL;
  size_t length = 0;
  json_error_t error;
  begin(&s);
  FILE *out = open_memstream(&text, &length);
  cr_assert(gb_show_json(&s.survey, CLOCK, out));
  fclose(out);
  json_t *root = json_loads(text, 0, &error), *list = json_object_get(root, "series"), *first;
  cr_assert_not_null(root, "%s: %s", error.text, text);
  cr_assert_eq(strchr(text, '\n'), text + length - 1);
  cr_assert_str_eq(json_string_value(json_object_get(root, "name_server")), "ns:8090");
  cr_assert_null(json_object_get(root, "trouble"));
  cr_assert_eq(json_array_size(list), 3);
  first = json_array_get(list, 0);
  cr_assert_str_eq(json_string_value(json_object_get(first, "resource")), "latencyTcp");
  cr_assert_str_eq(json_string_value(json_object_get(first, "target")), "b.y:8061");
  cr_assert_eq(json_number_value(json_object_get(first, "last")), 17);
  cr_assert_eq(json_number_value(json_object_get(first, "forecast")), 17);
  cr_assert_eq(json_number_value(json_object_get(first, "error")), 2.125);
  cr_assert_eq(json_number_value(json_object_get(first, "age_seconds")), 20);
  cr_assert_eq(json_integer_value(json_object_get(first, "count")), 8);
  cr_assert_eq(json_array_size(json_object_get(first, "recent")), 8);
  json_decref(root);
  free(text);
  end(&s);
}

Test(nws_show, sparks_show_the_newest_values_whatever_they_are) {
  gb_nws_series s = {.count = 0};
  char text[GB_SPARK_TEXT];
  gb_show_spark(&s, UINT32_MAX, text);
  cr_assert_str_eq(text, "");
  for (uint32_t i = 0; i < 3 * GB_SERIES_RECENT + 5; i++) {
    s.recent[s.count++ % GB_SERIES_RECENT] = i < 50 ? 1e300 : i % 2 ? -1e300 : 1e308;
    gb_show_spark(&s, UINT32_MAX, text);
    cr_assert_eq(strlen(text), 3 * (s.count < GB_SERIES_RECENT ? s.count : GB_SERIES_RECENT));
  }
  cr_assert_eq(strncmp(text, "▁█▁█", 12), 0, "%s", text);
  for (uint32_t i = 0; i < GB_SERIES_RECENT; i++)
    s.recent[i] = 5;
  gb_show_spark(&s, UINT32_MAX, text);
  cr_assert_eq(strncmp(text, "▄▄▄", 9), 0, "%s", text);
}
