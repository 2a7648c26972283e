/* What the executor keeps of a communicator between calls. */
#ifndef GB_MPI_EXEC_STATE_H
#define GB_MPI_EXEC_STATE_H

#include "mpi/exec/header.h"
#include "mpi/job/job.h"

typedef struct gb_past { /* a past call, for headers that arrive after it */
  uint64_t sequence, hash, bytes;
  bool agreeing, failed;
} gb_past;
enum { GB_PAST = 64 };

typedef struct gb_exec {
  gb_past past[GB_PAST];
  MPI_Request listen[GB_EARS]; /* receives for headers from any rank, always posted after the first call */
  gb_header heard[GB_EARS];    /* the headers that they receive */
  struct gb_unexpected *unexpected; /* headers of calls that this rank has not begun yet */
  struct gb_orphan *orphan;         /* sends of failed calls that are not complete */
  struct gb_offers *offers;         /* rank 0: updates that it is sending to other ranks */
  gb_update offered;                /* an update that rank 0 is sending to this rank */
  MPI_Request offer;                /* receives it */
} gb_exec;

/* The entry of a call. It may still hold a much older call, or none (sequence 0). */
static inline gb_past *gb_exec_past(gb_exec *exec, uint64_t sequence) {
  return &exec->past[sequence % GB_PAST];
}

#endif
