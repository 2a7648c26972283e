/* Turns measurements between hosts into what is known about each link. */
#include "platform/live/live.h"
#include "platform/live/names.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample { /* a value whose ends are known */
  uint32_t from, to;    /* clusters */
  uint32_t ends[2];     /* as named: of gb_live_names_find */
  double age;           /* never negative; INFINITY when not known */
  const gb_live_value *value;
} sample;

static int three_way(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

/* Keeps the values of a series together, the newest first; of equal age, the one that was given last. */
static int by_series(const void *a, const void *b) {
  const sample *x = a, *y = b;
  int order = three_way(x->from, y->from);
  order = order != 0 ? order : three_way(x->to, y->to);
  order = order != 0 ? order : three_way(x->ends[0], y->ends[0]);
  order = order != 0 ? order : three_way(x->ends[1], y->ends[1]);
  if (order == 0)
    order = (x->age > y->age) - (x->age < y->age);
  return order != 0 ? order : (x->value < y->value) - (x->value > y->value);
}

typedef struct range {
  double least, most;
} range;

typedef struct limits { /* of the values of a link */
  range possible, believed;
} limits;

static limits latencies(const gbcast_platform *p, const gb_link *link) {
  return (limits){{GB_LEAST_TIME, GB_MOST_TIME},
                  {p->assumed_mesh ? 0 : link->latency / GB_ABSURD, link->latency * GB_ABSURD}};
}

static limits bandwidths(const gb_link *link) {
  return (limits){{GB_LEAST_RATE, GB_MOST_RATE}, {0, link->bandwidth * GB_ABSURD}};
}

static bool is_in(const range *r, double value) {
  return value >= r->least && value <= r->most;
}

static gb_reading read_one(double value, double error, double age, const limits *l, double max_age) {
  gb_reading r = {.value = value, .error = error >= 0 ? error : -1, .age = age};
  if (value < 0)
    return r;
  if (!is_in(&l->possible, value))
    r.state = GB_READING_USELESS;
  else if (!is_in(&l->believed, value))
    r.state = GB_READING_ABSURD;
  else
    r.state = age <= max_age ? GB_READING_USED : GB_READING_OLD;
  return r;
}

/* The rank of a reading: none, useless, absurd, old, uncertain, certain. */
static int rank_of(const gb_reading *r) {
  static const int rank[] = {[GB_READING_NONE] = 0,
                             [GB_READING_USELESS] = 1,
                             [GB_READING_ABSURD] = 2,
                             [GB_READING_OLD] = 3,
                             [GB_READING_USED] = 5};
  return rank[r->state] - gb_reading_uncertain(r);
}

/* Within one series the newer value counts unless it failed and the older one ranks higher. */
static void replace(gb_reading *now, const gb_reading *older) {
  bool failed = now->state != GB_READING_USED && now->state != GB_READING_OLD;
  if (failed && rank_of(older) > rank_of(now))
    *now = *older;
}

/* Takes the better of several series between the same sites. */
static void combine(gb_reading *best, const gb_reading *r, bool rate) {
  uint32_t pairs = best->pairs + (r->state == GB_READING_USED);
  int gain = rank_of(r) - rank_of(best);
  if (gain == 0 && r->state == GB_READING_USED)
    gain = rate ? (r->value > best->value) - (r->value < best->value)
                : (r->value < best->value) - (r->value > best->value);
  if (gain == 0)
    gain = (r->age < best->age) - (r->age > best->age);
  if (gain > 0)
    *best = *r;
  best->pairs = pairs;
}

static bool same_link(const sample *a, const sample *b) {
  return a->from == b->from && a->to == b->to;
}

/* Reads the series that begins at s[0] into the finding; returns how many values it has. */
static uint32_t add_series(const gbcast_platform *p, const sample *s, uint32_t left, double max_age,
                           gb_finding *f) {
  const gb_link *link = gb_platform_link(p, s->from, s->to); /* find_samples has found it */
  const limits time = latencies(p, link), rate = bandwidths(link);
  gb_reading latency = {0}, bandwidth = {0};
  uint32_t n = 0;
  for (; n < left && same_link(&s[n], s) && s[n].ends[0] == s->ends[0] && s[n].ends[1] == s->ends[1]; n++) {
    const gb_live_value *v = s[n].value;
    gb_reading one = read_one(v->latency, v->latency_error, s[n].age, &time, max_age);
    replace(&latency, &one);
    one = read_one(v->bandwidth, v->bandwidth_error, s[n].age, &rate, max_age);
    replace(&bandwidth, &one);
  }
  combine(&f->latency, &latency, false);
  combine(&f->bandwidth, &bandwidth, true);
  return n;
}

static void ignore(gb_weather *w, enum gb_ignored why, const gb_live_value *v) {
  if (w->ignored[why]++ > 0)
    return;
  char *first = w->first[why], names[2 * GB_MAX_NAME + 2];
  (void)snprintf(names, sizeof names, "%s %s", v->from, v->to);
  (void)gb_quote(first, sizeof w->first[why], names, strlen(names));
}

/* The values between two linked sites, in `list`; the others are counted. */
static uint32_t find_samples(const gb_live_names *names, const gb_live *live, gb_weather *w, sample *list) {
  const gbcast_platform *p = names->p;
  uint32_t count = 0;
  for (uint32_t i = 0; i < live->count; i++) {
    const gb_live_value *v = &live->value[i];
    sample s = {.ends = {gb_live_names_find(names, v->from), gb_live_names_find(names, v->to)}, .value = v};
    if (s.ends[0] == GB_NONE || s.ends[1] == GB_NONE) {
      ignore(w, GB_IGNORED_UNKNOWN, v);
      continue;
    }
    s.from = s.ends[0] < p->host_count ? p->host[s.ends[0]].cluster : s.ends[0] - p->host_count;
    s.to = s.ends[1] < p->host_count ? p->host[s.ends[1]].cluster : s.ends[1] - p->host_count;
    s.age = isnan(v->age) ? INFINITY : v->age > 0 ? v->age : 0;
    if (s.from == s.to)
      ignore(w, GB_IGNORED_INSIDE, v);
    else if (gb_platform_link(p, s.from, s.to) == NULL)
      ignore(w, GB_IGNORED_LINKLESS, v);
    else
      list[count++] = s;
  }
  return count;
}

static int find_links(const gbcast_platform *p, sample *list, uint32_t count, gb_weather *w,
                      gbcast_error *err) {
  qsort(list, count, sizeof *list, by_series);
  size_t links = 0;
  for (uint32_t i = 0; i < count; i++)
    links += i == 0 || !same_link(&list[i], &list[i - 1]);
  w->finding = malloc((links + 1) * sizeof *w->finding);
  if (w->finding == NULL)
    return gb_no_memory(err);
  for (uint32_t i = 0; i < count;) {
    gb_finding *f = &w->finding[w->count++];
    *f = (gb_finding){.from = list[i].from, .to = list[i].to};
    const sample *first = &list[i];
    while (i < count && same_link(&list[i], first))
      i += add_series(p, &list[i], count - i, w->max_age, f);
  }
  return GBCAST_OK;
}

int gb_weather_find(const gbcast_platform *p, const gb_live *live, double max_age, gb_weather *out,
                    gbcast_error *err) {
  *out = (gb_weather){.max_age = max_age};
  gb_live_names names = {0};
  sample *list = malloc(((size_t)live->count + 1) * sizeof *list);
  int status = list != NULL ? gb_live_names_make(&names, p, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    uint32_t count = find_samples(&names, live, out, list);
    out->ignored[GB_IGNORED_UNREADABLE] = live->left_out;
    memcpy(out->first[GB_IGNORED_UNREADABLE], live->first, sizeof live->first);
    out->source = strdup(live->source);
    status = out->source != NULL ? find_links(p, list, count, out, err) : gb_no_memory(err);
  }
  gb_live_names_release(&names);
  free(list);
  if (status != GBCAST_OK)
    gb_weather_release(out);
  return status;
}
