/* A scatter of blocks of bytes down the trees of a schedule; scatter and scatterv are made of it. Each tree
 * carries its share of every block. */
#ifndef GB_MPI_API_BLOCKS_H
#define GB_MPI_API_BLOCKS_H

#include "mpi/api/buffers.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

/* What goes down one tree: a part of each block of a subtree, in the order of the stream. */
typedef struct gb_blocks {
  size_t part, skip;   /* bytes of each part, and of its block before it, when start is NULL */
  const size_t *start; /* where each part begins in the stream, and the end of the last */
  const size_t *skips; /* what is before each in its block */
  char *data;          /* other ranks than the root: receives the parts of the subtree, this rank's last */
} gb_blocks;

static inline size_t gb_block_start(const gb_blocks *blocks, uint32_t i) {
  return blocks->start != NULL ? blocks->start[i] : blocks->part * i;
}

/* Where the root has the block of each rank. */
typedef struct gb_block_source {
  const char *base;
  const ptrdiff_t *place; /* of rank r from base; NULL: r times the block */
  size_t block;
} gb_block_source;

/* Ranks in my subtree, I among them. */
static inline uint32_t gb_subtree(const gb_rank_schedule *schedule, uint32_t tree) {
  return schedule->tree[tree].child_first[schedule->tree[tree].child_count] + 1;
}

/* What one run needs until it is over. */
typedef struct gb_scattering gb_scattering;

/* For the next run of a call, with room for the blocks of each tree, all 0. NULL: out of memory. */
gb_scattering *gb_scattering_new(const gb_rank_schedule *schedule);
gb_blocks *gb_scattering_blocks(gb_scattering *x);
void gb_scattering_free(const gb_handle *h, gb_scattering *x); /* NULL is allowed */

/* Makes h->run, once the blocks are set. source: at the root, whose own block is not moved. Elsewhere NULL:
 * what comes in is received at blocks->data. An error class. */
int gb_scattering_run(gb_handle *h, gb_scattering *x, const gb_block_source *source);

/* The same elsewhere than at the root, for this rank's own block of `own` bytes and what it passes on. The
 * block is received in place where it can be. If it is too large (`fits` is false), it is received and
 * forgotten: those below need theirs. */
int gb_scattering_receive(gb_handle *h, gb_scattering *x, const gb_receive_buffer *r, size_t own, bool fits);

/* When that run is over: puts the own block where the caller wants it. An MPI error code; MPI_ERR_TRUNCATE if
 * it was too large. */
int gb_scattering_keep(const gb_handle *h, const gb_scattering *x, const gb_receive_buffer *r);

#endif
