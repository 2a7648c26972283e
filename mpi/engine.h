/* One engine runs any plan. A rank has, for each tree, one incoming stream of bytes and for each child an
 * outgoing stream that is a part of it: everything in a broadcast, the blocks of the child's subtree in a
 * scatter. Streams are cut into segments; a segment is handed on as soon as the bytes that it needs are
 * there.
 *
 *   incoming  |==== 0 ====|==== 1 ====|==== 2 ====|.... 3 ....|     receives posted ahead: 2, 3
 *   child a        sent        sent      in flight
 *   child b        sent     in flight     ready                     waits for room in its window           */
#ifndef GB_MPI_ENGINE_H
#define GB_MPI_ENGINE_H

#include "mpi/comm.h"
#include "mpi/header.h"
#include "mpi/role.h"
#include <mpi.h>

/* Copies `length` bytes of the outgoing stream from `offset` on to `to`: for a root whose data lies
 * scattered. */
typedef void gb_fetch(const void *context, size_t offset, size_t length, char *to);

typedef struct gb_out {  /* to one child */
  size_t offset, length; /* of the incoming stream */
  const char *direct;    /* where it lies, or NULL: by `fetch` */
  size_t posted;         /* bytes handed to MPI */
  unsigned in_flight;
  double next; /* MPI_Wtime() of the next send, while it is paced; 0: any time */
} gb_out;

/* Waiting to be announced; or running; or it will not start. */
enum gb_flow_state { GB_FLOW_WAITING, GB_FLOW_RUNNING, GB_FLOW_DEAD };

typedef struct gb_flow { /* one tree; the caller fills the first four */
  const gb_role_tree *tree;
  char *data;    /* where the incoming bytes go; not used at the root */
  size_t length; /* of the incoming stream */
  gb_out *out;   /* tree->child_count */
  enum gb_flow_state state;
  size_t receiving; /* bytes for which a receive was posted */
  size_t prefix;    /* bytes that are there without a hole */
  uint64_t arrived; /* bit i: segment i past the prefix is there */
  unsigned lane_in_flight[2];
} gb_flow;

enum gb_slot_kind {
  GB_SLOT_RECEIVE,
  GB_SLOT_SEND,
  GB_SLOT_HEADER,
  GB_SLOT_DRAIN,
  GB_SLOT_LISTEN,
  GB_SLOT_CLOSE
};

typedef struct gb_slot { /* one outstanding request */
  enum gb_slot_kind kind;
  bool counted; /* GB_SLOT_SEND: against its lane's window */
  int peer;
  int tag; /* DRAIN */
  uint32_t flow, child;
  size_t offset, length; /* DRAIN: of a message, and what is left to post */
  uint64_t stamp;
  void *copy; /* owned by the request */
} gb_slot;

enum { GB_RUN_INLINE = 48 };

/* How long a rank waits for a sign of the others when a call has failed, in seconds. */
#define GB_GRACE 0.5

typedef struct gb_run {
  gb_comm *c;
  gb_role *role;
  size_t bytes;     /* of the operation, as the header says it */
  bool child_major; /* finish a child before the next; otherwise a segment for every child in turn */
  gb_fetch *fetch;
  const void *context;
  gb_flow *flow; /* role->tree_count */
  /* the engine's own */
  uint64_t sequence, stamp;
  double wake; /* MPI_Wtime() at which the first of the sends that wait for their time may go, or INFINITY */
  bool agreeing; /* the plan is new */
  bool failed;   /* no further flow is started */
  bool given_up; /* nothing has come for GB_GRACE that this call needs */
  int code;      /* the first error */
  unsigned used, capacity, sends;
  unsigned receives, drains; /* drains are receives too */
  unsigned hellos;           /* first use: children that have not spoken yet */
  MPI_Request *request;
  gb_slot *slot;
  int *index;
  MPI_Status *status;
  MPI_Request inline_request[GB_RUN_INLINE];
  gb_slot inline_slot[GB_RUN_INLINE];
  int inline_index[GB_RUN_INLINE];
  MPI_Status inline_status[GB_RUN_INLINE];
} gb_run;

/* The caller has filled the part before `sequence`, and every flow. Counts as one call. Returns when all
 * buffers may be used again: MPI_SUCCESS or an error class. */
int gb_engine(gb_run *run);

/* After an error that only this rank may have: takes part in the calls before number `end` that the error
 * kept it from, only to say so. Returns `code`. */
int gb_engine_settle(gb_comm *c, uint64_t end, int code);

/* Collective, before the communicator is freed: takes in what lies around from failed calls, until nobody is
 * in a call any more. */
void gb_engine_close(gb_comm *c);

#endif
