/* The executor runs any plan. In each tree, a rank has one incoming stream of bytes, and for each child an
 * outgoing stream that is a part of it: all of it in a broadcast, the blocks of the child's subtree in a
 * scatter. Streams are cut into segments. A segment is sent on as soon as its bytes have arrived.
 *
 *   incoming  |==== 0 ====|==== 1 ====|==== 2 ====|.... 3 ....|     receives posted ahead: 2, 3
 *   child a        sent        sent      in flight
 *   child b        sent     in flight     ready                     waits until its window has room */
#ifndef GB_MPI_EXEC_EXEC_H
#define GB_MPI_EXEC_EXEC_H

#include "mpi/exec/types.h"
#include "mpi/job/job.h"
#include "mpi/schedule/schedule.h"

/* Copies `length` bytes of the outgoing stream, from `offset` on, to `to`; for a root whose data are not
 * contiguous. An MPI error code. */
typedef int gb_fetch(const void *context, size_t offset, size_t length, char *to);

typedef struct gb_child_cursor { /* the outgoing stream to one child */
  size_t offset, length;         /* bytes: the part of the incoming stream that the child gets */
  const char *direct;            /* where this part lies; NULL: `fetch` copies it */
  /* the executor's own; all 0 at first */
  size_t posted;      /* bytes handed to MPI */
  unsigned in_flight; /* messages */
  bool updated;       /* has been sent the update of this call */
  bool faster; /* the links to the child are faster than the hosts file says (pace.h); kept as `next` is */
  double next; /* MPI_Wtime() from which the next paced send to the child may begin, in any tree; kept at
                  gb_rank_edge.to_receiver */
  double site_next; /* the same to any host of its site; kept at gb_rank_edge.to_site */
} gb_child_cursor;

/* A stream waits to be announced, runs, or will not start. */
enum gb_stream_state { GB_STREAM_WAITING, GB_STREAM_RUNNING, GB_STREAM_DEAD };

typedef struct gb_tree_stream { /* the streams of one tree */
  const gb_rank_tree *tree;
  char *data;              /* where the incoming bytes go; unused at the root */
  size_t length;           /* bytes of the incoming stream */
  gb_child_cursor *cursor; /* tree->child_count */
  gb_fetch *fetch;         /* called where a cursor's `direct` is NULL */
  const void *context;     /* of `fetch` */
  /* the executor's own; all 0 at first */
  enum gb_stream_state state;
  size_t receiving;                      /* bytes for which receives were posted */
  size_t prefix;                         /* bytes that have arrived without a gap */
  size_t sent;                           /* bytes handed to MPI, over all children */
  uint32_t open;                         /* scatter: the first child that has not been sent all */
  uint64_t arrived[GB_WINDOW_MOST / 64]; /* bit i % GB_WINDOW_MOST: segment i has arrived, beyond prefix */
  unsigned shared_in_flight[2];          /* messages, by GB_WINDOW_NODE and GB_WINDOW_LAN */
} gb_tree_stream;

/* Allocates what the executor keeps of a communicator between calls, and sets w->close; does nothing if that
 * exists. false: out of memory. */
bool gb_exec_new(gb_wire *w);

/* At the start of a call, before a plan is chosen: the first receives an update that rank 0 has offered to
 * this rank, the second learns which earlier calls have failed (w->doubt). A failure leaves the requests as
 * they are, and the call tries again. */
void gb_exec_look_for_offer(gb_wire *w);
void gb_exec_look_for_failures(gb_wire *w);

/* Rank 0: offers w->ready to rank `root`, which is the root of the present call, so that it announces it
 * (offer.h). */
void gb_exec_offer(gb_wire *w, int root);

/* Runs the caller's streams (schedule->tree_count), which counts as one call. `bytes` is the size of the
 * operation: the message, or the block of one rank. Returns when all buffers may be used again: MPI_SUCCESS
 * or an error class. */
int gb_exec_run(gb_wire *w, gb_rank_schedule *schedule, size_t bytes, gb_tree_stream *stream);

/* The same for an all-to-all: `send` and `receive` hold a block of `bytes` for each rank, in the order of
 * ranks. Empty blocks only make sure that ranks agree. */
int gb_exec_exchange(gb_wire *w, gb_rank_schedule *schedule, size_t bytes, const void *send, void *receive);

/* After an error that only this rank may have: takes part in the calls before number `end` that the error
 * kept it from, only to report the error. Returns `code`, or that of a poisoned communicator. */
int gb_exec_abandon(gb_wire *w, uint64_t end, int code);

#endif
