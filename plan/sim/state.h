/* The state of a simulation: who has which segments, and until when links are taken. */
#ifndef GB_PLAN_SIM_STATE_H
#define GB_PLAN_SIM_STATE_H

#include "plan/sim/heap.h"
#include "plan/sim/periodic.h"

/* The next send of a sender in one tree. Apart from gb_progress, because before each send the sender looks at
 * this for all of its trees, which may be dozens. */
typedef struct gb_ready {
  double there; /* s: when it has the segment for its next send; INFINITY: unknown, or none */
  double done;  /* the tree's stage, plus the part of its sends that is done */
  uint32_t tree;
  bool wan; /* it feeds another site in this tree */
} gb_ready;

/* The next send of a sender, and its time (s); ready is NULL if there is none. */
typedef struct gb_next {
  const gb_ready *ready;
  double time;
} gb_next;

/* The progress of an endpoint in one tree. */
typedef struct gb_progress {
  gb_ready *ready;     /* endpoints without children share one */
  double last;         /* s: the arrival of the latest segment that is known */
  size_t first;        /* the index in `at` of its first segment */
  uint32_t known;      /* segments whose arrival is known */
  uint32_t segment;    /* the next segment to send ... */
  uint32_t next_child; /* ... to this child, a position in the tree's list */
  uint32_t begin, end; /* positions of its children */
} gb_progress;

typedef struct gb_simulator {
  const gb_schedule *schedule;
  const gb_traffic *traffic;
  gb_pipe *pipe;         /* tree_count */
  gb_progress *progress; /* index endpoint * tree_count + tree */
  uint32_t *ready_from;  /* n + 1: the entries of v in `ready` are ready_from[v] .. ready_from[v + 1] - 1 */
  gb_ready *ready;       /* for each endpoint, the trees in which it has children, in order */
  double *at;            /* s: the arrival of each segment at each endpoint */
  double *stream;        /* s: when the narrowest link of each edge is free; index gb_edge.stream */
  double *port;          /* n: s: when each sender is free for its next send */
  double *link_free;     /* link_count: s: when each shared link is free */
  double *least;         /* link_count: the least tail of its edges (gb_shared_links_end) */
  gb_next *next;         /* n: in groups of several senders */
  gb_heap heap;          /* senders */
} gb_simulator;

/* Sets up the state before the first send: the root has its segments, the others nothing. Sets the trees'
 * start times, where wanted, to 0. GBCAST_EMEMORY. */
int gb_simulator_new(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                     gb_simulator *sim, gbcast_error *err);
void gb_simulator_free(gb_simulator *sim);

static inline gb_progress *gb_simulator_progress(const gb_simulator *sim, const gb_pipe *pipe, uint32_t u) {
  return &sim->progress[(size_t)u * sim->schedule->tree_count + (size_t)(pipe - sim->pipe)];
}

/* How many segments v gets in the simulation. */
static inline uint32_t gb_simulator_segments(const gb_pipe *pipe, uint32_t v) {
  return !gb_carries_blocks(pipe->flow.operation) ? pipe->limit : pipe->edge[v].segments;
}

#endif
