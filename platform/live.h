/* Values of links as somebody measured them lately, as they come: from a file, from a weather service. What
 * they do to a platform is in platform/overlay.h. */
#ifndef GB_PLATFORM_LIVE_H
#define GB_PLATFORM_LIVE_H

#include "platform/names.h"
#include "platform/platform.h"

#include <string.h>

typedef struct gb_live_value { /* one direction between two hosts or sites */
  const char *from, *to;       /* host or cluster, as the source names it; a host may have :port behind it */
  double latency;              /* s, one way; negative: not known */
  double latency_error;        /* s, mean absolute error of its forecast; negative: not known */
  double bandwidth;            /* bytes/s; negative: not known */
  double bandwidth_error;      /* bytes/s */
  double age;                  /* s since it was measured */
} gb_live_value;

typedef void gb_live_tell(void *context, const char *message);

typedef struct gb_live { /* starts as {.source = ...} */
  const char *source;    /* "file:weather.txt", "nws://host:8090"; the caller's */
  gb_live_tell *tell;    /* is told of each line that is left out, NULL: nobody */
  void *context;
  uint32_t left_out; /* lines that cannot be understood, */
  char first[256];   /* and what is wrong with the first */
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

/* Adds the lines of a live file (gbcast-hosts(5)). `file` stands for it in messages; `now` (s since 1970) is
 * what lines with a time= are older than. Lines that cannot be understood are left out, and told of with line
 * and column: others measured the rest. GBCAST_EMEMORY. */
int gb_live_parse(gb_live *live, const char *text, size_t length, const char *file, double now,
                  gbcast_error *err);

/* The same of live->source: "file:PATH", or "-" for standard input. */
int gb_live_read(gb_live *live, double now, gbcast_error *err);

#endif
