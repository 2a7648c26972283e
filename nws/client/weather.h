/* The measurements that a name server lists, as live values of links. */
#ifndef GB_NWS_CLIENT_WEATHER_H
#define GB_NWS_CLIENT_WEATHER_H

#include "nws/client/settings.h"
#include "nws/client/survey.h"
#include "platform/live/live.h"

#include <stdbool.h>

typedef struct gb_nws_weather gb_nws_weather;

/* `source` is "nws://host[:port]". Does not connect yet. Invalid lines of ~/.nwsrc are passed to `warn` (may
 * be NULL). GBCAST_EUSAGE: invalid source; GBCAST_EINPUT: a setting is no port. */
int gb_nws_weather_open(const char *source, gb_nws_warn *warn, void *context, gb_nws_weather **out,
                        gbcast_error *err);
void gb_nws_weather_close(gb_nws_weather *w);
const char *gb_nws_weather_source(const gb_nws_weather *w);

/* Queries for at most `seconds`, and adds all known values to `live`; `clock` is the time in s since 1970,
 * from which ages are computed. The next call continues an unfinished query, and returns known values again,
 * with their new age. GBCAST_EINPUT: nothing is known, and why. */
int gb_nws_weather_look(gb_nws_weather *w, double seconds, double clock, gb_live *live, gbcast_error *err);

/* Why values are missing from the last call; NULL: none are. */
const char *gb_nws_weather_trouble(const gb_nws_weather *w);

/* The part without I/O: the values in the survey. GBCAST_EMEMORY. */
int gb_nws_weather_values(const gb_survey *survey, double clock, gb_live *live, gbcast_error *err);

/* ---- The bandwidth of a path, from the time that a short TCP transfer of a sensor takes ---- */

#define GB_BURST_LONG                                                                                        \
  (1024 * 1024.0) /* bytes; from here on a measurement is one of a steady stream (iperf) */

typedef struct gb_burst {   /* bandwidthTcp, and latencyTcp of the same pair */
  double bytes, window;     /* of the experiment, and of its socket buffer */
  double rate, rate_error;  /* bytes/s, as measured: bytes over time */
  double round_trip, error; /* s; negative: not known */
} gb_burst;

/* The bandwidth in bytes/s, with its error. False: the burst mostly waited for acknowledgements, so that
 * `rate` is only a lower bound. */
bool gb_burst_bandwidth(const gb_burst *b, double *bandwidth, double *error);

#endif
