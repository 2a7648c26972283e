/* Where a walk is: who has what, and what is taken until when. */
#ifndef GB_PLAN_WALKER_H
#define GB_PLAN_WALKER_H

#include "plan/heap.h"
#include "plan/periodic.h"

/* Arrays by tree * n + node, unless n is given. */
typedef struct gb_walker {
  const gb_forest *forest;
  gb_pipe *pipe;     /* trees */
  size_t *first;     /* index in `at` of a node's first segment */
  double *at;        /* arrival of each segment at each node */
  uint32_t *known;   /* segments that have arrived or are on their way */
  uint32_t *segment; /* next segment to send ... */
  uint32_t *turn;    /* ... to this child, as a position in its list */
  bool *far;         /* the node feeds another site in this tree */
  double *due;       /* by node * trees + tree: what is to be sent next is there; INFINITY: not known yet */
  double *wire;      /* the narrowest link of the edge to the node is free; for edge->wire */
  double *port;      /* n: free from then on */
  double *queue;     /* shared links */
  double *least;     /* by shared link: of the ways on from it (s) */
  gb_heap heap;
} gb_walker;

/* The start: the root has segments, the others nothing. Sets the start times that are wanted to 0. */
int gb_walker_new(gb_forest *forest, const gb_flow *flow, gb_walker *w, gbcast_error *err);
void gb_walker_free(gb_walker *w);

/* Segments that the walk sends to v. */
static inline uint32_t gb_walker_segments(const gb_pipe *pipe, uint32_t v) {
  return pipe->flow.operation == GBCAST_BCAST ? pipe->limit : pipe->edge[v].segments;
}

#endif
