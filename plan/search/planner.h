/* What the steps of planning share. One planner lives for one call of gb_plan_make. */
#ifndef GB_PLAN_SEARCH_PLANNER_H
#define GB_PLAN_SEARCH_PLANNER_H

#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/core/core.h"
#include "platform/route.h"

/* A rank of the same host: one copy through shared memory. The hosts file has no values for it; these are
 * assumed. */
#define GB_NODE_OVERHEAD 1e-6 /* s */
#define GB_NODE_BANDWIDTH 5e9 /* bytes/s */

/* A tree over a run of endpoints, numbered from 0: the whole plan, or one site by itself. */
typedef struct gb_shape {
  uint32_t n, root;
  const gb_endpoint *endpoint; /* n */
  uint32_t *parent;            /* n */
  uint32_t *child_start;       /* n + 1 */
  uint32_t *child;             /* n */
  double pace;                 /* scatter: how much more slowly than its link allows the root sends; else 1 */
} gb_shape;

/* How the message goes through the tree: cut in segments, each edge carrying the share of its subtree. */
typedef struct gb_flow {
  enum gbcast_operation operation;
  uint64_t bytes; /* message, or block of one rank */
  uint64_t segment;
  double pace;  /* s between segments as the root of the shape gets them; 0: it has them all at the start */
  double turns; /* of all trees of which this is one, for one of its own; 0 stands for 1 */
  bool rendezvous;
  uint32_t walked; /* broadcast: after so many segments the walk goes on at the pace of the last ones */
  uint32_t lanes;  /* see plan/search/host_trees.c; 0 means one */
  bool meet;       /* streams of several trees meet between sites (plan/sim/link_efficiency.h) */
} gb_flow;

static inline uint32_t gb_flow_lanes(const gb_flow *flow) {
  return flow->lanes > 1 ? flow->lanes : 1;
}

/* One shared directed link on the way of an edge. */
typedef struct gb_use {
  uint32_t queue; /* index of its queue */
  double busy[2]; /* s that a full segment, and the last one, keep it busy ... */
  double late;    /* ... if late.c says so from that long after the transfer starts on */
} gb_use;

/* Costs of the edge that leads to each node of one tree; [0] of a full segment, [1] of the last one. What the
 * walk reads at each send comes first. */
typedef struct gb_edge {
  uint32_t wire; /* tree * n + node: the first edge between the same endpoints, one stream with this one */
  uint32_t use_start, use_count, at_once; /* the first `at_once` uses are not late */
  uint32_t segments;
  double overhead; /* o: the transfer starts this long after the send */
  uint32_t late;   /* its number in forest->late from 1; 0: no use is late */
  gb_cost cost[2];
  double busy[2];      /* s on the narrowest link, stream-bandwidth included */
  double into[2];      /* s on the receiver's own link */
  double room;         /* part of the links that it gets (plan/sim/link_efficiency.h) */
  double announce;     /* s that a rendezvous adds to the first segment */
  double window;       /* bytes that its stream sends before the first answer; INFINITY: no slow start */
  uint64_t full, last; /* bytes of a full segment and of the last one */
  uint64_t bytes;      /* over all segments */
  uint64_t offset;     /* scatter: where this subtree's blocks begin in the parent's stream */
  bool measured;       /* by plogp: busy is g */
  bool wan;            /* to another site */
} gb_edge;

/* One of several trees, and what is known about its edges. */
typedef struct gb_part {
  uint32_t weight; /* its share of the message is weight / forest->weight_total */
  uint32_t turn;   /* see gb_site_trees */
  gb_shape shape;
  gb_edge *edge;   /* n; the root's is unused */
  double *label;   /* n, or NULL: not wanted, as the next two */
  double *start;   /* n: when the first byte of the share leaves for the node (s) */
  double *arrival; /* n: when the node has the whole share */
} gb_part;

/* An edge that has late uses. */
typedef struct gb_late {
  uint32_t tree, node;
  double late; /* of the first of them */
} gb_late;

/* Trees over the same endpoints, each with a share of the message. An endpoint sends one thing at a time,
 * whatever the tree, and links are shared by the edges of all trees. */
typedef struct gb_forest {
  uint32_t n, root;
  uint32_t count, weight_total;
  gb_part *part; /* count */
  gb_use *use;
  uint32_t use_count, use_capacity;
  uint32_t queue_count;
  gb_late *late;
  uint32_t late_count;
  bool slow_start; /* some stream has an initial window */
  uint32_t sender_count;
  uint32_t *sender; /* n: those with children, group after group; see groups.c */
  uint32_t *group;  /* n */
} gb_forest;

/* Who uses a directed link, while the edges of a forest are looked at; all zero between uses. */
typedef struct gb_resource {
  uint32_t users, sender, queue; /* users: pairs of endpoints; queue: its number from 1 */
  bool shared;                   /* by several senders */
  bool queued;                   /* some sender's Delta is shorter than its time on the link */
} gb_resource;

/* A site for which auto was asked, whatever the others use. */
#define GB_INTRA_AUTO (SIZE_MAX - 1)

/* What is done inside a site. */
typedef struct gb_local {
  size_t intra; /* index in gb_intra_table */
  size_t node;  /* index in gb_node_table */
} gb_local;

/* What may be chosen from inside the sites. A site's best by itself need not be best for all: several trees
 * in one site are several between all sites, and its leader also sends to other sites. So less is tried, too.
 */
typedef struct gb_mix {
  bool shapes;   /* all of gb_node_table, not only the first */
  bool one_tree; /* no algorithms that make several trees, where auto chooses */
} gb_mix;
#define GB_MIXES 4
#define GB_LARGE 512u   /* ranks: in plans of as many less is tried, for time */
#define GB_MIX_PAIR 2   /* they come in pairs: all algorithms, and those that make one tree */
#define GB_MIX_SHAPES 0 /* the pair with all shapes */
#define GB_MIX_PLAIN 2  /* the pair with the first shape everywhere */
extern const gb_mix gb_mix_table[GB_MIXES];

/* One way to do the job. */
typedef struct gb_trial {
  size_t inter;        /* the name it goes by */
  size_t tree_inter;   /* whose tree it is: `exact` returns another algorithm's when the judge prefers it */
  bool whole;          /* the tree was made for messages of the whole size, not of a segment */
  bool roomy;          /* several trees: made to leave leaders more room (site_loads.c) */
  bool found;          /* or it is the planner's own, LAN algorithms and all */
  uint32_t site_trees; /* trees over sites */
  size_t intra;        /* or GB_INTRA_MIXED */
  size_t mix;          /* index in gb_mix_table */
  uint64_t segment;
  uint32_t lanes;
  double predicted;
  bool previewed; /* `predicted` is of a walk of its first segments, as it is far behind (preview.c) */
  double copies;  /* gb_forest_copies of a broadcast to several sites */
  gb_terms terms;
} gb_trial;

/* The composed trees, and after the walk labels and times. */
typedef struct gb_composed {
  gb_forest forest;
  uint32_t site_trees; /* trees over sites in it */
  bool meet;           /* their streams meet: see gb_flow */
  uint32_t *leaders;   /* lane * sites + site */
  double makespan;
} gb_composed;

/* The trees of one algorithm inside one site. */
typedef struct gb_lan_trees {
  uint32_t lanes;   /* 0: not made yet */
  bool feeds;       /* see plan/search/host_trees.h */
  uint32_t *parent; /* lane after lane, tree after tree: by host, the leader's first */
} gb_lan_trees;

/* What was chosen inside the sites at one segment size, with one algorithm or GB_INTRA_MIXED. */
typedef struct gb_kept_locals {
  uint64_t segment;
  size_t intra;
  gb_local *local; /* mix * sites + site */
} gb_kept_locals;

/* A tree over sites, and what runs inside them; NULLs before there is one. */
typedef struct gb_found {
  uint32_t *parent;      /* per site */
  const gb_local *local; /* per site, among those kept */
} gb_found;

/* What messages of one size cost between leaders; matrices as in gb_site_graph. */
typedef struct gb_site_costs {
  uint64_t size; /* 0: not known yet */
  uint32_t lanes;
  double *delta, *weight;
} gb_site_costs;

/* Trees that were walked, and what came out. */
typedef struct gb_walked {
  uint64_t trees; /* their checksum, with the flow's */
  double predicted, copies;
  bool previewed; /* see gb_trial */
  gb_terms terms;
} gb_walked;

typedef struct gb_planner {
  const gbcast_platform *p;
  gbcast_plan *plan;
  uint32_t **row;        /* per cluster of the platform: paths to the others, once needed */
  gb_resource *resource; /* per directed link of the platform */
  gb_route route;        /* scratch */
  gb_route *pair;        /* site_count^2 routes, leader to leader without hops, once needed; NULL: too many */
  gb_site_costs costs[2]; /* of the whole size, and of the segment that was asked for last */
  bool *direct;           /* site_count^2, with the costs */
  gb_kept_locals *kept;   /* kept_count */
  size_t kept_count;
  gb_walked *walked; /* walked_count, by gb_trial_walk */
  size_t walked_count;
  uint64_t near;             /* bits: ways to make trees over sites that were not far behind (preview.c) */
  gb_trial fastest;          /* of all that were walked, ... */
  gb_composed fastest_trees; /* ... and what was; zeros before anything is */
  gb_lan_trees *lan_tree;    /* site * gb_intra_count + algorithm, for the last number of lanes asked for */
  size_t *forced_intra;      /* per site: index, GB_INTRA_AUTO, or SIZE_MAX when nothing was said of it */
  uint64_t least_measured;   /* bytes: the first size of the plogp tables, or 0; no segment is smaller */
  gb_found found;            /* by changing the best trial */
  bool rendezvous;           /* the forced intra algorithm announces its messages */
  bool over_leaders;         /* scatter: they may be used, as theirs are the wider ways */
} gb_planner;

int gb_planner_new(gb_planner *pl, gbcast_plan *plan, gbcast_error *err);
void gb_planner_release(gb_planner *pl); /* also after gb_planner_new has failed */

/* The route between two hosts of the platform, into pl->route, with the row of paths looked up or made. */
int gb_planner_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err);
/* The same between the leaders of two sites. */
int gb_planner_site_route(gb_planner *pl, uint32_t from, uint32_t to, gbcast_error *err);

#endif
