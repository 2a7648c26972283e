/* One rank's part of a plan: whom it hears from, whom it sends to, in which order and in which pieces. */
#ifndef GB_MPI_SCHEDULE_SCHEDULE_H
#define GB_MPI_SCHEDULE_SCHEDULE_H

#include "mpi/job/job.h"
#include "plan/alltoall/alltoall.h"
#include <stddef.h>

/* Sends in flight: an edge of the WAN has a window of its own, and so has one inside the LAN over which a
 * broadcast goes in segments, or a scatter, or which is paced. Those of one rank's other edges inside the LAN
 * (or the node) share one, so that earlier children are served before later ones. */
enum { GB_LANE_NODE, GB_LANE_LAN, GB_LANE_OWN };

typedef struct gb_first { /* a child in some tree */
  uint32_t tree, child;
} gb_first;

typedef struct gb_rank_edge {
  int rank;
  unsigned lane;
  bool wan;                      /* to another site */
  gb_pacing pacing;              /* of the plan, but for what the machine says otherwise */
  gb_first to_receiver, to_site; /* the first edge to this receiver and, in another site, to that site */
} gb_rank_edge;

typedef struct gb_rank_tree {
  gb_rank_edge parent; /* rank -1 at the root */
  uint32_t child_count;
  gb_rank_edge *child; /* in sending order */
  bool far;            /* some child is in another site */
  uint32_t stage;      /* see gb_site_trees */
  uint64_t segment;
  uint32_t weight_before,
      weight; /* its share is bytes weight_before .. weight_before + weight of weight_total */
  /* Scatter: the ranks of my subtree in the order of the stream, child after child, myself last. Child i's
   * subtree is order[child_first[i]] .. order[child_first[i + 1] - 1]; child_first[child_count] is where I
   * am. */
  uint32_t *order, *child_first;
} gb_rank_tree;

typedef struct gb_rank_schedule {
  struct gb_rank_schedule *chain, *newer, *older; /* of the cache */
  uint64_t bytes_at_most;                         /* that a schedule of this plan takes on any rank */
  enum gbcast_operation operation;
  int root;
  uint64_t class_bytes;
  double predicted; /* s, of the whole plan */
  uint64_t agreed;  /* the call in which ranks last made sure that they all follow this plan, or 0 */
  bool native;      /* MPI's own collective is run */
  bool rendezvous;
  uint64_t hash;  /* of its class of sizes, whichever of them it was made for */
  double pace;    /* a scatter's root: how much more slowly than its link allows it sends; 1 elsewhere */
  bool far_first; /* the same: what goes to its own site waits for the link to be free */
  double efficiency[2]; /* of the plan */
  bool in_stages;       /* some trees follow others */
  bool one_uplink;      /* of this rank's site */
  uint32_t weight_total, tree_count;
  gb_rank_tree *tree;
  gb_exchange exchange; /* of an all-to-all, which has no trees */
  uint32_t used;        /* rank 0: how often since it has looked at the weather last, */
  gbcast_plan *plan;    /* and the whole plan, where it does; all-to-alls carry no updates */
} gb_rank_schedule;

/* The bytes that go down one tree of `bytes`; *begin: where they begin. */
static inline size_t gb_rank_share(const gb_rank_schedule *schedule, uint32_t tree, uint64_t bytes,
                                   size_t *begin) {
  const gb_rank_tree *t = &schedule->tree[tree];
  *begin = gb_share_begin(bytes, t->weight_before, schedule->weight_total);
  return gb_share_begin(bytes, t->weight_before + t->weight, schedule->weight_total) - *begin;
}

/* What this rank does of a plan for `bytes` from rank `root`; native: MPI's own collective is run. An error
 * class. */
int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out);
void gb_rank_schedule_free(gb_rank_schedule *schedule); /* NULL is allowed */

#endif
