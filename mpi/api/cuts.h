/* Blocks of unlike lengths, cut into the shares of several trees. */
#ifndef GB_MPI_API_CUTS_H
#define GB_MPI_API_CUTS_H

#include "mpi/api/blocks.h"

/* For each tree what my subtree gets, in the order of the stream. */
typedef struct gb_cuts {
  uint32_t trees;
  uint64_t *length[GB_TREES_MOST]; /* of each block; all in one piece */
  size_t *start[GB_TREES_MOST]; /* where each tree's part of it begins, and the end of the last; likewise, */
  size_t *skips[GB_TREES_MOST]; /* with what is before the part in its block */
} gb_cuts;

/* MPI_ERR_NO_MEM or MPI_SUCCESS; to be given to gb_cuts_free in both cases. *x starts as {0}. */
int gb_cuts_new(const gb_role *role, gb_cuts *x);
void gb_cuts_free(gb_cuts *x);

/* From the lengths, which are the caller's to set. */
void gb_cuts_make(const gb_role *role, gb_cuts *x, gb_blocks *blocks);

#endif
