/* What live values have said about the links. */
#include "platform/platform.h"

#include <math.h>
#include <stdlib.h>

static int by_ends(const void *a, const void *b) {
  const gb_finding *x = a, *y = b;
  int order = (x->from > y->from) - (x->from < y->from);
  return order != 0 ? order : (x->to > y->to) - (x->to < y->to);
}

const gb_finding *gb_weather_of(const gb_weather *weather, uint32_t from, uint32_t to) {
  gb_finding key = {.from = from, .to = to};
  return weather->count == 0 ? NULL : bsearch(&key, weather->finding, weather->count, sizeof key, by_ends);
}

gb_finding gb_no_finding(const gb_link *link) {
  bool stream = isfinite(link->stream_bandwidth);
  return (gb_finding){.from = link->from,
                      .to = link->to,
                      .latency = {.file = link->latency},
                      .bandwidth = {.file = stream ? link->stream_bandwidth : link->bandwidth}};
}

bool gb_reading_uncertain(const gb_reading *r) {
  return r->state == GB_READING_USED && r->error > GB_UNCERTAIN * r->value;
}

void gb_weather_release(gb_weather *weather) {
  free(weather->source);
  free(weather->finding);
  *weather = (gb_weather){0};
}
