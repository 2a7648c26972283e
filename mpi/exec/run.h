/* A run, as the files of the executor share it. */
#ifndef GB_MPI_EXEC_RUN_H
#define GB_MPI_EXEC_RUN_H

#include "mpi/exec/exec.h"
#include <mpi.h>

enum gb_request_kind {
  GB_REQUEST_RECEIVE,
  GB_REQUEST_SEND,
  GB_REQUEST_BLOCK_IN, /* of an all-to-all: stream is the track, child the step */
  GB_REQUEST_BLOCK_OUT,
  GB_REQUEST_SYNC_IN,
  GB_REQUEST_SYNC_OUT
};

typedef struct gb_request { /* one outstanding request */
  enum gb_request_kind kind;
  bool counted; /* GB_REQUEST_SEND: it counts against the window that it shares */
  bool timed;   /* GB_REQUEST_SEND: it completes when the receiver has it, so its time is taken (pace.h) */
  bool eager;   /* GB_REQUEST_SEND: likely to be complete as soon as it is posted */
  int peer;
  uint32_t stream, child;
  size_t offset, length; /* bytes */
  uint64_t stamp;        /* the order of posting, of receives and of GB_REQUEST_SEND */
  double start;          /* GB_REQUEST_SEND: MPI_Wtime() when it was posted, where `timed` */
  void *copy;            /* owned by the request */
} gb_request;

enum { GB_RUN_INLINE = 48 };

struct gb_run {
  gb_wire *w;
  gb_rank_schedule *schedule;
  uint64_t number, stamp;
  int tag;                /* the first of this run's */
  size_t room;            /* bytes of this block of memory */
  size_t bytes;           /* of one block of an all-to-all */
  gb_tree_stream *stream; /* schedule->tree_count, behind this struct, and all cursors behind them */
  struct gb_exchanging *exchanging; /* NULL unless this is an all-to-all */
  gb_run *next;                     /* in gb_exec.failed */
  bool over;
  uint64_t agreement;      /* the number of the last comparison that has begun before or with this run ... */
  bool agrees;             /* ... for which it waits */
  double wake;             /* MPI_Wtime() at which the first of the paced sends may begin, or INFINITY */
  bool alert;              /* until then, it matters when other requests complete */
  double port;             /* MPI_Wtime() at which this rank's link is free for the next paced send */
  double looked;           /* MPI_Wtime() when this rank last looked for something to send */
  int code;                /* the first error */
  unsigned used, capacity; /* requests: outstanding, and for how many there is room */
  MPI_Request *handle;
  gb_request *request;
  MPI_Request inline_handle[GB_RUN_INLINE];
  gb_request inline_request[GB_RUN_INLINE];
};

/* Runs that may be under way at the same time: each slot has tags of its own. */
enum { GB_SLOTS = 256, GB_TAGS = 128 };

typedef struct gb_agreement gb_agreement;

typedef struct gb_exec {    /* what is kept of a communicator between runs */
  uint64_t turn[GB_SLOTS];  /* the number of the run that may begin in each slot */
  gb_agreement *agreements; /* comparisons that are open (agree.h) */
  uint64_t compared;        /* how many have begun */
  bool differs;             /* some rank has made another call */
  unsigned tag_blocks;      /* of GB_SLOTS * GB_TAGS tags each */
  gb_run *spare;            /* memory for the next run, or NULL */
  gb_run *failed;           /* runs with sends that are not complete */
} gb_exec;

/* Tags. In each run a tree has one, all below 32768, which every MPI has. Messages from one rank to another
 * stay in order, so a tag may be used again when the run before it in its slot is over here. */
static inline int gb_data_tag(const gb_run *run, uint32_t tree) {
  return run->tag + (int)tree; /* GB_TREES_MOST is below GB_TAGS */
}

/* As far as tags may be larger, they begin with bits of a hash: messages of different calls do not match. */
static inline int gb_first_tag(const gb_exec *exec, uint64_t number, uint64_t hash) {
  return (int)(hash % exec->tag_blocks) * (GB_SLOTS * GB_TAGS) + (int)(number % GB_SLOTS) * GB_TAGS;
}

static inline size_t gb_least(size_t a, size_t b) {
  return a < b ? a : b;
}

#endif
