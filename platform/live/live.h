/* Live values: what somebody measured lately between hosts or sites, and how it changes the links of a
 * platform. Two steps, so that one rank can take the first and send what it found to others, which take the
 * second:
 *
 *   gb_live (host to host, any age) --gb_weather_find--> gb_weather (site to site) --gb_overlay--> links
 *
 * A series is the values of the same two names; its newest value counts. Of the series between the same two
 * sites:
 *
 *   latency    the least: waiting, and waking a processor up, only ever add to what the path takes
 *   bandwidth  the greatest: the link can carry what one pair of hosts gets; slow hosts only take away
 *
 * Uncertain values count only where there is no certain one, because the least of noisy values is too small.
 * A value that is too old or not a positive number does not count, and the link keeps the file's value. */
#ifndef GB_PLATFORM_LIVE_LIVE_H
#define GB_PLATFORM_LIVE_LIVE_H

#include "platform/platform.h"

/* ---- Values as they come: from a file, from a weather service ---- */

typedef struct gb_live_value { /* one direction between two hosts or sites */
  const char *from, *to;       /* host or cluster, as the source names it; a host may have :port behind it */
  double latency;              /* s, one way; negative: not known */
  double latency_error;        /* s, mean absolute error of its forecast; negative: not known */
  double bandwidth;            /* bytes/s; negative: not known */
  double bandwidth_error;      /* bytes/s */
  double age;                  /* s since it was measured */
} gb_live_value;

typedef void gb_live_report(void *context, const char *message);

typedef struct gb_live {  /* starts as {.source = ...} */
  const char *source;     /* "file:weather.txt", "nws://host:8090"; the caller's */
  gb_live_report *report; /* is called for each line that is left out; NULL: nobody is */
  void *context;          /* for `report` */
  uint32_t left_out;      /* lines that cannot be understood, */
  char first[256];        /* and what is wrong with the first */
  gb_live_value *value;
  uint32_t count, capacity;
  gb_arena names;
} gb_live;

static inline const char *gb_live_after(const char *source, const char *prefix) {
  const size_t length = strlen(prefix);
  return strncmp(source, prefix, length) == 0 ? source + length : NULL;
}

/* PATH of a source "file:PATH"; NULL for another kind. */
static inline const char *gb_live_path(const char *source) {
  return gb_live_after(source, "file:");
}

/* HOST[:PORT] of a source "nws://HOST[:PORT]"; NULL for another kind. */
static inline const char *gb_live_service(const char *source) {
  return gb_live_after(source, "nws://");
}

/* Adds a copy, names and all. GBCAST_EMEMORY. */
int gb_live_add(gb_live *live, const gb_live_value *value, gbcast_error *err);
void gb_live_release(gb_live *live);

/* Adds the lines of a live file (gbcast-hosts(5)). `file` stands for it in messages. Lines with a time= are
 * as old as `now` (s since 1970) minus that time. Lines that cannot be understood are left out and reported
 * with line and column; the other lines count all the same. GBCAST_EMEMORY. */
int gb_live_parse(gb_live *live, const char *text, size_t length, const char *file, double now,
                  gbcast_error *err);

/* The same for live->source: "file:PATH", or "-" for standard input. GBCAST_EINPUT: it cannot be read;
 * GBCAST_EUSAGE: another kind of source. */
int gb_live_read(gb_live *live, double now, gbcast_error *err);

/* ---- From values to what is known of each link ---- */

#define GB_LIVE_MAX_AGE 600 /* s, the default */

/* How many times as long a latency, how many times as fast a link, and how many times as short a latency are
 * taken for an error. A link may get slower without limit, and a latency that the file only assumes is no
 * measure of how short the real one is. Real networks change by less: a hundred times is a link two
 * generations later, or a queue that was never so long. Mistaken units change more: bits, as iperf3 prints
 * them, read as Mbit are a million times, and most values in us read as ms, or as s, a thousand or more. */
#define GB_ABSURD 1000.0

/* What the values say about the links of `p`. Names are those of clusters or hosts, compared without regard
 * to case, without :port, and in a short form (up to the first dot) where only one of the two has a dot and
 * it fits hosts of one cluster only. GBCAST_EMEMORY. */
int gb_weather_find(const gbcast_platform *p, const gb_live *live, double max_age, gb_weather *out,
                    gbcast_error *err);

/* ---- Into the links ---- */

/* Changes the links of a platform that nobody else looks at yet; p->weather keeps the findings for the
 * printers. `weather` is taken over, also on failure. Where a link has a stream-bandwidth, the live bandwidth
 * replaces that one, because it was measured with one stream. Assumed links become links. GBCAST_EUSAGE: it
 * is about another platform, or the platform has live values already; GBCAST_EMEMORY. */
int gb_overlay(gbcast_platform *p, gb_weather *weather, gbcast_error *err);

/* gb_weather_find, then gb_overlay. */
int gb_live_overlay(gbcast_platform *p, const gb_live *live, double max_age, gbcast_error *err);

#endif
