/* The discrete-event simulation: how long a flow through the trees of a schedule takes on a platform
 * (docs/planning.md, "What it knows"). It is the only judge of candidates. The steps, of which the search
 * also uses the first ones by themselves:
 *
 *   gb_network_new, gb_traffic_new
 *   gb_traffic_find     costs of all edges, and the links that they share
 *   gb_simulate         the time
 *
 * Functions that can fail return GBCAST_OK or an error status, and then fill *err. n stands for the
 * schedule's endpoint_count. */
#ifndef GB_PLAN_SIM_SIM_H
#define GB_PLAN_SIM_SIM_H

#include "plan/core/core.h"
#include "platform/cost/cost.h"

/* A message between ranks of one host is a copy through shared memory. The hosts file has no values for it,
 * so these are assumed. */
#define GB_NODE_OVERHEAD 1e-6 /* s */
#define GB_NODE_BANDWIDTH 5e9 /* bytes/s */

/* How a message goes through a tree: a broadcast in segments, a scatter with each edge carrying the blocks of
 * its subtree. */
typedef struct gb_flow {
  enum gbcast_operation operation;
  uint64_t bytes;       /* the message, or the block of one rank */
  uint64_t segment;     /* bytes; at least 1 */
  double feed_interval; /* s between the segments as the root gets them; 0: it has all of them at the start */
  double interleave;    /* segments that all trees together send while this one sends one; 0 stands for 1 */
  bool rendezvous;      /* messages are announced before they are sent */
  uint32_t simulated;   /* broadcast: so many segments are simulated; the rest follows at the pace of the last
                           ones */
  uint32_t lanes;       /* plan/build/host_trees.c; 0 stands for 1 */
  bool meet;            /* streams of several trees meet between sites (gb_link_efficiency) */
} gb_flow;

static inline uint32_t gb_flow_lanes(const gb_flow *flow) {
  return flow->lanes > 1 ? flow->lanes : 1;
}

/* One use of a shared directed link by an edge. */
typedef struct gb_link_use {
  uint32_t link;  /* its number among the shared links, from 0 */
  double busy[2]; /* s that it is busy with [0] a full segment, [1] the last one */
} gb_link_use;

/* The edge that leads to an endpoint in one tree. Of arrays of two, [0] is for a full segment and [1] for the
 * last one. Fields that the simulation reads at each send come first. */
typedef struct gb_edge {
  uint32_t stream; /* tree * n + endpoint: the first edge between the same two endpoints; both share its MPI
                      stream */
  uint32_t use_start, use_count; /* its uses of shared links: use[use_start] .. */
  uint32_t segments;             /* that bytes are cut into */
  double overhead;               /* s: o; the transfer starts this long after the send */
  gb_cost cost[2];
  double busy[2];        /* s on the narrowest link, stream-bandwidth included */
  double into[2];        /* s on the receiver's own link */
  double efficiency;     /* share of the links that it gets (gb_link_efficiency) */
  double announce;       /* s that a rendezvous adds to the first segment */
  double initial_window; /* bytes that its stream sends before the first answer; INFINITY: no slow start */
  uint64_t full, last;   /* bytes of a full segment and of the last one */
  uint64_t bytes;        /* of all segments together */
  uint64_t offset;       /* scatter: where this subtree's blocks begin in the parent's stream, in bytes */
  bool measured;         /* costs are measured (plogp); busy is g */
  bool wan;              /* to another site */
} gb_edge;

/* What a schedule puts on the network: its edges, the links that they share, and the senders. */
typedef struct gb_traffic {
  uint32_t tree_count;
  gb_edge **
      edge; /* tree_count arrays of n, by endpoint to which the edge leads; of the root's only bytes is set */
  gb_link_use *use; /* use_count, by edge: gb_edge.use_start */
  uint32_t use_count, use_capacity;
  uint32_t link_count; /* shared links */
  bool slow_start;     /* some stream has an initial window */
  uint32_t sender_count;
  uint32_t *sender; /* n: the sender_count endpoints with children, group after group (groups.c) */
  uint32_t *group;  /* n: the number of each sender's group, from 0 */
} gb_traffic;

/* Who uses a directed link of the platform; of use only while gb_traffic_find runs, all zeros before and
 * after. */
typedef struct gb_resource {
  uint32_t users, sender, link; /* users: pairs of endpoints; sender: the first one; link: its number among
                                   the shared links, from 1 */
  bool shared;                  /* by several senders */
  bool queued;                  /* some sender sends faster than the link takes its messages */
} gb_resource;

/* The platform as the simulation sees it: routes between hosts, kept once they are found. */
typedef struct gb_network {
  const gbcast_platform *p;
  uint32_t **row;        /* cluster_count: the paths to other clusters (gb_route_row), or NULL until needed */
  gb_resource *resource; /* gb_resource_count: per directed link */
  gb_route route;        /* the result of gb_network_route */
  bool combines;         /* what is sent to several hosts is, turned round, combined where it comes from */
} gb_network;

/* GBCAST_EMEMORY. The platform must outlive the network. */
int gb_network_new(gb_network *net, const gbcast_platform *p, gbcast_error *err);
void gb_network_release(gb_network *net); /* also after gb_network_new has failed */

/* Finds the route between two different hosts of the platform, into net->route. GBCAST_EINPUT: out of reach;
 * GBCAST_EMEMORY. */
int gb_network_route(gb_network *net, uint32_t from, uint32_t to, gbcast_error *err);

/* Calls visit for every edge between sites: `rate` is what its sender may use of the link between the two
 * sites (bytes/s), its share by bytes among the senders of its site; INFINITY if the path has several links.
 * Endpoints of a site follow each other. GBCAST_EMEMORY. */
typedef void gb_link_part_visit(void *context, uint32_t tree, uint32_t to, double rate);
int gb_link_parts(const gb_schedule *schedule, const gbcast_platform *p, gb_link_part_visit *visit,
                  void *context, gbcast_error *err);

/* Allocates the edges and senders of a schedule, for gb_traffic_find to fill. GBCAST_EMEMORY. */
int gb_traffic_new(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err);
void gb_traffic_free(gb_traffic *traffic);

/* The part of the flow that goes down one tree: its bytes, and its interleave. */
gb_flow gb_schedule_share(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree);

/* Seconds until the root has segment `index` of a tree's share, by flow->feed_interval: the segments of all
 * trees reach it one by one, those of a tree with a larger share more often. */
double gb_schedule_fed(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree, uint64_t index);

/* How often the whole message leaves the root's host for other hosts of its cluster. */
double gb_schedule_copies(const gb_schedule *schedule, const gbcast_platform *p);

/* The share of a link that streams get where they meet. Holds for broadcasts in segments or in several
 * trees, and for a scatter in segments to a host that passes blocks on.
 *
 * The bandwidths of a hosts file hold for one stream alone. A host inside a tree receives and sends at the
 * same time: acknowledgements and headers of one direction take bandwidth from the other. Between sites,
 * streams of several trees meet on the same links; without spare bandwidth queues build up there, and the
 * stream with the longest path waits most. Several trees are paced by these shares.
 *
 * meet: streams of several trees meet between sites (gb_flow.meet). wan: the edge leads to another site.
 * Evidence: docs/planning.md, "Where the numbers come from". */
static inline double gb_link_efficiency(bool meet, bool wan) {
  return meet ? 0.9 : wan ? 1 : 0.92;
}

/* The part of a link that messages inside a site leave to streams between sites that share it. Evidence:
 * docs/planning.md, "Where the numbers come from". */
#define GB_LEFT_BY_INSIDE 0.04

/* The cost of one message of `bytes` from endpoint u to endpoint v over links of which it gets the share
 * `efficiency` (gb_link_efficiency); their route is in net->route then, unless both are on one host. Statuses
 * of gb_network_route. */
int gb_edge_cost(gb_network *net, gb_endpoint u, gb_endpoint v, uint64_t bytes, double efficiency,
                 gb_cost *cost, gbcast_error *err);

/* Fills edge[v].bytes for all v (n): the flow's message, or the blocks of v's subtree. GBCAST_EMEMORY. */
int gb_edges_set_bytes(const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow, gb_edge *edge,
                       gbcast_error *err);

/* Fills edge[v].bytes and edge[v].cost[0] for all v (n): the cost of one segment (broadcast), or of all bytes
 * of the edge (scatter). Labels need no more. Statuses of gb_network_route. */
int gb_edges_for_labels(gb_network *net, const gb_schedule *schedule, const gb_tree *tree,
                        const gb_flow *flow, gb_edge *edge, gbcast_error *err);

/* Fills *edge, the edge to v in one of the trees, except for its shared links; edge->bytes must be set.
 * *apart: both ends are on different hosts; then net->route is the route, made narrower by edge->efficiency.
 * Statuses of gb_network_route. */
int gb_edge_measure(gb_network *net, const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow,
                    uint32_t v, gb_edge *edge, bool *apart, gbcast_error *err);

/* Fills *traffic, which gb_traffic_new has allocated: the costs of all edges, the shared links, the groups of
 * senders. Children must be in sending order. GBCAST_EUSAGE: a scatter would be cut into too many segments to
 * be simulated; statuses of gb_network_route. */
int gb_traffic_find(gb_network *net, const gb_schedule *schedule, const gb_flow *flow, gb_traffic *traffic,
                    gbcast_error *err);

/* Simulates the flow through all trees of a schedule at once, after gb_traffic_find. *makespan: s until all
 * endpoints have all bytes. Fills start and arrival of the trees where they are not NULL: at the root, start
 * is 0 and arrival is when it has its last segment; both are 0 for an empty share. GBCAST_EMEMORY. */
int gb_simulate(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow, double *makespan,
                gbcast_error *err);

/* How many segments of all trees of a broadcast gb_simulate simulates one by one. */
uint64_t gb_periodic_length(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow);

#endif
