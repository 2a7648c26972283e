/* How a message travels between two hosts, and what it costs: its route, measured pLogP tables, TCP's slow
 * start. Times in seconds, rates in bytes a second.
 *
 * The cost of m bytes from u to v has three parts: Delta, after which the sender may start its next message;
 * g, after which the message has left the narrowest link; and L + o, until the receiver has it.
 *
 *   u == port ==> up link ... cables ... [site's WAN out] link [site's WAN in] ... down link ==> v
 *   |-- Delta --|                                                   sender busy
 *   |------------------------ g -----------------------|-- L + o --|  arrival when alone */
#ifndef GB_PLATFORM_COST_COST_H
#define GB_PLATFORM_COST_COST_H

#include "platform/platform.h"

/* ---- Routes ---- */

typedef struct gb_hop {
  uint64_t resource; /* identity of a directed link; see gb_resource_count */
  double bandwidth;
} gb_hop;

typedef struct gb_route {
  double latency;        /* L, one way, all in */
  double overhead;       /* o, of one end */
  double own_link;       /* bandwidth of the sender's own link */
  double narrowest;      /* least bandwidth on the path, stream-bandwidth and wan-bandwidth included */
  double injection;      /* -1: not given */
  double egress;         /* USD a byte, of all links between sites on the path */
  double initial_window; /* least initial-window on the path; INFINITY: not given, or inside a site */
  const gb_plogp *plogp; /* replaces g and L when not NULL */
  bool wan;
  uint32_t hop_count, hop_capacity;
  gb_hop *hop; /* growable; starts as {0} and is freed by gb_route_release */
} gb_route;

typedef struct gb_cost { /* of one message of m bytes */
  double delta;          /* the sender can start its next message after this */
  double gap;            /* g: the message has left the narrowest link after this, alone */
  double tail;           /* L + o of the receiving end; arrival alone is gap + tail */
} gb_cost;

/* Resources are numbered: host up 2h, host down 2h+1, then per switch cable up, cable down, then per cluster
 * WAN out, WAN in, then directed links. */
uint64_t gb_resource_count(const gbcast_platform *p);

/* Fills `r` for host u -> host v (different hosts). Sites without a direct link are routed over the path of
 * least latency; intermediate sites' wan-bandwidth counts. `prev` is NULL, or the row that gb_route_row
 * filled for the site of u (saves the search). Returns GBCAST_EINPUT when v's site cannot be reached,
 * GBCAST_EMEMORY. */
int gb_route_between(const gbcast_platform *p, uint32_t u, uint32_t v, const uint32_t *prev, gb_route *r,
                     gbcast_error *err);
void gb_route_release(gb_route *r);

/* Least-latency paths over direct links from one site to all: prev[c] is the site before c, GB_NONE for the
 * source and for sites out of reach; distance[c] (may be NULL) the sum of latencies, INFINITY out of reach.
 * Ties: fewer links, then the site first mentioned. */
int gb_route_row(const gbcast_platform *p, uint32_t site, uint32_t *prev, double *distance,
                 gbcast_error *err);

/* ---- Measured pLogP tables ---- */

/* g(m), L(m) of a measured table, by the rules of gbcast-hosts(5): linear between points; g
 * is the first value below the first size, and goes on by the last slope beyond the last; one point:
 * proportional above it; L is constant outside, never negative. os(m) and or(m) go like g, are never above
 * it, and are g where they are not given. */
double gb_plogp_gap(const gb_plogp *t, uint64_t bytes);
double gb_plogp_send(const gb_plogp *t, uint64_t bytes);
double gb_plogp_receive(const gb_plogp *t, uint64_t bytes);
double gb_plogp_latency(const gb_plogp *t, uint64_t bytes);
/* The most bytes a second that the table allows at any size: the supremum of m / g(m); INFINITY when g stays
 * flat. */
double gb_plogp_bandwidth(const gb_plogp *t);
double gb_plogp_least_latency(const gb_plogp *t);

/* ---- What a message costs on a route ---- */

/* What a message of `bytes` costs on the route. */
gb_cost gb_route_cost(const gb_route *r, uint64_t bytes);

/* Seconds for which such a message, of that cost, keeps hop number i busy. */
double gb_route_hop_time(const gb_route *r, const gb_cost *cost, uint32_t i, uint64_t bytes);

/* Adds to work[resource], gb_resource_count of them, the seconds that so many bytes keep each hop busy. */
void gb_route_add_work(const gb_route *r, double bytes, double *work);

/* Bytes/s of the narrowest link that all routes from this host to that site share: all but the receiver's
 * own. A stream may be narrower than that by itself. */
double gb_route_shared(const gb_route *r);

/* ---- TCP's slow start (slow_start.c derives it) ---- */

#define GB_PACKET_BYTES 1448 /* of data, in an Ethernet frame of 1500 with TCP's time stamps */

/* Bytes that leave in a window of `window` bytes when every message has `message` bytes and begins a packet:
 * whole messages, and as much of the next one as there is room for. */
double gb_filled_window(double window, uint64_t message);

/* Seconds that a stream of so many bytes takes longer than at its rate. window: bytes, above 0; INFINITY: 0
 * s. rate: bytes/s, above 0. */
double gb_slow_start(double window, double round_trip, double rate, uint64_t bytes);

#endif
