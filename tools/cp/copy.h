/* A copy under way, as one rank sees it. */
#ifndef GB_TOOLS_CP_COPY_H
#define GB_TOOLS_CP_COPY_H

#include "tools/cp/cp.h"
#include "tools/cp/frame.h"
#include "tools/cp/ring.h"
#include "tools/cp/source.h"
#include "tools/cp/target.h"

#include "mpi/job/job.h"
#include <stdatomic.h>
#include <stdio.h>

typedef struct gb_cp_copy {
  const gb_cp_options *options;
  MPI_Comm comm; /* of rank 0 and of the ranks that write; errors end the job */
  int rank, size;
  gb_cp_source source; /* on rank 0 */
  bool source_failed;  /* rank 0 knows at once, the others only before the first batch and after the last */
  gbcast_error source_error;
  gb_cp_target target;
  _Atomic bool writes; /* until something fails, in either thread: */
  gbcast_error error;
  size_t message; /* bytes of a message at most */
  gb_cp_ring ring;
  gb_cp_coder coder;
  unsigned char *block;       /* GB_CP_BLOCK bytes, of the thread that reads or writes files */
  _Atomic uint64_t written;   /* bytes that are here: written, or not needed */
  _Atomic uint64_t rate;      /* bytes a second that go out; 0: not known yet */
  uint64_t sent, sent_packed; /* bytes of blocks, and of messages */
  FILE *terminal;             /* where rank 0 shows progress, or NULL */
  bool shows;                 /* whether it does; the same on all ranks */
  gb_cp_totals totals;        /* of rank 0's first walk; on all ranks */
  double began, started;      /* MPI_Wtime(): all, and the data */
  double seconds;             /* how long it took */
  double predicted, cost;     /* s, USD; NAN: not known */
  gb_identity *hosts;         /* of the ranks of comm; NULL without a copy */
} gb_cp_copy;

/* This rank writes no longer. The message is kept for the report. */
void gb_cp_fail(gb_cp_copy *copy, const gbcast_error *err);

/* Ends the job: nobody can go on without it. */
_Noreturn void gb_cp_abort(const gb_cp_copy *copy, const char *why);

/* Memory that the copy cannot do without. */
void *gb_cp_memory(const gb_cp_copy *copy, size_t bytes);

/* Collective: copies everything. */
void gb_cp_copy_batches(gb_cp_copy *copy);

/* Collective: sends the blocks of a set to all that write. Those that arrive damaged are added to `bad`. */
void gb_cp_send(gb_cp_copy *copy, const gb_cp_batch *batch, const unsigned char *set, unsigned char *bad);

/* Collective: compares the blocks of a set with those of rank 0 by checksum, and adds those that differ here
 * to `lacking`. `old`: what was here before the copy counts, else what was written. */
void gb_cp_compare(gb_cp_copy *copy, const gb_cp_batch *batch, const unsigned char *set, bool old,
                   unsigned char *lacking);

#endif
