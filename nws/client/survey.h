/* The latencies and bandwidths that a name server lists, fetched in rounds: one search, then each series from
 * its memory. No I/O: the owner serves the survey's client (gb_sockets_serve), and may interrupt a round at
 * any time. */
#ifndef GB_NWS_CLIENT_SURVEY_H
#define GB_NWS_CLIENT_SURVEY_H

#include "nws/client/series.h"
#include <gbcast/error.h>

#define GB_SURVEY_MOST 4096u /* series that are kept, each 30 kB or so with its forecaster */

typedef struct gb_nws_series_ref {
  const gb_nws_series *series;
} gb_nws_series_ref;

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
bool gb_survey_current(const gb_survey *s, gb_nws_series_ref **out, uint32_t *count);

#endif
