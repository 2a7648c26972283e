/* One call, as the files of the executor share it. */
#ifndef GB_MPI_EXEC_RUN_H
#define GB_MPI_EXEC_RUN_H

#include "mpi/exec/exec.h"
#include "mpi/exec/header.h"
#include "mpi/exec/state.h"
#include <mpi.h>

enum gb_request_kind {
  GB_REQUEST_RECEIVE,
  GB_REQUEST_SEND,
  GB_REQUEST_HEADER,
  GB_REQUEST_DRAIN,
  GB_REQUEST_LISTEN,
  GB_REQUEST_UPDATE_IN,  /* offset: 0 its length, 1 itself */
  GB_REQUEST_UPDATE_OUT, /* of an update */
  GB_REQUEST_BLOCK_IN,   /* of an all-to-all: stream is the track, child the step */
  GB_REQUEST_BLOCK_OUT,
  GB_REQUEST_SYNC_IN,
  GB_REQUEST_SYNC_OUT,
  GB_REQUEST_CLOSE
};

typedef struct gb_request { /* one outstanding request */
  enum gb_request_kind kind;
  bool counted; /* GB_REQUEST_SEND: against its lane's window */
  bool timed;   /* GB_REQUEST_SEND: complete when its receiver has it, which is looked at (pace.h) */
  bool eager;   /* GB_REQUEST_SEND: likely to be complete as soon as it is posted */
  int peer;
  int tag;      /* DRAIN */
  unsigned ear; /* LISTEN */
  uint32_t stream, child;
  size_t offset, length; /* DRAIN: of a message, and what is left to post */
  uint64_t stamp;        /* in the order of posting, of receives and of GB_REQUEST_SEND */
  double start;          /* GB_REQUEST_SEND: MPI_Wtime() when it was posted, where `timed` */
  void *copy;            /* owned by the request */
} gb_request;

typedef struct gb_update_run { /* the update of one call: update.h */
  uint32_t tree;               /* that it would go down, or GB_NONE */
  bool marked;                 /* the empty message has come, */
  bool there;                  /* and it is there in full */
  gb_update what;
  gbcast_platform *read; /* or NULL; of that version */
  uint32_t updated;      /* children */
} gb_update_run;

enum { GB_RUN_INLINE = 48 };

/* How long a rank waits for a sign of the others when a call has failed, in seconds. */
#define GB_GRACE 0.5

typedef struct gb_run {
  gb_wire *w;
  gb_rank_schedule *schedule;
  size_t bytes;                     /* of the operation, as the header says it */
  gb_tree_stream *stream;           /* schedule->tree_count */
  struct gb_exchanging *exchanging; /* NULL unless this is an all-to-all */
  uint64_t sequence, stamp;
  double wake; /* MPI_Wtime() at which the first of the sends that wait for their time may go, or INFINITY */
  bool alert;  /* it matters when others complete until then */
  double port; /* MPI_Wtime() at which this rank's link is free for the next paced send */
  double looked; /* MPI_Wtime() when this rank last looked for something to send */
  bool agreeing; /* the plan is new */
  bool failed;   /* no further stream is started */
  bool given_up; /* nothing has come for GB_GRACE that this call needs */
  int code;      /* the first error */
  unsigned used, capacity, sends;
  unsigned receives, drains, closing; /* drains are receives too, and so is the collective that closes */
  unsigned hellos;                    /* first use: children that have not spoken yet */
  gb_update_run update;
  MPI_Request *handle;
  gb_request *request;
  MPI_Request inline_handle[GB_RUN_INLINE];
  gb_request inline_request[GB_RUN_INLINE];
} gb_run;

#endif
