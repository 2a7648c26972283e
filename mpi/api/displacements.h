/* Blocks of unlike lengths, cut into the shares of several trees. */
#ifndef GB_MPI_API_DISPLACEMENTS_H
#define GB_MPI_API_DISPLACEMENTS_H

#include "mpi/api/blocks.h"

/* For each tree what my subtree gets, in the order of the stream. */
typedef struct gb_displacements {
  uint32_t trees;
  uint64_t *length[GB_TREES_MOST]; /* of each block; all in one piece */
  size_t *start[GB_TREES_MOST]; /* where each tree's part of it begins, and the end of the last; likewise, */
  size_t *skips[GB_TREES_MOST]; /* with what is before the part in its block */
} gb_displacements;

/* MPI_ERR_NO_MEM or MPI_SUCCESS; to be given to gb_displacements_free in both cases. *x starts as {0}. */
int gb_displacements_new(const gb_rank_schedule *schedule, gb_displacements *x);
void gb_displacements_free(gb_displacements *x);

/* From the lengths, which are the caller's to set. */
void gb_displacements_make(const gb_rank_schedule *schedule, gb_displacements *x, gb_blocks *blocks);

#endif
