/* One call, as the files of the engine share it. */
#ifndef GB_MPI_EXEC_RUN_H
#define GB_MPI_EXEC_RUN_H

#include "mpi/exec/exec.h"
#include "mpi/exec/header.h"
#include "mpi/exec/state.h"
#include <mpi.h>

enum gb_slot_kind {
  GB_SLOT_RECEIVE,
  GB_SLOT_SEND,
  GB_SLOT_HEADER,
  GB_SLOT_DRAIN,
  GB_SLOT_LISTEN,
  GB_SLOT_NEWS,     /* offset: 0 their length, 1 themselves */
  GB_SLOT_TELL,     /* of news */
  GB_SLOT_BLOCK_IN, /* of an all-to-all: flow is the track, child the step */
  GB_SLOT_BLOCK_OUT,
  GB_SLOT_WORD_IN,
  GB_SLOT_WORD_OUT,
  GB_SLOT_CLOSE
};

typedef struct gb_slot { /* one outstanding request */
  enum gb_slot_kind kind;
  bool counted; /* GB_SLOT_SEND: against its lane's window */
  bool told;    /* GB_SLOT_SEND: complete when its receiver has it, which is looked at (pace.h) */
  bool eager;   /* GB_SLOT_SEND: likely to be complete as soon as it is posted */
  int peer;
  int tag;      /* DRAIN */
  unsigned ear; /* LISTEN */
  uint32_t flow, child;
  size_t offset, length; /* DRAIN: of a message, and what is left to post */
  uint64_t stamp;        /* in the order of posting, of receives and of GB_SLOT_SEND */
  double start;          /* GB_SLOT_SEND: MPI_Wtime() when it was posted, where `told` */
  void *copy;            /* owned by the request */
} gb_slot;

typedef struct gb_telling { /* the news of one call: news.h */
  uint32_t tree;            /* that they would go down, or GB_NONE */
  bool coming;              /* the empty message has come, */
  bool there;               /* and they are there in full */
  gb_news what;
  gbcast_platform *read; /* or NULL; of `epoch` */
  uint32_t told;         /* children */
} gb_telling;

enum { GB_RUN_INLINE = 48 };

/* How long a rank waits for a sign of the others when a call has failed, in seconds. */
#define GB_GRACE 0.5

typedef struct gb_run {
  gb_wire *w;
  gb_role *role;
  size_t bytes;                     /* of the operation, as the header says it */
  gb_flow *flow;                    /* role->tree_count */
  struct gb_exchanging *exchanging; /* NULL unless this is an all-to-all */
  uint64_t sequence, stamp;
  double wake; /* MPI_Wtime() at which the first of the sends that wait for their time may go, or INFINITY */
  bool alert;  /* it matters when others complete until then */
  double port; /* MPI_Wtime() at which this rank's link is free for the next paced send */
  double looked; /* MPI_Wtime() when this rank last looked for something to send */
  bool agreeing; /* the plan is new */
  bool failed;   /* no further flow is started */
  bool given_up; /* nothing has come for GB_GRACE that this call needs */
  int code;      /* the first error */
  unsigned used, capacity, sends;
  unsigned receives, drains, closing; /* drains are receives too, and so is the collective that closes */
  unsigned hellos;                    /* first use: children that have not spoken yet */
  gb_telling news;
  MPI_Request *request;
  gb_slot *slot;
  MPI_Request inline_request[GB_RUN_INLINE];
  gb_slot inline_slot[GB_RUN_INLINE];
} gb_run;

#endif
