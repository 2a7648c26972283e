/* Values of links as they are now, laid over those of a hosts file. Where they come from (a file, a weather
 * service) is told in `source`; what is missing or too old falls back to the file's, and is told too. */
#ifndef GB_PLATFORM_LIVE_H
#define GB_PLATFORM_LIVE_H

#include "platform/platform.h"

typedef struct gb_live_value { /* one direction between two hosts or sites */
  const char *from, *to;       /* host or cluster, as the source names it */
  double latency;              /* s, one way; negative: not known */
  double latency_error;        /* s, mean absolute error of its forecast; negative: not known */
  double bandwidth;            /* bytes/s; negative: not known */
  double bandwidth_error;      /* bytes/s */
  double age;                  /* s since it was measured */
  const char *source;          /* "file:weather.txt", "nws://host:8090" */
} gb_live_value;

typedef struct gb_live {
  gb_live_value *value;
  uint32_t count;
} gb_live;

#endif
