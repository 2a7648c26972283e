/* One engine runs any plan. A rank has, for each tree, one incoming stream of bytes and for each child an
 * outgoing stream that is a part of it: everything in a broadcast, the blocks of the child's subtree in a
 * scatter. Streams are cut into segments; a segment is handed on as soon as the bytes that it needs are
 * there.
 *
 *   incoming  |==== 0 ====|==== 1 ====|==== 2 ====|.... 3 ....|     receives posted ahead: 2, 3
 *   child a        sent        sent      in flight
 *   child b        sent     in flight     ready                     waits for room in its window           */
#ifndef GB_MPI_EXEC_EXEC_H
#define GB_MPI_EXEC_EXEC_H

#include "mpi/exec/types.h"
#include "mpi/job/job.h"
#include "mpi/schedule/schedule.h"

/* Copies `length` bytes of the outgoing stream from `offset` on to `to`: for a root whose data lies
 * scattered. */
typedef int gb_fetch(const void *context, size_t offset, size_t length, char *to);

typedef struct gb_out {  /* to one child */
  size_t offset, length; /* of the incoming stream */
  const char *direct;    /* where it lies, or NULL: by `fetch` */
  /* the engine's own, from 0 */
  size_t posted; /* bytes handed to MPI */
  unsigned in_flight;
  bool told;        /* the news of this call */
  bool faster;      /* the links to the child are faster than the hosts file says (pace.h); as `next` */
  double next;      /* MPI_Wtime() of the next paced send to the child, in any tree: gb_edge.to_receiver's */
  double site_next; /* the same to any host of its site: gb_edge.to_site's */
} gb_out;

/* Waiting to be announced; or running; or it will not start. */
enum gb_flow_state { GB_FLOW_WAITING, GB_FLOW_RUNNING, GB_FLOW_DEAD };

typedef struct gb_flow { /* one tree */
  const gb_role_tree *tree;
  char *data;    /* where the incoming bytes go; not used at the root */
  size_t length; /* of the incoming stream */
  gb_out *out;   /* tree->child_count */
  gb_fetch *fetch;
  const void *context; /* of `fetch` */
  /* the engine's own, from 0 */
  enum gb_flow_state state;
  size_t receiving; /* bytes for which a receive was posted */
  size_t prefix;    /* bytes that are there without a hole */
  size_t sent;      /* bytes handed to MPI, over all children */
  uint32_t open;    /* scatter: all of the children before it has been handed to MPI */
  uint64_t
      arrived[GB_WINDOW_MOST / 64]; /* bit i modulo GB_WINDOW_MOST: segment i is there, past the prefix */
  unsigned lane_in_flight[2];
} gb_flow;

/* Makes what the executor keeps of a communicator between calls, and sets w->close; true when it is there
 * already. false: no memory. */
bool gb_exec_new(gb_wire *w);

/* At the start of a call, before a plan is looked for: takes in what has been offered to this rank, and which
 * earlier calls have failed (w->doubt). A failure leaves the requests as they are: the call looks again. */
void gb_exec_look_for_offer(gb_wire *w);
void gb_exec_look_for_failures(gb_wire *w);

/* Rank 0: offers w->ready to the root of the present call, for it to announce. */
void gb_exec_offer(gb_wire *w, int root);

/* Runs the caller's flows, one for each tree of `role`. `bytes` is of the operation: message, or block.
 * Counts as one call. Returns when all buffers may be used again: MPI_SUCCESS or an error class. */
int gb_exec_run(gb_wire *w, gb_role *role, size_t bytes, gb_flow *flow);

/* An all-to-all alike, between bytes that lie block after block. Empty blocks only make sure that ranks
 * agree.
 */
int gb_exec_exchange(gb_wire *w, gb_role *role, size_t bytes, const void *send, void *receive);

/* After an error that only this rank may have: takes part in the calls before number `end` that the error
 * kept it from, only to say so. Returns `code`, or that of a poisoned communicator. */
int gb_exec_abandon(gb_wire *w, uint64_t end, int code);

#endif
