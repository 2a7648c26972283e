/* Puts live values into the links.
 *
 *   live            link                         plogp table of the link
 *   latency         latency                      every L(m) by the same difference
 *   bandwidth       bandwidth, or where it is    dropped: the link has changed since it was measured
 *                   given stream-bandwidth
 *
 * Injection, overhead and wan-bandwidth belong to hosts and sites, which live values do not cover, and stay.
 */
#include "platform/live/live.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>

/* Every pair of clusters gets a link of its own that is like the assumed one. */
static int make_links(gbcast_platform *p, gbcast_error *err) {
  size_t n = p->cluster_count, count = n * (n - 1);
  gb_link *link = count < UINT32_MAX ? calloc(count + 1, sizeof *link) : NULL;
  if (link == NULL)
    return gb_no_memory(err);
  free(p->link);
  p->link = link;
  p->link_count = (uint32_t)count;
  for (uint32_t from = 0; from < n; from++) {
    for (uint32_t to = 0; to < n; to++)
      if (to != from) {
        *link = p->assumed;
        link->from = from;
        link++->to = to;
      }
    p->link_start[from + 1] = p->link_start[from] + p->cluster_count - 1;
  }
  p->assumed_mesh = false;
  return GBCAST_OK;
}

static void move_table(gb_plogp *table, double difference) {
  for (uint32_t i = 0; i < table->count; i++) {
    double moved = table->point[i].latency + difference;
    table->point[i].latency = moved < GB_LEAST_TIME ? 0 : moved > GB_MOST_TIME ? GB_MOST_TIME : moved;
  }
}

static void drop_table(gb_plogp *table) {
  free(table->point);
  *table = (gb_plogp){0};
}

static void change_link(gb_link *link, gb_finding *f) {
  bool stream = isfinite(link->stream_bandwidth);
  double *rate = stream ? &link->stream_bandwidth : &link->bandwidth;
  f->latency.file = link->latency;
  f->bandwidth.file = *rate;
  f->plogp = GB_TABLE_KEPT;
  if (f->bandwidth.state == GB_READING_USED)
    link->assumed_bandwidth = false;
  if (gb_reading_changes(&f->bandwidth)) {
    *rate = f->bandwidth.value;
    if (link->bandwidth < *rate) /* a stream is no faster than its link */
      link->bandwidth = *rate;
    f->plogp = link->plogp.count > 0 ? GB_TABLE_DROPPED : GB_TABLE_KEPT;
    drop_table(&link->plogp);
  }
  if (gb_reading_changes(&f->latency)) {
    move_table(&link->plogp, f->latency.value - link->latency);
    link->latency = f->latency.value;
    f->plogp = link->plogp.count > 0 ? GB_TABLE_MOVED : f->plogp;
  }
}

/* Whether gb_weather_find can have made it: it may have come from another rank. */
static bool is_reading(const gb_reading *r, double least, double most) {
  bool usable = r->state != GB_READING_USED || (r->value >= least && r->value <= most);
  return r->state <= GB_READING_ABSURD && usable && r->age >= 0 && !isnan(r->error);
}

static bool is_before(const gb_finding *a, const gb_finding *b) {
  return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static bool is_finding(const gbcast_platform *p, const gb_weather *w, uint32_t i) {
  const gb_finding *f = &w->finding[i];
  return f->from < p->cluster_count && f->to < p->cluster_count &&
         gb_platform_link(p, f->from, f->to) != NULL && (i == 0 || is_before(f - 1, f)) &&
         is_reading(&f->latency, GB_LEAST_TIME, GB_MOST_TIME) &&
         is_reading(&f->bandwidth, GB_LEAST_RATE, GB_MOST_RATE);
}

static int change_links(gbcast_platform *p, gb_weather *w, gbcast_error *err) {
  if (p->weather != NULL)
    return gb_fail(err, GBCAST_EUSAGE, "%s: live values are laid over it already", p->file);
  for (uint32_t i = 0; i < w->count; i++)
    if (!is_finding(p, w, i))
      return gb_fail(err, GBCAST_EUSAGE, "%s: live values are of another hosts file", p->file);
  p->weather = malloc(sizeof *p->weather);
  if (p->weather == NULL)
    return gb_no_memory(err);
  *p->weather = *w;
  *w = (gb_weather){0};
  w = p->weather;
  w->assumed = p->assumed_mesh;
  if (p->assumed_mesh && w->count > 0) {
    int status = make_links(p, err);
    if (status != GBCAST_OK)
      return status;
  }
  for (uint32_t i = 0; i < w->count; i++) {
    gb_finding *f = &w->finding[i];
    change_link(&p->link[gb_platform_link(p, f->from, f->to) - p->link], f);
  }
  return GBCAST_OK;
}

int gb_overlay(gbcast_platform *p, gb_weather *weather, gbcast_error *err) {
  int status = change_links(p, weather, err);
  gb_weather_release(weather);
  return status;
}

int gb_live_overlay(gbcast_platform *p, const gb_live *live, double max_age, gbcast_error *err) {
  gb_weather weather;
  int status = gb_weather_find(p, live, max_age, &weather, err);
  return status == GBCAST_OK ? gb_overlay(p, &weather, err) : status;
}

int gbcast_platform_live(gbcast_platform *platform, const char *source, double now, double max_age,
                         gbcast_error *err) {
  gb_live live = {.source = source};
  int status = gb_live_read(&live, now, err);
  if (status == GBCAST_OK)
    status = gb_live_overlay(platform, &live, max_age, err);
  gb_live_release(&live);
  return status;
}
