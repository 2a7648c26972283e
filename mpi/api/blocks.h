/* A scatter of blocks of bytes down the trees of a plan; scatter and scatterv are made of it. Each tree
 * carries its share of every block. */
#ifndef GB_MPI_API_BLOCKS_H
#define GB_MPI_API_BLOCKS_H

#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

/* What goes down one tree: a part of each block of a subtree, in the order of the stream. */
typedef struct gb_blocks {
  size_t part, skip;   /* bytes of each part, and of its block before it, when start is NULL */
  const size_t *start; /* where each part begins in the stream, and the end of the last */
  const size_t *skips; /* what is before each in its block */
} gb_blocks;

static inline size_t gb_block_start(const gb_blocks *blocks, uint32_t i) {
  return blocks->start != NULL ? blocks->start[i] : blocks->part * i;
}

/* Where the root has the block of each rank. */
typedef struct gb_source {
  const char *base;
  const ptrdiff_t *place; /* of rank r from base; NULL: r times the block */
  size_t block;
} gb_source;

/* Ranks in my subtree, I among them. */
static inline uint32_t gb_subtree(const gb_role *role, uint32_t tree) {
  return role->tree[tree].child_first[role->tree[tree].child_count] + 1;
}

/* blocks[]: of each tree. Other ranks than the root receive the parts of their subtree in tree t into
 * data[t], their own last. The root, whose data is NULL, sends from `source`; its own block is not moved. */
int gb_blocks_scatter(gb_comm *c, gb_role *role, size_t bytes, const gb_blocks *blocks,
                      const gb_source *source, char *const *data);

#endif
