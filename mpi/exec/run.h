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
  GB_REQUEST_UPDATE_IN,  /* offset 0: the length of the update; 1: the update */
  GB_REQUEST_UPDATE_OUT, /* a part of an update */
  GB_REQUEST_BLOCK_IN,   /* of an all-to-all: stream is the track, child the step */
  GB_REQUEST_BLOCK_OUT,
  GB_REQUEST_SYNC_IN,
  GB_REQUEST_SYNC_OUT,
  GB_REQUEST_CLOSE
};

typedef struct gb_request { /* one outstanding request */
  enum gb_request_kind kind;
  bool counted; /* GB_REQUEST_SEND: it counts against the window that it shares */
  bool timed;   /* GB_REQUEST_SEND: it completes when the receiver has it, so its time is taken (pace.h) */
  bool eager;   /* GB_REQUEST_SEND: likely to be complete as soon as it is posted */
  int peer;
  int tag;      /* DRAIN */
  unsigned ear; /* LISTEN */
  uint32_t stream, child;
  size_t offset, length; /* bytes; GB_REQUEST_DRAIN: of one message, and what is left to post */
  uint64_t stamp;        /* the order of posting, of receives and of GB_REQUEST_SEND */
  double start;          /* GB_REQUEST_SEND: MPI_Wtime() when it was posted, where `timed` */
  void *copy;            /* owned by the request */
} gb_request;

typedef struct gb_update_run { /* the update of one call (update.h) */
  uint32_t tree;               /* in which it goes down, or GB_NONE */
  bool marked;                 /* the empty message has arrived */
  bool there;                  /* the update has arrived in full */
  gb_update what;
  gbcast_platform *read; /* the platform of the update, or NULL */
  uint32_t updated;      /* children that have been sent it */
} gb_update_run;

enum { GB_RUN_INLINE = 48 };

/* How long a rank waits for a sign of the others when a call has failed, in seconds. */
#define GB_GRACE 0.5

typedef struct gb_run {
  gb_wire *w;
  gb_rank_schedule *schedule;
  size_t bytes;                     /* of the operation, as in gb_header */
  gb_tree_stream *stream;           /* schedule->tree_count */
  struct gb_exchanging *exchanging; /* NULL unless this is an all-to-all */
  uint64_t sequence, stamp;
  double wake;   /* MPI_Wtime() at which the first of the paced sends may begin, or INFINITY */
  bool alert;    /* until then, it matters when other requests complete */
  double port;   /* MPI_Wtime() at which this rank's link is free for the next paced send */
  double looked; /* MPI_Wtime() when this rank last looked for something to send */
  bool agreeing; /* the plan is used for the first time */
  bool failed;   /* the call has failed: no more streams start */
  bool given_up; /* nothing that this call needs has arrived for GB_GRACE */
  int code;      /* the first error */
  unsigned used, capacity, sends;
  unsigned receives, drains, closing; /* receives include drains and the collective that closes */
  unsigned hellos;                    /* first use: children that have not said HELLO */
  gb_update_run update;
  MPI_Request *handle;
  gb_request *request;
  MPI_Request inline_handle[GB_RUN_INLINE];
  gb_request inline_request[GB_RUN_INLINE];
} gb_run;

static inline size_t gb_least(size_t a, size_t b) {
  return a < b ? a : b;
}

#endif
