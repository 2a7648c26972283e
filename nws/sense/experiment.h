/* One experiment between two sensors of the Network Weather Service, each end as a machine without I/O.
 *
 *   initiator                                    target
 *      | --- TCP_BW_REQ {size, buffer, message} --> |
 *      | <------- TCP_HANDSHAKE {port} ------------ |   port 0: go on here; else close and connect there
 *      | -------------- one byte -----------------> | \
 *      | <------------- one byte ------------------ | / latency: this round trip
 *      | ----- messages, until `size` bytes ------> | \
 *      | <------------- closes -------------------- | / bandwidth: size over this time
 *
 * A burst that has not arrived within GB_EXPERIMENT_TIMED counts as if it had right then: on a link that is
 * full the bandwidth is at most that, and to say nothing would leave everybody with what was measured before
 * it was. */
#ifndef GB_NWS_SENSE_EXPERIMENT_H
#define GB_NWS_SENSE_EXPERIMENT_H

#include "nws/sense/tcp_connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* s: to connect, and, with what the target waits for its turn, to its answer; the round trip, and then the
 * burst; the whole experiment. What a target waits for the next byte. */
#define GB_EXPERIMENT_CONNECT 5.0
#define GB_EXPERIMENT_ANSWER 10.0
#define GB_EXPERIMENT_TIMED 5.0
#define GB_EXPERIMENT_MOST (GB_EXPERIMENT_ANSWER + 2 * GB_EXPERIMENT_TIMED)
#define GB_EXPERIMENT_IDLE (GB_EXPERIMENT_TIMED + 2) /* not before the initiator ends */

typedef struct gb_experiment { /* bytes */
  uint32_t size, buffer, message;
} gb_experiment;

/* What NWS's own sensors measure. */
#define GB_EXPERIMENT_DEFAULT ((gb_experiment){65536, 32768, 16384})

/* Whether a target takes part: burst and message of at most 64 MiB, and no burst of messages of nothing. Of a
 * burst of nothing the round trip alone is measured, as by nws_ping -size 0; the bandwidth is then 0. */
bool gb_experiment_sound(const gb_experiment *e);

/* Bytes of the burst: whole messages, until there are `size`. It is sound. */
uint64_t gb_experiment_burst(const gb_experiment *e);

/* What SO_SNDBUF and SO_RCVBUF are set to: the buffer that is asked for, within what harms nobody. */
int gb_experiment_socket_buffer(const gb_experiment *e);

enum { GB_EXPERIMENT_ASK_BYTES = 24, GB_EXPERIMENT_ANSWER_BYTES = 18 };

enum gb_initiator_state {
  GB_INITIATOR_ASK,
  GB_INITIATOR_ANSWER,
  GB_INITIATOR_REDIAL, /* over for now: to be continued on a connection to `port` */
  GB_INITIATOR_BYTE,
  GB_INITIATOR_ECHO,
  GB_INITIATOR_BURST,
  GB_INITIATOR_CLOSE,
  GB_INITIATOR_DONE,
  GB_INITIATOR_FAILED
};

typedef struct gb_initiator {
  gb_handler handler;
  gb_experiment sizes;
  enum gb_initiator_state state;
  unsigned char buffer[GB_EXPERIMENT_ASK_BYTES]; /* the request going out, then the answer coming in */
  uint64_t done;                                 /* bytes of the present state */
  double began, end;                             /* of what is being timed; latest end of the present part */
  uint16_t port;
  double round_trip; /* ms; when DONE */
  double bandwidth;  /* Mbit/s, of 1e6; when DONE */
} gb_initiator;

void gb_initiator_start(gb_initiator *i, const gb_experiment *sizes, double now);
void gb_initiator_redialled(gb_initiator *i, double now); /* from REDIAL; a new connection is being made */

enum gb_target_state { GB_TARGET_GREET, GB_TARGET_BYTE, GB_TARGET_ECHO, GB_TARGET_BURST, GB_TARGET_OVER };

typedef struct gb_target {
  gb_handler handler;
  enum gb_target_state state;
  uint64_t left;  /* bytes of the burst still to come */
  unsigned given; /* bytes of what is being sent */
  double end;
} gb_target;

/* The request has come and is sound. Goes on with the same connection. */
void gb_target_start(gb_target *t, const gb_experiment *sizes, double now);

/* A queue that lets one experiment at a time run on this machine's links, the machine's own before those of
 * others. */

enum { GB_EXPERIMENT_QUEUE_MOST = 16 }; /* waiting tickets */

typedef struct gb_ticket {
  struct gb_ticket *next;
  void (*go)(void *context); /* it may run now, until the ticket leaves */
  void *context;
} gb_ticket;

typedef struct gb_experiment_queue { /* starts as zeros */
  gb_ticket *running, *first;
} gb_experiment_queue;

/* False: the queue is full. May call `go` at once. */
bool gb_experiment_queue_enter(gb_experiment_queue *queue, gb_ticket *ticket, bool own);

/* For a ticket that waits, runs, or is not in the queue. */
void gb_experiment_queue_leave(gb_experiment_queue *queue, gb_ticket *ticket);

#endif
