/* A run, as the files of the executor share it. */
#ifndef GB_MPI_EXEC_RUN_H
#define GB_MPI_EXEC_RUN_H

#include "mpi/exec/exec.h"
#include <mpi.h>

typedef struct gb_request { /* one outstanding request */
  uint32_t channel;
  bool counted;          /* sent: it counts against the window that it shares */
  bool timed;            /* sent: it completes when the receiver has it, so its time is taken (pace.h) */
  bool eager;            /* sent: likely to be complete as soon as it is posted */
  size_t offset, length; /* bytes */
  uint64_t stamp;        /* the order of posting */
  double start;          /* MPI_Wtime() when it was posted, where `timed` */
  void *copy;            /* owned by the request */
} gb_request;

enum { GB_RUN_INLINE = 48, GB_KEPT_MOST = 8 };

struct gb_run {
  gb_wire *w;
  gb_rank_schedule *schedule;
  uint64_t number, stamp;
  int tag;     /* the first of this run's */
  size_t room; /* bytes of this block of memory */
  /* behind this struct: */
  gb_tree_stream *stream;  /* schedule->tree_count */
  gb_cursor *cursor;       /* schedule->channel_count */
  uint32_t *ready;         /* schedule->channel_count: those that may begin ... */
  uint32_t ready_count;    /* ... and how many there are */
  uint32_t channels_left;  /* channels that are not over */
  uint32_t unsent;         /* sends of trees of which not all bytes were handed to MPI */
  gb_block_list memory[3]; /* of an all-to-all: by GB_MEMORY_...; the last one is the run's */
  gb_run *younger;         /* in gb_exec.oldest */
  gb_run *next;            /* in gb_exec.failed, with memory for staging that MPI may still use */
  void *kept[GB_KEPT_MOST];
  void *kept_beside; /* the same, of malloc() */
  unsigned kept_count;
  bool begun, over;
  bool held;              /* a send waits for those of an older run */
  bool given_up;          /* failed: its receives were taken back */
  uint64_t comparison;    /* the number of the last one that has begun before or with this run ... */
  bool awaits_comparison; /* ... for which it waits */
  double wake;            /* MPI_Wtime() at which the first of what is paced may begin, or INFINITY */
  bool alert;             /* until then, it matters when other requests complete */
  double port;            /* MPI_Wtime() at which this rank's link is free for the next paced send */
  double looked;          /* MPI_Wtime() when this rank last looked for something to send */
  int code;               /* the first error */
  int undecided; /* the error class of a message of another length, while a comparison may tell why */
  unsigned used, capacity; /* requests: outstanding, and for how many there is room */
  MPI_Request *handle;
  gb_request *request;
  MPI_Request inline_handle[GB_RUN_INLINE];
  gb_request inline_request[GB_RUN_INLINE];
};

/* Runs that may be under way at the same time. Run number n has the tags of number n % GB_RUNS_MOST. */
enum { GB_RUNS_MOST = 256 };

typedef struct gb_comparison gb_comparison;

typedef struct gb_exec {              /* what is kept of a communicator between runs */
  uint64_t next_number[GB_RUNS_MOST]; /* by number % GB_RUNS_MOST: the run that may begin */
  gb_comparison *comparisons;         /* comparisons that are open (compare.h) */
  uint64_t compared;                  /* how many have begun */
  bool differs;                       /* some rank has made another call */
  unsigned tag_blocks;                /* of GB_RUNS_MOST * GB_TAGS tags each */
  gb_run *oldest; /* the runs that have begun and are not over, in the order of their numbers */
  gb_run *spare;  /* memory for the next run, or NULL */
  gb_run *failed; /* runs with sends that are not complete */
} gb_exec;

/* Tags. Each run has GB_TAGS, all below 32768, which every MPI has. Messages from one rank to another stay in
 * order, so a tag may be used again when the run that had it before is over here. As far as tags may be
 * larger, they begin with bits of a hash: messages of different calls do not match. */
static inline int gb_first_tag(const gb_exec *exec, uint64_t number, uint64_t hash) {
  return (int)(hash % exec->tag_blocks) * (GB_RUNS_MOST * GB_TAGS) + (int)(number % GB_RUNS_MOST) * GB_TAGS;
}

/* Where some blocks of an all-to-all lie. */
static inline char *gb_extent_at(const gb_run *run, gb_extent extent) {
  const gb_block_list *list = &run->memory[extent.memory];
  return list->base +
         (list->place != NULL ? list->place[extent.block] : (ptrdiff_t)(list->bytes * extent.block));
}

/* Where a byte of a channel lies, from which on a segment has room in one piece. */
static inline char *gb_cursor_at(const gb_cursor *cursor, size_t offset) {
  return cursor->data + (cursor->ring > 0 ? offset % cursor->ring : offset);
}

static inline size_t gb_least(size_t a, size_t b) {
  return a < b ? a : b;
}

#endif
