/* One measurement of a peer: the round trip and the burst of NWS, and, where both are to, iperf's transfer.
 */
#ifndef GB_NWS_SENSE_PEER_PROBE_H
#define GB_NWS_SENSE_PEER_PROBE_H

#include "nws/sense/experiment.h"
#include "nws/sense/experiment_queue.h"
#include "nws/sense/iperf.h"
#include "nws/sense/message_codec.h"
#include "nws/sense/subprocess.h"
#include "nws/sense/tcp_connection.h"

/* s: the longest that a trial takes, with what it waits for others and without iperf, and what that adds. */
#define GB_TRIAL_MOST (2 * GB_EXPERIMENT_MOST)
#define GB_TRIAL_IPERF (GB_IPERF_SECONDS + 10)

typedef struct gb_trial { /* starts as zeros */
  struct event_base *base;
  gb_lane *lane;
  struct sockaddr_in peer;
  bool iperf; /* is to be measured */
  void (*ended)(void *context);
  void *context;

  gb_ticket ticket;
  struct event *limit; /* NULL: no trial */
  gb_channel channel;
  gb_initiator initiator;
  gb_mail mail;
  gb_iperf_end server;
  gb_child child;
  double round_trip, bandwidth, long_bandwidth; /* ms, Mbit/s; negative: not measured */
  double measured, long_measured;               /* when, s since 1970 */
} gb_trial;

/* The first fields are set. `ended` is called from the event loop. False: no resources. */
bool gb_trial_start(gb_trial *t);

/* Without a word to `ended`; nothing happens when none runs. */
void gb_trial_stop(gb_trial *t);

#endif
