/* Calls with one argument that is wrong. */
#ifndef GB_CONFORMANCE_MISTAKES_H
#define GB_CONFORMANCE_MISTAKES_H

#include "cases.h"

enum mistake {
  ROOT_HIGH,
  ROOT_LOW,
  ROOT_GROUP,
  COUNT,
  NULL_TYPE,
  NEW_TYPE,
  NULL_BUFFER,
  IN_PLACE,
  SAME_BUFFER,
  NULL_OP,
  WRONG_OP,
  MISTAKES
};
extern const char *const mistake_name[MISTAKES];

enum call {
  BCAST,
  SCATTER,
  SCATTERV,
  GATHER,
  GATHERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER_BLOCK,
  CALLS
};

enum who { NO_RANK, THE_ROOT, EVERY_RANK };
typedef struct call_shape {
  const char *name;
  enum who sends, receives; /* out of and into a buffer of its own; a broadcast has one buffer */
  bool rooted, combines;
} call_shape;
extern const call_shape call_shapes[CALLS];

/* In what is sent or in what is received. A rank to which only the other side means something makes it there:
 * those that make none may wait for ever. */
typedef struct error_case {
  enum call call;
  enum mistake mistake;
  bool sending;
  int count; /* of what is right otherwise */
} error_case;

/* Whether it is a mistake at all, and one that libraries have to notice. */
bool mistake_makes_sense(const error_case *e);

/* Makes the call, with at most 4 elements of MPI_INT a rank in each of the buffers. The error code. */
int mistake_make(const error_case *e, const place *at, const call_table *f, void *send, void *receive,
                 MPI_Datatype new_type);

#endif
