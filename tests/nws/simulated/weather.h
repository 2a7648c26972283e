/* A name server with its memory, sensors and readers in one process, on a simulated network and simulated
 * clocks. Between them are the real client, session, store, outbox and renewals; what is simulated is what
 * carries their bytes, what time it is, and what breaks.
 *
 *      sensor: outbox, renewals ── gb_client ──┐                      ┌── gb_session ── gb_service
 *      reader: survey, follow ──── gb_client ──┴── bytes in flight ───┘        └── gb_store, in a folder */
#ifndef GB_TESTS_NWS_SIMULATED_WEATHER_H
#define GB_TESTS_NWS_SIMULATED_WEATHER_H

#include "nws/client/client.h"
#include "nws/sense/outbox.h"
#include "nws/serve/session.h"

enum { SENSORS = 3, READERS = 2, VALUES_MOST = 20000 };

#define STEP 0.1    /* s, and what bytes need for a way */
#define PERIOD 10.0 /* s between measurements of a sensor */
#define ROUND 30.0  /* s between rounds of a reader's survey */
#define START 1.8e9 /* of the clocks, s since 1970 */
#define RECOVERY                                                                                             \
  180.0 /* s after the last failure until all is well: the longest pause of a client, and a round */

typedef struct wire { /* of one client, and its session while it is connected */
  gb_client *client;
  uint32_t connection; /* the client's number of the one that is open */
  gb_session *session;
  gb_bytes to_server, to_client; /* in flight */
  size_t most;                   /* bytes that the client takes in a step */
  bool cut;                      /* nothing arrives */
} wire;

typedef struct sensor {
  wire wire;
  gb_client client;
  gb_outbox outbox;
  gb_renewals renewals;
  char series[32];
  bool runs, asked;
  gb_sample sent;     /* the latest */
  double next, ahead; /* the next measurement; what its clock is ahead (s) */
  uint32_t renewing;  /* of the renewals; count: none */
  uint32_t measured;  /* values so far: 1, 2, ... */
  uint32_t acknowledged[VALUES_MOST], acknowledgements;
} sensor;

typedef struct reader {
  wire of_survey, of_follow;
  gb_survey survey;
  gb_follow follow;
  bool follows;
  double next; /* round */
} reader;

typedef struct weather {
  double now;   /* s */
  double clock; /* of the server, ahead of START + now (s) */
  char path[32];
  gb_store_limits limits;
  gb_store store;
  gb_service service;
  gb_turns turns;
  bool up, frozen;
  uint64_t safe; /* bytes of the log that have been brought to disk */
  FILE *report;
  char *said;
  size_t said_length;
  sensor sensors[SENSORS];
  reader readers[READERS];
  uint64_t seed;
} weather;

weather *weather_new(uint64_t seed); /* all run, in calm weather */
void weather_free(weather *w);
void weather_run(weather *w, double seconds);

void weather_stop(weather *w);      /* the server is ended as by SIGTERM */
void weather_kill(weather *w);      /* as by kill -9 */
void weather_cut_power(weather *w); /* as kill -9, and some of what was not brought to disk is lost */
void weather_start(weather *w);
void weather_stop_sensor(weather *w, int i); /* what it had not stored is lost */
void weather_start_sensor(weather *w, int i);
void weather_cut(weather *w, bool cut); /* all wires */

/* Each value that a sensor was told is stored is in the memory, in order, as far as a series reaches. */
void weather_check_stored(const weather *w);

/* Each reader has the newest value of each sensor, and values without a gap from `first` on. */
void weather_check_read(const weather *w, uint32_t first);

#endif
