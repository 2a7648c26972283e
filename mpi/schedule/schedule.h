/* One rank's part of a plan: from whom it receives, to whom it sends, in which order and in which pieces. */
#ifndef GB_MPI_SCHEDULE_SCHEDULE_H
#define GB_MPI_SCHEDULE_SCHEDULE_H

#include "mpi/job/job.h"
#include "plan/alltoall/alltoall.h"
#include <stdatomic.h>
#include <stddef.h>

/* Which edges share a window of sends in flight. A WAN edge has a window of its own, and so has a LAN edge
 * that is paced or carries several messages. The other edges of a rank inside its site share one window, and
 * those inside its host another, so that earlier children are served before later ones. */
enum { GB_WINDOW_NODE, GB_WINDOW_LAN, GB_WINDOW_OWN };

typedef struct gb_edge_id { /* an edge: a child in a tree */
  uint32_t tree, child;
} gb_edge_id;

typedef struct gb_rank_edge {
  int rank;                        /* at the other end */
  unsigned window_kind;            /* GB_WINDOW_... */
  bool wan;                        /* to another site */
  gb_pacing pacing;                /* the plan's, adapted to this machine */
  gb_edge_id to_receiver, to_site; /* in tree order the first of this rank's edges to the same receiver, and
                                      to the same site if that is another one */
} gb_rank_edge;

typedef struct gb_rank_tree {
  gb_rank_edge parent; /* its rank is -1 at the root */
  uint32_t child_count;
  gb_rank_edge *child;            /* child_count, in sending order */
  bool far;                       /* some child is in another site */
  uint32_t stage;                 /* as in gb_tree */
  uint64_t segment;               /* bytes */
  uint32_t weight_before, weight; /* it carries the share from weight_before to weight_before + weight, of
                                     weight_total (gb_share_begin) */
  /* Scatter: the ranks of this rank's subtree in the order of the stream, child after child, this rank last.
   * The subtree of child i is order[child_first[i]] .. order[child_first[i + 1] - 1]; child_first
   * (child_count + 1) ends with the index of this rank. */
  uint32_t *order, *child_first;
} gb_rank_tree;

typedef struct gb_rank_schedule {
  atomic_uint references;
  struct gb_rank_schedule *chain, *newer, *older; /* links in the cache of schedules */
  uint64_t bytes_at_most; /* the most memory that a schedule of this plan takes on any rank, in bytes */
  enum gbcast_operation operation;
  int root;             /* rank */
  uint64_t class_bytes; /* as in gbcast_plan */
  double predicted;     /* s, of the whole plan */
  bool used_before;     /* ranks have compared it, or do so in a call that is under way */
  bool native;          /* MPI's own collective runs */
  bool rendezvous;      /* as in gbcast_plan */
  uint64_t hash;        /* of the plan at class_bytes, so the same for all sizes of the class */
  double pace;          /* at the root of a scatter as in gb_schedule; otherwise 1 */
  bool far_first;       /* at the root of a scatter as in gb_schedule; otherwise false */
  double efficiency[2]; /* as in gb_schedule */
  bool in_stages;       /* some trees follow others */
  bool one_uplink;      /* of this rank's site, as in gb_site */
  uint32_t weight_total, tree_count;
  gb_rank_tree *tree;   /* tree_count */
  gb_exchange exchange; /* of an all-to-all, which has no trees */
  uint32_t used;        /* rank 0: uses since it last looked for live values ... */
  gbcast_plan *plan;    /* ... and the whole plan, if it looks for them; NULL for all-to-alls */
} gb_rank_schedule;

/* The bytes of a message of `bytes` that go down one tree. *begin: where they begin in the message. */
static inline size_t gb_rank_share(const gb_rank_schedule *schedule, uint32_t tree, uint64_t bytes,
                                   size_t *begin) {
  const gb_rank_tree *t = &schedule->tree[tree];
  *begin = gb_share_begin(bytes, t->weight_before, schedule->weight_total);
  return gb_share_begin(bytes, t->weight_before + t->weight, schedule->weight_total) - *begin;
}

/* Sets *out to this rank's part of a plan for `bytes` from rank `root`; native: MPI's own collective runs. To
 * be given to gb_rank_schedule_free. MPI_SUCCESS or an error class. */
int gb_rank_schedule_make(const gb_wire *w, const gbcast_plan *plan, size_t bytes, int root, bool native,
                          gb_rank_schedule **out);

/* One more reference, and one less; the last one frees it. NULL is allowed. */
gb_rank_schedule *gb_rank_schedule_keep(gb_rank_schedule *schedule);
void gb_rank_schedule_free(gb_rank_schedule *schedule);

#endif
