/* The executor runs the channels of one rank's schedule (mpi/schedule/schedule.h). In each tree a rank has
 * one incoming stream of bytes, and for each receiver an outgoing stream that is a part of it: all of it in a
 * broadcast, the blocks of the receiver's subtree in a scatter. In a gather it is the outgoing stream that is
 * made of several parts. Streams are cut into segments. A segment is
 * sent on as soon as its bytes are ready.
 *
 *   incoming    |==== 0 ====|==== 1 ====|==== 2 ====|.... 3 ....|     receives posted ahead: 2, 3
 *   receiver a      sent        sent      in flight
 *   receiver b      sent     in flight      ready                     waits until its window has room
 *
 * Where data go up a tree, bytes are ready when those of all senders have come and are combined (combine.c),
 * or when all bytes before them have come (collect.c).
 * The root of an allreduce sends them down again.
 *
 * Other channels begin when those that they come after are over.
 *
 * A run is one use of a schedule. It is on the heap, and several may be under way on a communicator. What is
 * ready of an older broadcast or scatter is sent before anything of a younger run to the same receiver:
 *
 *   gb_run_new      the caller then says where the bytes are: gb_run_stream or gb_run_exchange
 *   gb_exec_compare the first time that the schedule is used; collective
 *   gb_run_progress does what can be done now
 *   gb_run_end      frees it
 *
 * Errors. A run that fails returns the error class on this rank, and poisons the communicator here: every
 * later call returns the same class. No other rank is told: as in MPI, others may wait for this one, whose
 * error handler ends the job unless the program has set another. When a failed run ends, no receive is left
 * posted into the caller's buffers, and its sends from them are complete, except where ranks make different
 * calls: those sends may stay pending for ever. */
#ifndef GB_MPI_EXEC_EXEC_H
#define GB_MPI_EXEC_EXEC_H

#include "mpi/exec/types.h"
#include "mpi/job/job.h"
#include "mpi/report/report.h"
#include "mpi/schedule/schedule.h"

/* Copies `length` bytes of the outgoing stream, from `offset` on, to `to`; for a root whose data are not
 * contiguous. An MPI error code. */
typedef int gb_fetch(const void *context, size_t offset, size_t length, char *to);

/* Copies `length` bytes of the incoming stream, from `offset` on, out of `from`; for a root whose data do not
 * come in one piece. An MPI error code. */
typedef int gb_deliver(const void *context, size_t offset, size_t length, const char *from);

/* Combines `length` bytes of operands at `in` with those at `inout`, in place. An MPI error code. */
typedef int gb_operator(const void *context, const char *in, char *inout, size_t length);

typedef struct gb_cursor { /* how far a channel has got in a run */
  char *data;              /* where its bytes lie; NULL where `fetch` copies what is sent */
  size_t ring;             /* received: there is only room for so many bytes, used in turn; 0: for all */
  size_t offset;           /* bytes of this rank's stream before what a receiver gets, or a sender gives */
  size_t length;           /* bytes */
  /* the executor's own */
  size_t posted;              /* bytes handed to MPI */
  size_t prefix;              /* received: bytes that have arrived without a gap ... */
  size_t taken;               /* ... and those whose room is free again: all, or those that are combined */
  unsigned in_flight;         /* messages */
  double start;               /* GBCAST_TRACE: MPI_Wtime() when the first one was posted */
  uint32_t predecessors_left; /* not over */
  bool faster; /* the links to the receiver are faster than the hosts file says (pace.h); kept as `next` is */
  double next; /* MPI_Wtime() from which the next paced send to the receiver may begin, in any tree; kept at
                  gb_channel.to_receiver. The same of the next step, at gb_channel.track */
  double site_next;                      /* the same to any host of its site; kept at gb_channel.to_site */
  unsigned beyond;                       /* segments that have arrived beyond the prefix ... */
  uint64_t arrived[GB_WINDOW_MOST / 64]; /* ... of segment i bit i % GB_WINDOW_MOST */
} gb_cursor;

/* Says where the bytes of a channel lie. What is sent is not written to. */
static inline void gb_cursor_set(gb_cursor *cursor, size_t offset, size_t length, const char *data) {
  cursor->data = (char *)data;
  cursor->offset = offset;
  cursor->length = length;
}

typedef struct gb_tree_stream { /* the streams of one tree */
  const gb_rank_tree *tree;
  gb_cursor *sender;     /* tree->sender_count */
  gb_cursor *receiver;   /* tree->receiver_count */
  size_t length;         /* bytes of the incoming stream */
  gb_fetch *fetch;       /* called where the data of a receiver are NULL */
  gb_deliver *deliver;   /* called for what comes to a ring, where tree->collects */
  gb_operator *operator; /* called where tree->combines ... */
  const char *own;       /* ... for this rank's operands ... */
  char *result;          /* ... and where all go: there, or where those of sender 0 arrive */
  const void *context;   /* of these functions */
  /* the executor's own; all 0 at first */
  size_t ready;                 /* bytes of the incoming stream that may be sent */
  size_t own_ready, own_taken;  /* bytes of this rank's operands that are there, and that are combined */
  size_t sent;                  /* bytes handed to MPI, over all receivers */
  uint32_t first_unfinished;    /* the first receiver of a scatter that has not been sent all, or the first
                                   sender of a gather from which not all has come */
  unsigned shared_in_flight[2]; /* messages, by GB_WINDOW_NODE and GB_WINDOW_LAN */
} gb_tree_stream;

typedef struct gb_run gb_run;

/* Allocates what the executor keeps of a communicator; does nothing if that exists. false: out of memory, or
 * MPI does not tell which tags it has. */
bool gb_exec_new(gb_wire *w);

/* Whether no comparison is open, or the communicator is poisoned. Poisons it when it finds that ranks differ.
 */
bool gb_exec_is_settled(gb_wire *w);

/* Frees it. No run may be under way. On a poisoned communicator comparisons may be open, which are left to
 * MPI. */
void gb_exec_free(gb_wire *w);

/* Makes a run of a schedule, which must live until the run has ended. number: of the run, taken from
 * w->number by the caller; the same run has the same number on every rank. hash: of the call if it is
 * compared, otherwise of the schedule. Messages of runs whose hashes select different tags do not match
 * (gb_first_tag). MPI_ERR_NO_MEM. */
int gb_run_new(gb_wire *w, gb_rank_schedule *schedule, uint64_t number, uint64_t hash, gb_run **out);

/* The streams of the trees (schedule->tree_count), for the caller to fill: all fields from length to context,
 * and the first fields of each cursor. All else is set. */
gb_tree_stream *gb_run_stream(gb_run *run);

/* Bytes of room for the incoming bytes of a sender that are combined, of `length`, with a ring if that is
 * enough; sets *ring. */
size_t gb_run_ring(const gb_channel *sender, size_t length, size_t *ring);

/* The blocks of an all-to-all, one for each rank: of `bytes` each, one behind the other from `base` on; or
 * that of rank r of length[r] bytes at base + place[r]. What is sent is not written to. */
typedef struct gb_block_list {
  char *base;
  size_t bytes;
  const uint64_t *length; /* or NULL */
  const ptrdiff_t *place;
} gb_block_list;

/* For an all-to-all: says where the blocks are. Both lists have lengths, or none has; lengths need a schedule
 * that passes nothing on (gb_rank_schedule.one_site). Empty blocks are not sent. MPI_ERR_NO_MEM. */
int gb_run_exchange(gb_run *run, const gb_block_list *send, const gb_block_list *receive);

/* Begins to compare `hash` among all ranks, by one small non-blocking collective: where some rank has another
 * one, a run that is under way or a later one fails with MPI_ERR_ARG. Ranks call it in the same order. An
 * error class. */
int gb_exec_compare(gb_wire *w, uint64_t hash);

/* The run waits for the last comparison that has begun. */
void gb_run_awaits_comparison(gb_run *run);

/* Does what can be done without waiting, but beside other runs no more than is outstanding at the beginning;
 * waits: or waits until the run is over, if that needs no other run of this process to get on. Returns
 * whether it is over. */
bool gb_run_progress(gb_run *run, bool waits);

/* Fails a run that may not be over, with this error class. */
void gb_run_cancel(gb_run *run, int code);

/* MPI_SUCCESS, or the error class with which the run has failed. */
int gb_run_code(const gb_run *run);

/* Whether a run that is over can be ended. One that has failed first takes its receives back, and waits for
 * its sends from the caller's memory, unless ranks make different calls. Does not wait. */
bool gb_run_can_end(gb_run *run);

/* Ends it: frees it and returns NULL; or returns it if MPI may still read what it has sent. */
gb_run *gb_run_end(gb_run *run);

/* Keeps memory for staging with a run that gb_run_end() has returned. It is given back when MPI is through
 * with it. */
void gb_run_keep(gb_run *run, void *block);

/* The same for a block of malloc(), one for each run. */
void gb_run_keep_beside(gb_run *run, void *block);

#endif
