/* The latencies and bandwidths that a name server lists, fetched in rounds: one search, then each series from
 * its memory. No I/O: the owner serves the survey's client (gb_sockets_serve), and may interrupt a round at
 * any time. */
#ifndef GB_NWS_CLIENT_SURVEY_H
#define GB_NWS_CLIENT_SURVEY_H

#include "nws/client/request_queue.h"
#include "nws/forecast/forecast.h"
#include <gbcast/error.h>

/* ---- A series that a name server lists and a memory stores ----
 *
 * Round trips or bandwidths between two hosts, with forecasts over all fetched measurements. */

#define GB_SERIES_RECENT 24u    /* newest values that are kept */
#define GB_SERIES_FETCHED 1000u /* records per request, as many as nws_extract learns from */
#define GB_SERIES_AHEAD                                                                                      \
  600.0 /* s that a sensor's clock may be ahead of ours; later measurements are ignored */

/* The greatest values that are believed. NWS waits 60 s for a byte at most. The fastest Ethernet carries
 * 800 Gbit/s (IEEE 802.3df); a path of ten such would be believed. */
#define GB_SERIES_ROUND_TRIP_MOST 6e4 /* ms */
#define GB_SERIES_BANDWIDTH_MOST 1e7  /* Mbit/s */

enum gb_nws_series_kind { GB_SERIES_LATENCY, GB_SERIES_BANDWIDTH }; /* ms, round trip; Mbit/s */

typedef struct gb_series_refused { /* measurements of the last reply that had any */
  uint32_t count, of;
  gb_measurement newest; /* of those that were refused; value NAN: they are no numbers */
} gb_series_refused;

typedef struct gb_nws_series {
  char name[GB_NWS_NAME_MOST + 1];
  char from[GB_NWS_HOST_MOST + 1], to[GB_NWS_HOST_MOST + 1]; /* machine:port */
  gb_nws_address memory;
  enum gb_nws_series_kind kind;
  double bytes, window; /* of bandwidth: options `size` and `buffer` of the experiment, in bytes */
  uint32_t rank;        /* position in the name server's list; later objects are newer */
  bool fetched;         /* its memory has said what it has: what is pushed before has a gap behind it */
  double sequence;      /* of the newest store seen */
  double newest;        /* s since 1970, of the newest measurement */
  uint32_t count;       /* measurements taken */
  double recent[GB_SERIES_RECENT]; /* the last ones; number i is at i % GB_SERIES_RECENT */
  gb_series_refused refused;
  gb_forecaster *forecaster; /* NULL before the first */
  void *owner;               /* of whoever fetches it */
} gb_nws_series;

/* Reads an object of a search. False: not such a series, or it cannot be fetched. Checks the attributes
 * again, as name servers match substrings. */
bool gb_nws_series_read(gb_view object, uint16_t memory_port, gb_nws_series *out);

/* Fetches what was stored since series->sequence. */
bool gb_nws_series_ask(gb_client *c, const gb_nws_series *series, gb_nws_answer *answer, void *context);

/* Adds the records of a reply or push that are newer than the known ones. What cannot be is refused: values
 * that are negative, no numbers, or above the greatest, and measurements from the future; `clock` is the
 * time, s since 1970. False: out of memory. */
bool gb_nws_series_take(gb_nws_series *series, const gb_nws_state *state, double clock);

/* What was refused, and why, in words. There is something. */
void gb_nws_series_tell_refused(const gb_nws_series *series, double clock, gbcast_error *out);

/* The least of the last `most` values, at most GB_SERIES_RECENT; negative when there is none. */
double gb_nws_series_least(const gb_nws_series *series, uint32_t most);

/* By memory and then name: requests to one memory are consecutive. */
int gb_nws_series_order(const gb_nws_series *a, const gb_nws_series *b);

/* By source and then target; 0: the same pair. */
int gb_nws_series_pair(const gb_nws_series *a, const gb_nws_series *b);

/* ---- A round through all series ---- */

#define GB_SURVEY_MOST 4096u /* series that are kept, each 30 kB or so with its forecaster */

typedef struct gb_survey {
  gb_nws_address name_server;
  uint16_t memory_port; /* of memories that are registered without a port */
  gb_client client;
  double clock;          /* s since 1970; updated by the owner */
  gb_nws_series *series; /* by gb_nws_series_order */
  uint32_t count;
  bool changed;         /* the last search found other series than before */
  uint32_t left_out;    /* series beyond GB_SURVEY_MOST */
  uint32_t failed;      /* series of this round without an answer from their memories */
  uint32_t rounds;      /* in which the name server answered */
  gbcast_error trouble; /* the last failure of this round; empty: none */
} gb_survey;

void gb_survey_init(gb_survey *s, const gb_nws_address *name_server, uint16_t memory_port, double patience);
void gb_survey_release(gb_survey *s);

/* Begins a round, unless one is in progress. False: out of memory. */
bool gb_survey_begin(gb_survey *s);
bool gb_survey_busy(const gb_survey *s);

/* Ends the round with what has been fetched. */
void gb_survey_stop(gb_survey *s, const char *why);

/* NULL: no such series. */
gb_nws_series *gb_survey_find(const gb_survey *s, const gb_nws_address *memory, const char *name);

/* The series with measurements, by pair, latencies first, in an array that the caller frees. Of several
 * objects with one name only the newest with measurements. False: out of memory. */
bool gb_survey_current(const gb_survey *s, const gb_nws_series ***out, uint32_t *count);

/* ---- A subscription, which keeps a survey's series of one memory up to date ----
 *
 * When the connection ends it reconnects after a pause, fetches what was stored since the last known sequence
 * number, and subscribes again. */

typedef struct gb_follow {
  gb_survey *survey; /* owner of the series; outlives this */
  gb_nws_address memory;
  gb_client client; /* to be served */
  bool missed;      /* a fetch failed: the subscription alone would leave a gap */
  double pause;     /* s before the next attempt: doubles with each that fails */
} gb_follow;

void gb_follow_init(gb_follow *f, gb_survey *survey, const gb_nws_address *memory);
void gb_follow_release(gb_follow *f);

/* Begins, or begins again with the survey's current series. False: out of memory. */
bool gb_follow_begin(gb_follow *f);

#endif
