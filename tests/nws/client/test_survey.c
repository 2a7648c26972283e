/* Rounds of a survey, and live values from it. */
#include "nws/client/client.h"
#include "tests/support/nws/world.h"

#include <stdlib.h>

#define CLOCK 1795228500.0

static const char *ab[] = {"a.x:8060", "b.y:8060"}, *ba[] = {"b.y:8060", "a.x:8060"};
static const char lat_ab[] = "a.x:8060.latencyTcp.b.y:8060", lat_ba[] = "b.y:8060.latencyTcp.a.x:8060";
static const char bw_ab[] = "a.x:8060.bandwidthTcp.32.16.64.b.y:8060";
static const char long_ab[] = "a.x:8060.bandwidthTcp.32.16.1024.b.y:8060";

static void init(gb_survey *s) {
  gb_nws_address ns = address("ns:8090");
  gb_survey_init(s, &ns, 8050, 5);
  s->clock = CLOCK;
}

static void survey_round(gb_survey *s, peer *p) {
  cr_assert(gb_survey_begin(s));
  peer_run(p, &s->client);
  cr_assert(!gb_survey_busy(s));
}

static const gb_nws_series *series(const gb_survey *s, const char *memory, const char *name) {
  gb_nws_address at = address(memory);
  const gb_nws_series *found = gb_survey_find(s, &at, name);
  cr_assert_not_null(found, "no %s in %s", name, memory);
  return found;
}

static void release(world *w, peer *p, gb_survey *s) {
  gb_survey_release(s);
  peer_release(p);
  gb_bytes_release(&w->objects);
}

/* The forecast that a fresh forecaster makes of the records. */
static gb_forecast expected(const world_series *s, double *last) {
  gb_forecaster *f = gb_forecaster_new();
  gb_forecast mae, mse;
  for (uint32_t i = 0; i < s->count; i++)
    gb_forecaster_add(f, s->record[i].value);
  cr_assert(gb_forecaster_get(f, &mae, &mse));
  gb_forecaster_free(f);
  *last = s->record[s->count - 1].time;
  return mae;
}

/* A survey holds, and makes live values of, what `s` has. */
static void check_latency(const gb_survey *survey, const world_series *s) {
  double last = 0;
  gb_forecast f = expected(s, &last);
  const gb_nws_series *found = series(survey, s->memory, s->name);
  cr_assert_eq(found->count, s->count);
  cr_assert_eq(found->newest, last);
  gb_live live = {.source = "test"};
  gbcast_error err;
  cr_assert_eq(gb_nws_weather_values(survey, CLOCK, &live, &err), GBCAST_OK);
  bool seen = false;
  for (uint32_t i = 0; i < live.count; i++) {
    const gb_live_value *v = &live.value[i];
    if (strcmp(v->from, found->from) != 0 || strcmp(v->to, found->to) != 0 || v->latency < 0)
      continue;
    cr_assert_float_eq(v->latency, f.value * 0.5e-3, 1e-12);
    cr_assert_float_eq(v->latency_error, f.error * 0.5e-3, 1e-12);
    cr_assert_float_eq(v->age, CLOCK - last, 1e-6);
    cr_assert_lt(v->bandwidth, 0);
    seen = true;
  }
  cr_assert(seen);
  gb_live_release(&live);
}

Test(nws_survey, rounds_fetch_what_is_new) {
  world w = {0};
  world_series *s = world_add(&w, lat_ab, ab, "latencyTcp", "m1:8050", ""), *t;
  t = world_add(&w, lat_ba, ba, "latencyTcp", "m2:9050", "");
  t->oldest_first = true;
  for (uint32_t i = 0; i < 20; i++) {
    world_measure(s, CLOCK - 400 + 10 * i, 10 + i % 3);
    world_measure(t, CLOCK - 400 + 10 * i, 20 + i % 4);
  }
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  for (p.chunk = 1; p.chunk < 10000; p.chunk *= 7) {
    w.records = 0;
    survey_round(&survey, &p);
    cr_assert_eq(w.records, p.chunk == 1 ? 40 : 1);
    check_latency(&survey, s);
    check_latency(&survey, t);
    cr_assert_null(strchr(survey.trouble.message, ' '), "%s", survey.trouble.message);
    world_measure(s, s->record[s->count - 1].time + 10, 11);
  }
  cr_assert_eq(survey.rounds, 5);
  cr_assert_eq(w.searches, 5);
  cr_assert_eq(w.fetches, 10);
  release(&w, &p, &survey);
}

Test(nws_survey, attributes_are_checked_again) {
  world w = {0};
  world_add(&w, "n1", ab, "latencyTcp", "m:8050", "");
  world_add(&w, "n2", ab, "noLatencyTcp", "m:8050", "resource2:latencyTcp\tdataresource:latencyTcp\t");
  world_add(&w, "n3", ab, "connectTimeTcp", "m:8050", "xresource:latencyTcp\t");
  world_add(&w, "n4", ab, "latencyTcp", "not an address", "");
  world_add(&w, "n5", (const char *[]){"A.x", "B.Y:99"}, "latencyTcp", "m", "");
  world_add(&w, "n7", (const char *[]){"a\x1b[2J:1", "b:1"}, "latencyTcp", "m:8050", "");
  const char half[] = "name:n6\tobjectclass:nwsSeries\tresource:latencyTcp\tmemory:m:8050\thost:a\t\t";
  gb_put(&w.objects, half, sizeof half - 1);
  char name[200];
  memset(name, 'n', sizeof name);
  name[GB_NWS_NAME_MOST + 1] = '\0';
  world_add(&w, name, ab, "latencyTcp", "m:8050", "");
  w.count = 0; /* memories know nothing */
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_eq(survey.count, 2);
  (void)series(&survey, "m:8050", "n1");
  const gb_nws_series *plain = series(&survey, "m:8050", "n5"); /* the default ports */
  cr_assert_str_eq(plain->from, "a.x:8060");
  cr_assert_str_eq(plain->to, "b.y:99");
  cr_assert_eq(survey.trouble.message[0], '\0', "%s", survey.trouble.message);
  release(&w, &p, &survey);
}

static uint32_t current(const gb_survey *s, const char *memory) {
  const gb_nws_series **list = NULL;
  uint32_t count = 0;
  cr_assert(gb_survey_current(s, &list, &count));
  for (uint32_t i = 0; i < count; i++)
    cr_assert_str_eq(list[i]->memory.host, memory);
  free(list);
  return count;
}

Test(nws_survey, of_objects_with_one_name_the_newest_with_measurements_counts) {
  world w = {0};
  world_measure(world_add(&w, lat_ab, ab, "latencyTcp", "old:8050", ""), CLOCK - 5, 1);
  world_series *newest = world_add(&w, lat_ab, ab, "latencyTcp", "new:8050", "");
  world_add(&w, lat_ab, ab, "latencyTcp", "old:8050", "label:again\t"); /* listed twice, and last */
  world_add(&w, lat_ab, ab, "latencyTcp", "new:8050", "label:moved\t");
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_eq(survey.count, 2);
  cr_assert_eq(current(&survey, "old"), 1);
  world_measure(newest, CLOCK - 3, 2);
  survey_round(&survey, &p);
  cr_assert_eq(current(&survey, "new"), 1);
  release(&w, &p, &survey);
}

Test(nws_survey, a_dead_memory_costs_its_own_series_alone) {
  world w = {0};
  world_series *good = world_add(&w, lat_ab, ab, "latencyTcp", "m:8051", "");
  world_measure(good, CLOCK - 5, 1);
  world_measure(world_add(&w, lat_ba, ba, "latencyTcp", "dead:8050", ""), CLOCK - 5, 1);
  peer p = world_peer(&w);
  p.refused = 8050;
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  check_latency(&survey, good);
  cr_assert_eq(survey.failed, 1);
  cr_assert_str_eq(survey.trouble.message, "dead:8050: refused");
  p.refused = 8090; /* and then the name server: what is known stays */
  survey_round(&survey, &p);
  check_latency(&survey, good);
  cr_assert_str_eq(survey.trouble.message, "ns:8090: refused");
  p.refused = 0;
  survey_round(&survey, &p);
  cr_assert_eq(survey.failed, 0, "what failed in an earlier round still counts");
  cr_assert_str_empty(survey.trouble.message);
  release(&w, &p, &survey);
}

Test(nws_survey, lies) {
  world w = {0};
  world_series *s = world_add(&w, lat_ab, ab, "latencyTcp", "m:8050", "");
  world_measure(s, CLOCK - 30, 12);
  world_measure(s, CLOCK + 1e6, 1); /* in ten days; its store, too */
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  const gb_nws_series *found = series(&survey, "m:8050", lat_ab);
  cr_assert_eq(found->count, 1);
  cr_assert_eq(found->newest, CLOCK - 30);
  cr_assert_eq(found->sequence, 0);
  cr_assert_str_eq(survey.trouble.message,
                   "a.x:8060.latencyTcp.b.y:8060 in m:8050: 1 of 2 measurements are left "
                   "out; the last is 1000000 s from now: is a clock wrong?");
  s->count = 1;
  world_measure(s, CLOCK - 20, -5); /* no round trip takes that */
  survey_round(&survey, &p);
  found = series(&survey, "m:8050", lat_ab);
  cr_assert_eq(found->count, 1);
  cr_assert_eq(found->sequence, CLOCK - 20);
  cr_assert_not_null(strstr(survey.trouble.message, "the last is -5 ms, expected 0 to 60000"), "%s",
                     survey.trouble.message);
  world_measure(s, CLOCK - 19, 1e13);
  survey_round(&survey, &p);
  gb_live live = {.source = "test"};
  cr_assert_eq(gb_nws_weather_values(&survey, CLOCK, &live, NULL), GBCAST_OK);
  for (uint32_t i = 0; i < live.count; i++)
    cr_assert(isfinite(live.value[i].latency) && live.value[i].latency > 0);
  gb_live_release(&live);
  release(&w, &p, &survey);
}

/* The greatest value that is believed, and the next one. */
Test(nws_survey, bounds) {
  static const struct {
    const char *name, *resource;
    double most;
  } kinds[] = {{lat_ab, "latencyTcp", GB_SERIES_ROUND_TRIP_MOST},
               {bw_ab, "bandwidthTcp", GB_SERIES_BANDWIDTH_MOST}};
  for (size_t i = 0; i < 2; i++) {
    world w = {0};
    world_series *s = world_add(&w, kinds[i].name, ab, kinds[i].resource, "m:8050", "");
    world_measure(s, CLOCK - 30, 0);
    world_measure(s, CLOCK - 20, kinds[i].most);
    peer p = world_peer(&w);
    gb_survey survey;
    init(&survey);
    survey_round(&survey, &p);
    cr_assert_eq(series(&survey, "m:8050", kinds[i].name)->count, 2);
    cr_assert_str_eq(survey.trouble.message, "");
    world_measure(s, CLOCK - 10, kinds[i].most * (1 + 1e-9));
    world_measure(s, CLOCK + GB_SERIES_AHEAD, 1);
    survey_round(&survey, &p);
    cr_assert_eq(series(&survey, "m:8050", kinds[i].name)->count, 3);
    cr_assert_not_null(strstr(survey.trouble.message, "1 of 2 measurements are left out"));
    release(&w, &p, &survey);
  }
}

Test(nws_survey, too_many_series) {
  world w = {0};
  for (uint32_t i = 0; i < GB_SURVEY_MOST + 100; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "s%u", (unsigned)i);
    world_add(&w, name, ab, "latencyTcp", "m:8050", "");
    w.count = 0;
  }
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_eq(survey.count, GB_SURVEY_MOST);
  cr_assert_eq(survey.left_out, 100);
  cr_assert_str_eq(survey.trouble.message, "ns:8090: lists 100 series more than the 4096 that are looked at");
  release(&w, &p, &survey);
}

/* The value with a bandwidth from a to b. */
static gb_live_value bandwidth(const gb_survey *survey, uint32_t count) {
  gb_live live = {.source = "test"};
  gb_live_value found = {.bandwidth = -1};
  cr_assert_eq(gb_nws_weather_values(survey, CLOCK, &live, NULL), GBCAST_OK);
  cr_assert_eq(live.count, count);
  for (uint32_t i = 0; i < live.count; i++)
    if (live.value[i].bandwidth > 0)
      found = live.value[i];
  gb_live_release(&live);
  return found;
}

static world_series *add_burst(world *w) {
  return world_add(w, bw_ab, ab, "bandwidthTcp", "m:8050",
                   "option:buffer,message,size,target\tbuffer:32\tmessage:16\tsize:64\t");
}

Test(nws_survey, bandwidths) {
  world w = {0};
  world_series *latency = world_add(&w, lat_ab, ab, "latencyTcp", "m:8050", ""), *burst = add_burst(&w);
  for (uint32_t i = 0; i < 60; i++) {
    world_measure(latency, CLOCK - 400 + i, 0.2); /* ms: 12.5 MB/s times that fits into the first window */
    world_measure(burst, CLOCK - 500 + i, 65536 * 8 / (65536 / 12.5e6 + 0.2e-3) / 1e6);
  }
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  gb_live_value v = bandwidth(&survey, 2);
  cr_assert_float_eq(v.bandwidth, 12.5e6, 10);
  cr_assert_float_eq(v.age, 441, 1e-6);
  cr_assert_lt(v.latency, 0);
  gb_survey_release(&survey);
  for (uint32_t i = 0; i < 60; i++)
    latency->record[i].value = 40; /* the burst took less than a round trip: nothing to learn */
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_lt(bandwidth(&survey, 1).bandwidth, 0);
  world_series *steady = world_add(&w, long_ab, ab, "bandwidthTcp", "m:8050", "size:1048576\t"); /* 1 GiB */
  world_measure(steady, CLOCK - 7, 94.5);
  survey_round(&survey, &p);
  v = bandwidth(&survey, 2);
  cr_assert_float_eq(v.bandwidth, 94.5e6 / 8, 1);
  cr_assert_float_eq(v.age, 7, 1e-6);
  cr_assert_geq(v.bandwidth_error, v.bandwidth); /* of a single measurement */
  release(&w, &p, &survey);
}

/* Other traffic fills a link of 1 Mbit/s: three of four round trips meet its queue, and the bursts take half
 * a second. They waited for the way and not for the queue: with 300 ms nothing would be left for the link. */
Test(nws_survey, a_full_link_is_slow) {
  world w = {0};
  world_series *latency = world_add(&w, lat_ab, ab, "latencyTcp", "m:8050", ""), *burst = add_burst(&w);
  for (uint32_t i = 0; i < 60; i++) {
    world_measure(latency, CLOCK - 400 + i, i % 4 == 0 ? 80 : 300);
    world_measure(burst, CLOCK - 500 + i, 65536 * 8 / (65536 / 125e3 + 80e-3) / 1e6);
  }
  peer p = world_peer(&w);
  gb_survey survey;
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_float_eq(bandwidth(&survey, 2).bandwidth, 125e3, 10);
  gb_survey_release(&survey);
  for (uint32_t i = 48; i < 60; i++)
    latency->record[i].value = 300; /* the way has become longer */
  init(&survey);
  survey_round(&survey, &p);
  cr_assert_lt(bandwidth(&survey, 1).bandwidth, 0);
  release(&w, &p, &survey);
}
