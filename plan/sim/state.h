/* Where a walk is: who has what, and what is taken until when. */
#ifndef GB_PLAN_SIM_STATE_H
#define GB_PLAN_SIM_STATE_H

#include "plan/sim/heap.h"
#include "plan/sim/periodic.h"

/* What a sender may do next in one tree; apart from the rest, as of dozens of trees it looks at each before
 * it sends. */
typedef struct gb_ready {
  double there; /* when it has what its next send needs; INFINITY: not known yet, or nothing to send */
  double done;  /* the part of its sends that is done, and the turns before it */
  uint32_t tree;
  bool far; /* it feeds another site */
} gb_ready;

/* What a sender does next, and from when on; NULL: nothing. */
typedef struct gb_next {
  const gb_ready *ready;
  double time;
} gb_next;

/* How far a node is in one tree. */
typedef struct gb_progress {
  gb_ready *ready;     /* a node without children shares that with all others */
  double last;         /* arrival of the latest segment that is known */
  size_t first;        /* index in `at` of its first segment */
  uint32_t known;      /* segments whose arrival is known */
  uint32_t under_way;  /* segments that were sent to it since */
  uint32_t segment;    /* next segment to send ... */
  uint32_t next_child; /* ... to this child, as a position in the tree's list */
  uint32_t begin, end; /* positions of its children */
} gb_progress;

typedef struct gb_simulator {
  const gb_schedule *schedule;
  const gb_traffic *traffic;
  gb_pipe *pipe;         /* trees */
  gb_progress *progress; /* node * trees + tree */
  uint32_t *ready_from;  /* n + 1: where in `ready` ... */
  gb_ready *ready;       /* ... the trees begin in which a node has children, in order */
  double *at;            /* arrival of each segment at each node, without late uses at first ... */
  double *begun;         /* ... and where there are any, when the transfer started; or NULL */
  double *wire;          /* the narrowest link of the edge to the node is free; for edge->wire */
  double *port;          /* n: free from then on */
  double *link_free;     /* shared links: free from then on */
  double *least;         /* of each shared link: see walk_ends.c */
  gb_next *next;         /* n: in groups of several senders */
  gb_heap heap;          /* senders, and from n on the edges in traffic->late */
} gb_simulator;

/* The start: the root has segments, the others nothing. Sets the start times that are wanted to 0. */
int gb_simulator_new(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                     gb_simulator *w, gbcast_error *err);
void gb_simulator_free(gb_simulator *w);

static inline gb_progress *gb_simulator_progress(const gb_simulator *w, const gb_pipe *pipe, uint32_t u) {
  return &w->progress[(size_t)u * w->schedule->tree_count + (size_t)(pipe - w->pipe)];
}

/* Segments that the walk sends to v. */
static inline uint32_t gb_simulator_segments(const gb_pipe *pipe, uint32_t v) {
  return pipe->flow.operation == GBCAST_BCAST ? pipe->limit : pipe->edge[v].segments;
}

#endif
