/* A scatter of blocks of bytes down a tree; scatter and scatterv are made of it. */
#ifndef GB_MPI_BLOCKS_H
#define GB_MPI_BLOCKS_H

#include "mpi/engine.h"

/* The blocks of a subtree, in the order of the stream. */
typedef struct gb_blocks {
  size_t block;        /* bytes of each, when start is NULL */
  const size_t *start; /* where each begins in the stream, and the end of the last */
} gb_blocks;

static inline size_t gb_block_start(const gb_blocks *blocks, uint32_t i) {
  return blocks->start != NULL ? blocks->start[i] : blocks->block * i;
}

/* Where the root has the block of each rank. */
typedef struct gb_source {
  const char *base;
  const ptrdiff_t *place; /* of rank r from base; NULL: r times the block */
} gb_source;

/* Ranks in my subtree, I among them. */
static inline uint32_t gb_subtree(const gb_role *role) {
  return role->tree[0].child_first[role->tree[0].child_count] + 1;
}

/* Other ranks than the root receive the blocks of their subtree into `data`, their own last. The root sends
 * from `source`; its own block is not moved. */
int gb_blocks_scatter(gb_comm *c, gb_role *role, size_t bytes, const gb_blocks *blocks,
                      const gb_source *source, char *data);

#endif
