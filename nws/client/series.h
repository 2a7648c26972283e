/* One series that a name server lists and a memory keeps: round trips or bandwidths between two hosts, with
 * forecasts over all of it that has come. */
#ifndef GB_NWS_CLIENT_SERIES_H
#define GB_NWS_CLIENT_SERIES_H

#include "nws/client/request_queue.h"
#include "nws/forecast/forecast.h"
#include "nws/wire/wire.h"

#define GB_SERIES_RECENT 24u    /* values that are kept as they came */
#define GB_SERIES_FETCHED 1000u /* records that are asked for: as many as nws_extract learns from */
#define GB_SERIES_AHEAD                                                                                      \
  600.0 /* s that a sensor's clock may be ahead of ours; what is later is no measurement */

enum gb_nws_series_kind { GB_SERIES_LATENCY, GB_SERIES_BANDWIDTH }; /* ms, round trip; Mbit/s */

typedef struct gb_nws_series {
  char name[GB_NWS_NAME_MOST + 1];
  char from[GB_NWS_HOST_MOST + 1], to[GB_NWS_HOST_MOST + 1]; /* machine:port */
  gb_nws_address memory;
  enum gb_nws_series_kind kind;
  double bytes, window;            /* of bandwidth: options `size` and `buffer` of the experiment, in bytes */
  uint32_t rank;                   /* place in the name server's list: of two objects, the later is newer */
  double sequence;                 /* of the newest store seen */
  double newest;                   /* s since 1970, of the newest measurement */
  uint32_t count;                  /* measurements taken */
  double recent[GB_SERIES_RECENT]; /* the last ones; number i is at i % GB_SERIES_RECENT */
  gb_forecaster *forecaster;       /* NULL before the first */
  void *owner;                     /* for whoever fetches it */
} gb_nws_series;

/* What an object of a search tells. False: it is no such series, or no series that can be fetched. Checks the
 * attributes again, as name servers match substrings. */
bool gb_nws_series_read(gb_view object, uint16_t memory_port, gb_nws_series *out);

/* Asks for what has come since series->sequence. */
bool gb_nws_series_ask(gb_client *c, const gb_nws_series *series, gb_nws_answer *answer, void *context);

/* Takes the records of a reply or push: those newer than what is there, oldest first. Numbers that cannot be
 * are passed over: `clock` is the time, s since 1970. False: out of memory. */
bool gb_nws_series_take(gb_nws_series *series, const gb_nws_state *state, double clock);

void gb_nws_series_release(gb_nws_series *series);

/* The least of the last `most` values, at most GB_SERIES_RECENT; negative when there is none. */
double gb_nws_series_least(const gb_nws_series *series, uint32_t most);

/* By memory and then name: what one connection can ask stands together. */
int gb_nws_series_order(const gb_nws_series *a, const gb_nws_series *b);

/* By source and then target; 0: between the same two. */
int gb_nws_series_pair(const gb_nws_series *a, const gb_nws_series *b);

#endif
