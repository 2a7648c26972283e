/* One measurement of a peer: the round trip and the burst of NWS, and an iperf transfer if both ends want it.
 */
#ifndef GB_NWS_SENSE_PEER_PROBE_H
#define GB_NWS_SENSE_PEER_PROBE_H

#include "nws/sense/experiment.h"
#include "nws/sense/experiment_queue.h"
#include "nws/sense/iperf.h"
#include "nws/sense/message_codec.h"
#include "nws/sense/subprocess.h"
#include "nws/sense/tcp_connection.h"

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
  gb_subprocess subprocess;
  double round_trip, bandwidth, long_bandwidth; /* ms, Mbit/s; negative: not measured */
  double measured, long_measured;               /* when, s since 1970 */
} gb_peer_probe;

/* The caller has set the fields up to `context`. `ended` is called from the event loop. False: no resources.
 */
bool gb_peer_probe_start(gb_peer_probe *t);

/* Does not call `ended`. Does nothing when no probe runs. */
void gb_peer_probe_stop(gb_peer_probe *t);

#endif
