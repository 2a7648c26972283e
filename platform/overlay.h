/* Live values laid over the links of a platform, in two steps, so that what one rank finds in the first can
 * be sent to others that do the second:
 *
 *   gb_live (host to host, any age) --gb_weather_find--> gb_weather (site to site) --gb_overlay--> links
 *
 * Of one series (the same two names) the newest value counts. Of the series between the same two sites:
 *
 *   latency    the least: waiting, and waking a processor up, only ever add to what the way takes
 *   bandwidth  the greatest: the link can carry what one pair of hosts gets; slow hosts only take away
 *
 * and uncertain values only where there is no certain one, as the least of noisy values is too little. A
 * value that is too old or no positive number does not count, and the file's stays. */
#ifndef GB_PLATFORM_OVERLAY_H
#define GB_PLATFORM_OVERLAY_H

#include "platform/live.h"

#define GB_LIVE_MAX_AGE 600 /* s, the default */

/* Expected error over value from which a value counts as uncertain. A plan whose link is off by that much may
 * take a quarter longer than predicted: more than what most candidates are apart. */
#define GB_UNCERTAIN 0.25

/* How many times as long a latency or as fast a link, and how many times as short a latency, nobody believes.
 * A link may get slower without limit, and what the file guesses for one that it does not describe is no
 * measure of how short the way is. Else networks change by less: a hundred times is a link of the next but
 * one generation, or a queue that was never so long. Units that were mistaken for others change more: bits,
 * as iperf3 prints them, for Mbit are a million times, and most of what is us for ms, or s, is a thousand or
 * more. */
#define GB_ABSURD 1000.0

enum gb_reading_state {
  GB_READING_NONE,    /* no live value */
  GB_READING_USED,    /* the link has it */
  GB_READING_OLD,     /* older than the max age: the link keeps the file's */
  GB_READING_USELESS, /* no positive number: alike */
  GB_READING_ABSURD   /* too far from the file's (GB_ABSURD): alike */
};

typedef struct gb_reading {
  double value; /* s or bytes/s */
  double error; /* in the same unit; negative: not known */
  double age;   /* s */
  double file;  /* what the link had before, set by gb_overlay */
  uint32_t state;
  uint32_t pairs; /* series between the two sites that said something usable */
} gb_reading;

typedef struct gb_finding { /* what was found about one directed link */
  uint32_t from, to;        /* clusters */
  gb_reading latency, bandwidth;
  uint32_t plogp; /* enum gb_table_change, set by gb_overlay */
} gb_finding;

/* What became of the link's plogp table. */
enum gb_table_change {
  GB_TABLE_KEPT,
  GB_TABLE_MOVED,  /* the latency alone is live: each of its latencies changed by as much */
  GB_TABLE_DROPPED /* the bandwidth is live, and is what the table would hide */
};

/* Values that cannot be of use, by reason. */
enum gb_ignored {
  GB_IGNORED_UNKNOWN,
  GB_IGNORED_INSIDE,
  GB_IGNORED_LINKLESS,
  GB_IGNORED_UNREADABLE, /* lines of a live file */
  GB_IGNORED_KINDS
};

/* Plain data but for the first two pointers, so that it can be sent as it is. */
typedef struct gb_weather {
  char *source;
  gb_finding *finding; /* by from, then to */
  uint32_t count;
  uint32_t assumed; /* set by gb_overlay: what was there before is assumed, and not of the file */
  double max_age;
  uint32_t ignored[GB_IGNORED_KINDS]; /* values */
  char first[GB_IGNORED_KINDS]
            [256]; /* "from to" of the first of each, perhaps cut; what is wrong with a line */
} gb_weather;

/* What the values say about the links of `p`. Names are those of clusters or hosts, compared without regard
 * to case, without :port, and in a short form (up to the first dot) where only one of the two has a dot and
 * it fits hosts of one cluster only. GBCAST_EMEMORY. */
int gb_weather_find(const gbcast_platform *p, const gb_live *live, double max_age, gb_weather *out,
                    gbcast_error *err);
void gb_weather_release(gb_weather *weather);

bool gb_reading_uncertain(const gb_reading *reading);

/* Lays it over a platform that nobody else looks at yet; p->weather keeps it for the printers. `weather` is
 * taken over, also on failure. Where a link has a stream-bandwidth, the live bandwidth takes the place of
 * that: it was measured with one stream. Assumed links become links. GBCAST_EUSAGE: it is about another
 * platform, or the platform has live values already; GBCAST_EMEMORY. */
int gb_overlay(gbcast_platform *p, gb_weather *weather, gbcast_error *err);

/* Both steps. */
int gb_live_lay(gbcast_platform *p, const gb_live *live, double max_age, gbcast_error *err);

/* Whether the live value is another than that of the file. */
static inline bool gb_reading_changes(const gb_reading *reading) {
  return reading->state == GB_READING_USED && reading->value != reading->file;
}

/* What was found about a link, or NULL. */
const gb_finding *gb_weather_of(const gb_weather *weather, uint32_t from, uint32_t to);

/* For a link about which nothing was: no readings, and what it has. */
gb_finding gb_nothing_found(const gb_link *link);

#endif
