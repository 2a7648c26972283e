/* The transcript of a run: each rank writes one line a call to FOLDER/RANK. Runs of the same cases by
 * different ways must leave equal transcripts. */
#ifndef GB_CONFORMANCE_RECORD_H
#define GB_CONFORMANCE_RECORD_H

#include "region.h"
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where a group of cases runs. */
typedef struct place {
  const char *name;
  MPI_Comm comm;
  int rank, size;
  enum taker { MPIS, OURS, EITHER, NOBODY } taker; /* with the preloaded library */
  bool full;                                       /* all cases, not a choice of them */
} place;

typedef struct record {
  FILE *out;
  unsigned calls[NOBODY + 1]; /* by their takers */
} record;

/* A call has been made. received, sent: the regions that it was given, or NULL. outcome: its error class. */
__attribute__((format(printf, 6, 7))) void record_call(record *r, const place *at, const char *outcome,
                                                       const region *received, const region *sent,
                                                       const char *format, ...);

/* The name of the class of an error code. */
const char *class_name(int rc);

/* End the job when they cannot do their work. */
void must(int rc, const char *what);
void *allocate(size_t n);

#endif
