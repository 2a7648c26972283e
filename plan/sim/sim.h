/* The simulation: what a flow through trees takes on a platform (docs/planning.md, "What it knows"). Trees
 * and their edges are set up step by step, as the search needs the early ones by themselves:
 *
 *   gb_traffic_find     costs of all edges, and the links that they share
 *   gb_simulate            the discrete-event simulation: the judge (design, rule 1) */
#ifndef GB_PLAN_SIM_SIM_H
#define GB_PLAN_SIM_SIM_H

#include "plan/core/core.h"
#include "platform/cost/cost.h"

/* A rank of the same host: one copy through shared memory. The hosts file has no values for it; these are
 * assumed. */
#define GB_NODE_OVERHEAD 1e-6 /* s */
#define GB_NODE_BANDWIDTH 5e9 /* bytes/s */

/* How the message goes through the tree: cut in segments, each edge carrying the share of its subtree. */
typedef struct gb_flow {
  enum gbcast_operation operation;
  uint64_t bytes; /* message, or block of one rank */
  uint64_t segment;
  double pace;       /* s between segments as the root gets them; 0: it has them all at the start */
  double interleave; /* of all trees of which this is one, for one of its own; 0 stands for 1 */
  bool rendezvous;
  uint32_t simulated; /* broadcast: after so many segments the walk goes on at the pace of the last ones */
  uint32_t lanes;     /* see plan/search/host_trees.c; 0 means one */
  bool meet;          /* streams of several trees meet between sites (gb_link_efficiency) */
} gb_flow;

static inline uint32_t gb_flow_lanes(const gb_flow *flow) {
  return flow->lanes > 1 ? flow->lanes : 1;
}

/* One shared directed link on the way of an edge. */
typedef struct gb_link_use {
  uint32_t link;  /* its number among the shared links */
  double busy[2]; /* s that a full segment, and the last one, keep it busy ... */
  double delay; /* s until bytes get there, where arrival_order.c counts that; else they are there at once */
} gb_link_use;

/* Costs of the edge that leads to each node of one tree; [0] of a full segment, [1] of the last one. What the
 * walk reads at each send comes first. */
typedef struct gb_edge {
  uint32_t wire; /* tree * n + node: the first edge between the same endpoints, one stream with this one */
  uint32_t use_start, use_count, at_once; /* the first `at_once` uses are not delayed */
  uint32_t segments;
  double overhead;  /* o: the transfer starts this long after the send */
  uint32_t delayed; /* its number in traffic->delayed from 1; 0: no use is delayed */
  gb_cost cost[2];
  double busy[2];      /* s on the narrowest link, stream-bandwidth included */
  double into[2];      /* s on the receiver's own link */
  double efficiency;   /* part of the links that it gets (gb_link_efficiency) */
  double announce;     /* s that a rendezvous adds to the first segment */
  double window;       /* bytes that its stream sends before the first answer; INFINITY: no slow start */
  uint64_t full, last; /* bytes of a full segment and of the last one */
  uint64_t bytes;      /* over all segments */
  uint64_t offset;     /* scatter: where this subtree's blocks begin in the parent's stream */
  bool measured;       /* by plogp: busy is g */
  bool wan;            /* to another site */
} gb_edge;

/* An edge with uses that are delayed. */
typedef struct gb_delayed_edge {
  uint32_t tree, node;
  double delay; /* of the first of them */
} gb_delayed_edge;

/* What a schedule puts on the network: its edges, the links that these share, and who sends. */
typedef struct gb_traffic {
  uint32_t tree_count;
  gb_edge **edge; /* of each tree, of the edge to each endpoint; the root's is unused */
  gb_link_use *use;
  uint32_t use_count, use_capacity;
  uint32_t link_count;
  gb_delayed_edge *delayed;
  uint32_t delayed_count;
  bool slow_start; /* some stream has an initial window */
  uint32_t sender_count;
  uint32_t *sender; /* endpoint_count: those with children, group after group; see groups.c */
  uint32_t *group;  /* endpoint_count */
} gb_traffic;

/* Who uses a directed link, while the edges of a schedule are looked at; all zero between uses. */
typedef struct gb_resource {
  uint32_t users, sender,
      link;    /* users: pairs of endpoints; link: its number among the shared ones, from 1 */
  bool shared; /* by several senders */
  bool queued; /* some sender's Delta is shorter than its time on the link */
} gb_resource;

/* The platform as the simulation looks at it: routes between hosts, kept once they are found. */
typedef struct gb_network {
  const gbcast_platform *p;
  uint32_t **row;        /* per cluster of the platform: paths to the others, once needed */
  gb_resource *resource; /* per directed link of the platform */
  gb_route route;        /* of gb_network_route */
} gb_network;

int gb_network_new(gb_network *net, const gbcast_platform *p, gbcast_error *err);
void gb_network_release(gb_network *net); /* also after gb_network_new has failed */

/* The route between two hosts of the platform, into net->route. GBCAST_EINPUT: out of reach. */
int gb_network_route(gb_network *net, uint32_t from, uint32_t to, gbcast_error *err);

int gb_traffic_new(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err);
void gb_traffic_free(gb_traffic *traffic);

/* What goes down one tree of the flow: its share. */
gb_flow gb_schedule_share(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree);

/* Seconds until the root has segment `index` of a tree's share, by flow->pace: the segments of all trees come
 * to it in turn, those of a tree with a larger share more often. */
double gb_schedule_fed(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree, uint64_t index);

/* How often the whole message leaves the root's host for others of its cluster. */
double gb_schedule_copies(const gb_schedule *schedule, const gbcast_platform *p);

/* What part of a link streams get that meet there.
 *
 * Bytes/s in a hosts file hold for one stream alone. A host inside a tree receives and sends at once: what
 * goes one way takes from what comes the other way, for acknowledgements and headers. Streams of several
 * trees meet on links besides: without room queues grow there, and the stream with the longest way waits
 * most. The walk counts it, and several trees are paced by it. One tree over measured gaps is taken to need
 * just those.
 *
 *   inside a cluster                      0.92   simulated, 4 MiB over four switches take 1.14 of the bound
 *                                                in two trees paced with 1 and with 0.9, and 1.11 with 0.92;
 *                                                8 MiB over real TCP in one tree go at 0.91, and
 *                                                scatters of 1 MiB in a binomial tree at 0.89
 *   streams that meet between sites, and  0.9    4 MiB over a mesh of sites: 1.61 with 1, 1.55 with 0.95,
 *   what shares their leaders' links             1.47 with 0.9 and with 0.85
 *   other streams between sites           1      1 MiB to a second site: 1.10 with 0.9, 1.03 with 1
 *
 * Of a broadcast, and of a scatter to one who passes on, in segments. meet: streams of several trees meet
 * between sites (gb_flow); wan: between sites. */
static inline double gb_link_efficiency(bool meet, bool wan) {
  return meet ? 0.9 : wan ? 1 : 0.92;
}

/* What one message of `bytes` from endpoint u to endpoint v costs where it gets that part
 * (gb_link_efficiency) of the links. */
int gb_edge_cost(gb_network *net, gb_endpoint u, gb_endpoint v, uint64_t bytes, double efficiency,
                 gb_cost *cost, gbcast_error *err);

/* Fills edge[v].bytes (n): the flow's message, or the blocks of the subtree. */
int gb_edges_set_bytes(const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow, gb_edge *edge,
                       gbcast_error *err);

/* Fills edge[v].cost[0] for the edges of the tree, at `segment` bytes (bcast) or all of the edge's bytes
 * (scatter): what labels need. */
int gb_edges_for_labels(gb_network *net, const gb_schedule *schedule, const gb_tree *tree,
                        const gb_flow *flow, gb_edge *edge, gbcast_error *err);

/* Fills all but the shared links of the edge to v in one of the trees; edge->bytes is set. The route, as wide
 * as the edge has room, is in net->route; *apart says whether there is one, that is, whether both ends are on
 * different hosts. */
int gb_edge_measure(gb_network *net, const gb_schedule *schedule, const gb_tree *tree, const gb_flow *flow,
                    uint32_t v, gb_edge *edge, bool *apart, gbcast_error *err);

/* What the walk needs to know of the edges of all trees: costs, last segments, queues, groups. The children
 * must be in sending order. GBCAST_EUSAGE when a scatter would be cut into too many pieces to be walked. */
int gb_traffic_find(gb_network *net, const gb_schedule *schedule, const gb_flow *flow, gb_traffic *traffic,
                    gbcast_error *err);

/* The judge (design, rule 1): a discrete-event walk of the flow through all trees at once, after
 * gb_traffic_find. Fills start and arrival of the parts that want them; at the root they are 0 and when it
 * has its last segment, and 0 for an empty share. */
int gb_simulate(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow, double *makespan,
                gbcast_error *err);

/* How many segments of all trees of a broadcast are walked, so limited. */
uint64_t gb_periodic_length(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow);

#endif
