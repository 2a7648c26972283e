/* What a sensor does with another one. */
#ifndef GB_NWS_SENSE_PEER_H
#define GB_NWS_SENSE_PEER_H

#include "nws/sense/experiment.h"
#include "nws/sense/iperf.h"

/* ---- One message, and its answer ---- */

/* The message did not leave, so nobody can have read it; it left, and no answer came; the answer is here. */
enum gb_peer_exchange_result {
  GB_PEER_EXCHANGE_NOT_SENT,
  GB_PEER_EXCHANGE_UNANSWERED,
  GB_PEER_EXCHANGE_ANSWERED
};

typedef struct gb_peer_exchange { /* starts as zeros, not open */
  gb_tcp_connection connection;
  gb_message_codec codec;
  enum gb_peer_exchange_result result;
  gb_nws_message answer; /* texts are not kept */
  void (*ended)(void *context);
  void *context;
} gb_peer_exchange;

/* Sends the message, and ends with the answer, or right away when none is wanted, after `most` seconds at the
 * latest. Then `ended` is called, from the event loop; it may start the next exchange. False: no resources.
 */
bool gb_peer_exchange_start(gb_peer_exchange *e, struct event_base *base, const struct sockaddr_in *to,
                            double most, const gb_nws_message *message, bool wants_answer,
                            void (*ended)(void *context), void *context);

/* Does not call `ended`. Does nothing when no exchange runs. */
void gb_peer_exchange_stop(gb_peer_exchange *e);

/* ---- One measurement: round trip and burst as in NWS, and an iperf transfer if both ends want it ---- */

/* s: the longest that a probe takes, with its time in the queue, without iperf; what iperf adds. */
#define GB_PEER_PROBE_MOST (2 * GB_EXPERIMENT_MOST)
#define GB_PEER_PROBE_IPERF (GB_IPERF_SECONDS + 10)

typedef struct gb_peer_probe { /* starts as zeros */
  struct event_base *base;
  gb_experiment_queue *queue;
  struct sockaddr_in peer;
  gb_experiment sizes;
  bool iperf; /* is to be measured */
  void (*ended)(void *context);
  void *context;

  gb_ticket ticket;
  struct event *limit; /* NULL: no probe runs */
  gb_tcp_connection connection;
  gb_initiator initiator;
  gb_message_codec codec;
  gb_iperf_end server;
  gb_iperf_process process;
  double round_trip, bandwidth, long_bandwidth; /* ms, Mbit/s; negative: not measured */
  double measured, long_measured;               /* when, s since 1970 */
} gb_peer_probe;

/* The caller has set the fields up to `context`. `ended` is called from the event loop. False: no
 * resources. */
bool gb_peer_probe_start(gb_peer_probe *t);

/* Does not call `ended`. Does nothing when no probe runs. */
void gb_peer_probe_stop(gb_peer_probe *t);

#endif
