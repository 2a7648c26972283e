/* The messages between the ranks of gbcast-probe, and the state of a rank.
 *
 *   rank 0 -- MEASURE, NEAR --> a          a measures against other ranks, and reports to rank 0
 *   rank 0 -- STREAMS --------> a, b, ...  all of them send to and receive from each other, and report
 *   rank 0 -- EXCHANGE -------> a, b, ...  all of them send blocks to each other, and report
 *   a ------- PING, FLOOD ... --> b        b does its half of the work until a releases it (RELEASE)
 *   rank 0 -- PRESENT, END ---> everyone       each reports; before anything is written, and at the end
 *
 * Structures are sent as bytes, since all ranks run the same program. Functions that return int return an MPI
 * error code. */
#ifndef GB_PROBE_WIRE_H
#define GB_PROBE_WIRE_H

#include "mpi/job/job.h"
#include "probe/analysis.h"
#include "probe/machine.h"
#include <mpi.h>

enum { GB_TAG_ORDER = 1, GB_TAG_DATA, GB_TAG_READY, GB_TAG_RESULT, GB_TAG_REPORT };
enum { GB_NEAR_MOST = 64, GB_FLOOD_MOST = 512 }; /* at most: peers of an order; messages of a flood */
enum { GB_STREAMS_MOST = 8 };   /* streams that a rank sends at the same time, and that it receives */
enum { GB_STREAM_FIRST = 2 };   /* messages at the start of a stream that must not fill short queues */
enum { GB_STREAM_SLOTS = 256 }; /* messages of one stream in flight, at most */
enum { GB_EXCHANGES = 9 };      /* exchanges that one EXCHANGE order times */
enum { GB_STREAM_IN_FLIGHT_MOST = 16 << 20 }; /* bytes; a receiver has a buffer for every message in flight */

enum gb_order_kind {
  GB_ORDER_MEASURE,    /* measure the whole table against peer[0] */
  GB_ORDER_STREAM,     /* measure the first size, and the rate of one stream, against peer[0] */
  GB_ORDER_STREAMS,    /* for `seconds`: send streams to `count` peers, and receive from the next `sources` */
  GB_ORDER_EXCHANGE,   /* exchange blocks of `bytes` with all of the `count` peers, GB_EXCHANGES times */
  GB_ORDER_NEAR,       /* measure the latency to each peer, one after another */
  GB_ORDER_PING,       /* send each message of `bytes` back, until one says that it is the last */
  GB_ORDER_PING_BACK,  /* begin round trips of such messages, `count` of them slow, and send the result */
  GB_ORDER_FLOOD,      /* receive `count` messages, and acknowledge the last */
  GB_ORDER_FLOOD_BACK, /* send `count` messages, and then the result */
  GB_ORDER_RELEASE,    /* no more orders from this rank */
  GB_ORDER_PRESENT,    /* report at once */
  GB_ORDER_END,        /* report, no more orders at all */
};

typedef struct gb_order {
  enum gb_order_kind kind;
  uint32_t count;      /* of messages, sizes or peers (EXCHANGE: and the rank itself); END: exit status */
  uint32_t sources;    /* STREAMS: of streams that are received */
  uint32_t window;     /* FLOOD, FLOOD_BACK: messages in flight; STREAMS: in flight at first, at most */
  uint64_t bytes;      /* of a message */
  double seconds;      /* that the order may take */
  double below, above; /* NEAR: stop after a latency (s) < below or >= above */
  int peer[GB_NEAR_MOST];
  uint64_t size[GB_PROBE_SIZES]; /* message sizes; STREAMS: bytes in flight to or from each peer */
} gb_order;

typedef struct gb_report {         /* to rank 0 */
  uint32_t count;                  /* NEAR: of peers measured; STREAMS: of streams received */
  double near[GB_NEAR_MOST];       /* NEAR: latency to each peer (s) */
  double exchange[GB_EXCHANGES];   /* EXCHANGE: time of each exchange (s) */
  gb_median rate[GB_STREAMS_MOST]; /* STREAMS: of each stream received, bytes/s */
  gb_probe_table table;            /* MEASURE, STREAM */
} gb_report;

typedef struct gb_pings { /* the result of a series of round trips, timed by the rank that began them (s) */
  gb_median rtt, send, receive; /* see gb_probe_point */
  double least;                 /* the shortest round trip */
} gb_pings;

typedef struct gb_flooded { /* one flood; see gb_flood_times */
  double total, sending;
} gb_flooded;

typedef struct gb_prober { /* a rank */
  MPI_Comm comm;
  MPI_Comm streams; /* for streams alone: a peer that has its order may send before this rank has its own */
  int rank, size;
  gb_watchdog *watch;
  gb_identity *identity; /* of each rank */
  int *node;             /* for each rank: the lowest rank that it shares memory with */
  uint64_t window;       /* initial-window, as in gb_probe_report */
  double *reduce;        /* for each rank: the time to combine operands, s a byte */
  char *buffer;
  size_t capacity; /* bytes of the buffer */
} gb_prober;

/* Makes x->buffer hold at least `bytes` bytes, all of them initialised. Does not keep what it held.
 * MPI_ERR_NO_MEM. */
int gb_prober_reserve(gb_prober *x, size_t bytes);

/* window.c. Collective: sets x->window. */
int gb_prober_find_window(gb_prober *x);

/* operator.c. Collective: sets x->reduce. */
int gb_prober_time_operator(gb_prober *x);

/* How long ranks wait for each other (s) in an order that takes `seconds`: a busy link may need many times as
 * long. */
static inline double gb_order_patience(double seconds) {
  return 30 + 32 * seconds;
}

int gb_send_order(const gb_prober *x, int rank, const gb_order *order);

/* Waits for an order or a report (*is_report) without keeping the processor busy, and receives it. *source:
 * who has sent it. */
int gb_await(const gb_prober *x, gb_order *order, gb_report *report, bool *is_report, int *source);

/* The value without its fraction, but at least `least` and at most `most`. */
static inline uint32_t gb_probe_clamp(double value, uint32_t least, uint32_t most) {
  return value <= least ? least : value >= most ? most : (uint32_t)value;
}

/* How many of the `count` messages of a flood are in flight. `bytes` of each, above 0. */
uint32_t gb_flood_window(uint64_t bytes, uint32_t count);

typedef struct gb_ping_series { /* how many round trips are made; the first one does not count */
  uint32_t least, most;
  double seconds;      /* that they may take */
  uint32_t slow;       /* at most so many more that receive the answer only when it has already arrived */
  double slow_seconds; /* that those may take */
  double until;        /* deadline by MPI_Wtime(): after the first, none begins that would end later */
} gb_ping_series;

/* The half of the rank that begins the round trips, or sends the flood. x->buffer has room for `bytes`. */
int gb_ping(gb_prober *x, int peer, uint64_t bytes, const gb_ping_series *series, gb_pings *out);
int gb_flood(gb_prober *x, int peer, const gb_order *flood, gb_flooded *out);

/* The other half. */
int gb_answer_pings(gb_prober *x, int peer, uint64_t bytes);
int gb_receive_flood(gb_prober *x, int peer, const gb_order *flood);

typedef struct gb_probe_peer { /* a measurement against one peer, by the rank that leads it */
  gb_prober *x;
  int peer;
  double until; /* deadline by MPI_Wtime() */
  double empty; /* round trip of an empty message (s) */
  double share; /* time for the size that is being measured (s) */
} gb_probe_peer;

/* Has one flood sent to the peer (direction 0), or by it (1). */
int gb_flood_peer(const gb_probe_peer *m, int direction, uint64_t bytes, uint32_t count, uint32_t window,
                  gb_flooded *out);

/* stream.c. Sets table->rate; without samples where there is no time before m->until. */
int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table);

/* About how long a stream runs on a path with this round trip time (s). */
double gb_stream_seconds(double rtt);

/* What streams carry has settled after GB_STREAM_SETTLED runs in a row that were not GB_STREAM_FASTER times
 * as fast as before. */
#define GB_STREAM_FASTER 1.05
enum { GB_STREAM_SETTLED = 2 };

/* Carries out the orders that `source` gives, beginning with `first`, until it releases this rank. */
int gb_serve(gb_prober *x, int source, const gb_order *first);

/* Returns the bytes in flight that fill a path which carries `rate` bytes/s, for a stream that runs for
 * `seconds`: a quarter of what it carries in that time. If those are 28 round trips (gb_stream_seconds), data
 * in flight is seven times what the path holds, its bandwidth-delay product. Most of that waits in queues.
 * Where queues are short, packets are lost, and TCP is slow for a while. Few are lost with GB_STREAM_LITTLE
 * times the rate: data in flight is then 1.25 times what the path holds. */
#define GB_STREAM_LITTLE 0.18
uint64_t gb_stream_fill(double rate, double seconds);

/* Carry out STREAMS, EXCHANGE, MEASURE or STREAM, and NEAR. */
int gb_measure_at_once(gb_prober *x, const gb_order *order, gb_report *report);
int gb_measure_exchange(gb_prober *x, const gb_order *order, gb_report *report);
int gb_measure_pair(gb_prober *x, const gb_order *order, gb_probe_table *table);
int gb_measure_near(gb_prober *x, const gb_order *order, gb_report *report);

#endif
