/* The messages between the ranks of gbcast-probe, and what each rank keeps while it runs.
 *
 *   rank 0 -- MEASURE, NEAR --> a          a is to measure itself against others, and reports to rank 0
 *   rank 0 -- STREAMS --------> a, b, ...  all of them send to and receive from each other, and report
 *   a ------- PING, FLOOD ... --> b        b does its half until a lets it go (RELEASE)
 *   rank 0 -- END ------------> everyone
 *
 * The structures go as bytes: all ranks run the same program. */
#ifndef GB_PROBE_WIRE_H
#define GB_PROBE_WIRE_H

#include "mpi/job/job.h"
#include "probe/analysis.h"
#include "probe/machine.h"
#include <mpi.h>

enum { GB_TAG_ORDER = 1, GB_TAG_DATA, GB_TAG_READY, GB_TAG_RESULT, GB_TAG_REPORT };
enum { GB_NEAR_MOST = 64, GB_FLOOD_MOST = 512 }; /* peers of an order, messages under way in a flood */
enum { GB_STREAMS_MOST = 8 };              /* that a rank sends, and that it receives, at the same time */
enum { GB_STREAM_CREDIT = 16 };            /* messages of a stream under way */
enum { GB_STREAM_MESSAGE_MOST = 1 << 20 }; /* bytes: what can be kept for so many streams */

enum gb_order_kind {
  GB_ORDER_MEASURE,    /* the whole table against peer[0] */
  GB_ORDER_STREAM,     /* against peer[0]: the first size alone, and what one stream carries */
  GB_ORDER_STREAMS,    /* streams to `count` peers, and from `sources` more, at the same time for `seconds` */
  GB_ORDER_NEAR,       /* the latency to each peer, one after another */
  GB_ORDER_PING,       /* answer each message of `bytes`, until one says that it is the last */
  GB_ORDER_PING_BACK,  /* send such messages, `count` of them, and report the result */
  GB_ORDER_FLOOD,      /* take `count` messages in, and acknowledge the last */
  GB_ORDER_FLOOD_BACK, /* send such messages, and report the result */
  GB_ORDER_RELEASE,
  GB_ORDER_END,
};

typedef struct gb_order {
  enum gb_order_kind kind;
  uint32_t count;   /* of messages, peers or sizes; END: the exit status */
  uint32_t sources; /* STREAMS */
  uint32_t window;  /* FLOOD: messages under way at once */
  uint64_t bytes;
  double seconds;      /* that it may take */
  double below, above; /* NEAR: stop after a latency less than the one, or not less than the other */
  int peer[GB_NEAR_MOST];
  uint64_t size[GB_PROBE_SIZES]; /* STREAMS: of the messages to or from each peer */
} gb_order;

typedef struct gb_report { /* to rank 0 */
  uint32_t count;          /* NEAR: peers measured; STREAMS: sources */
  double near[GB_NEAR_MOST];
  gb_median rate[GB_STREAMS_MOST]; /* STREAMS: from each source, bytes/s */
  gb_probe_table table;
} gb_report;

typedef struct gb_pings { /* what a series of round trips gives the rank that began them */
  gb_median rtt, send, receive;
  double least; /* the shortest round trip */
} gb_pings;

typedef struct gb_flooded { /* see gb_flood_times */
  double total, sending;
} gb_flooded;

typedef struct gb_prober {
  MPI_Comm comm;
  MPI_Comm streams; /* for what a peer sends that has had its order before this rank has its own */
  int rank, size;
  gb_watchdog *watch;
  gb_identity *identity; /* of all ranks */
  int *node;             /* by rank: the lowest rank that it shares memory with */
  uint64_t window;       /* of streams that start slowly; see gb_probe_report */
  double *reduce;        /* by rank: s a byte to combine operands */
  char *buffer;
  size_t capacity; /* bytes of the buffer */
} gb_prober;

/* Makes x->buffer hold at least `bytes` bytes, which are set. MPI_ERR_NO_MEM. */
int gb_prober_reserve(gb_prober *x, size_t bytes);

/* window.c: finds x->window, together. */
int gb_prober_find_window(gb_prober *x);

/* operator.c: finds x->reduce, together. */
int gb_prober_time_operator(gb_prober *x);

int gb_send_order(const gb_prober *x, int rank, const gb_order *order);

/* Waits, without keeping the processor busy, for an order (*is_report false) or a report. */
int gb_await(const gb_prober *x, gb_order *order, gb_report *report, bool *is_report, int *source);

/* The value rounded down, at least the one and at most the other. */
static inline uint32_t gb_probe_clamp(double value, uint32_t least, uint32_t most) {
  return value <= least ? least : value >= most ? most : (uint32_t)value;
}

/* How many messages of a flood are under way at once. */
uint32_t gb_flood_window(uint64_t bytes, uint32_t count);

typedef struct gb_ping_series { /* how many round trips; the first one is not counted */
  uint32_t least, most;
  double seconds; /* that they may take */
  uint32_t slow;  /* at most so many more, in which the answer is there before it is received */
  double slow_seconds;
  double until; /* by MPI_Wtime(): none but the first is begun that would end behind it */
} gb_ping_series;

/* The half of the rank that begins. x->buffer has room for `bytes`. */
int gb_ping(gb_prober *x, int peer, uint64_t bytes, const gb_ping_series *series, gb_pings *out);
int gb_flood(gb_prober *x, int peer, const gb_order *flood, gb_flooded *out);

/* The other half. */
int gb_answer_pings(gb_prober *x, int peer, uint64_t bytes);
int gb_receive_flood(gb_prober *x, int peer, const gb_order *flood);

typedef struct gb_probe_peer { /* of a rank against a peer */
  gb_prober *x;
  int peer;
  double until; /* by MPI_Wtime() */
  double empty; /* s: round trip of an empty message */
  double share; /* s: for the size that is being measured */
} gb_probe_peer;

/* A flood to the peer (direction 0), or from it. */
int gb_flood_peer(const gb_probe_peer *m, int direction, uint64_t bytes, uint32_t count, uint32_t window,
                  gb_flooded *out);

/* stream.c: sets table->rate; rates for which there is no time have no samples. */
int gb_measure_streams(gb_probe_peer *m, gb_probe_table *table);

/* How long a stream is timed in each direction, about (s). */
double gb_stream_seconds(double rtt);

/* Serves the orders of `source` from this one until it releases this rank. */
int gb_serve(gb_prober *x, int source, const gb_order *first);

/* The size of the messages of a stream, so that it has seven times as much under way as a path holds that
 * carries `rate` bytes/s. Much of that waits in queues: where they hold no more than the path, packets are
 * lost, and TCP is slow for a while. With so much of it, 1.25 times what the path holds, few are. */
#define GB_STREAM_LITTLE 0.18
uint64_t gb_stream_message(double rate, double seconds);

/* What MEASURE, STREAMS and NEAR ask for. */
int gb_measure_at_once(gb_prober *x, const gb_order *order, gb_report *report);
int gb_measure_pair(gb_prober *x, const gb_order *order, gb_probe_table *table);
int gb_measure_near(gb_prober *x, const gb_order *order, gb_report *report);

#endif
