/* Blocks of bytes, one for each rank, that go down the trees of a schedule from the root (a scatter) or up to
 * it (a gather). Each tree carries its share of every block. A stream is, block after block, what a subtree
 * gets or gives:
 *
 *   down   | child 0's subtree | child 1's subtree | own |
 *   up     | own | sender 0's subtree | sender 1's subtree |        own first: it is there from the start */
#ifndef GB_MPI_API_BLOCKS_H
#define GB_MPI_API_BLOCKS_H

#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"

typedef struct gb_block_stream { /* of one tree */
  const gb_rank_tree *tree;
  const struct gb_blocks *all;
  size_t *start; /* where the part of each block begins in the stream, and the end of the last */
  size_t *skip;  /* what is before it in its block */
  char *data;    /* where the stream lies, elsewhere than at the root; at the root of a gather: for rings */
} gb_block_stream;

typedef struct gb_blocks { /* what one run needs until it is over, of malloc() */
  char *base;              /* at the root, and everywhere in an allgather; what is sent is not written to */
  const ptrdiff_t *place;
  bool at_root;
  size_t block;
  char *own; /* elsewhere: this rank's block lies there, or goes there, if no rank is below it. NULL: it is
                among those that pass through */
  MPI_Comm local;
  uint32_t trees;
  gb_block_stream stream[]; /* and behind them their starts and skips */
} gb_blocks;

/* Where the block of a rank begins, as place[rank] says or, if place is NULL, behind so many others. */
static inline ptrdiff_t gb_block_place(const ptrdiff_t *place, size_t block, int rank) {
  return place != NULL ? place[rank] : (ptrdiff_t)block * rank;
}

/* Ranks in this rank's subtrees, over all trees. */
size_t gb_blocks_count(const gb_rank_schedule *schedule);

/* For a run of h->schedule. Blocks of `block` bytes, or if `length` is not NULL of so many: length[i] of
 * block number i, from the first of the first tree to the last of the last. whole: each tree carries all of
 * every block. NULL: out of memory. */
gb_blocks *gb_blocks_new(const gb_handle *h, size_t block, const uint64_t *length, bool whole);

/* Says where the blocks are at the root, before the run: that of rank r lies at base + place[r] or, if place
 * is NULL, r blocks behind `base`, or goes there; its own is not moved. Elsewhere x->own says so. */
void gb_blocks_at_root(gb_blocks *x, const char *base, const ptrdiff_t *place);

/* Then, bytes for what passes through this rank: of its whole subtrees, unless nobody but itself is in them;
 * at the root of a gather for what arrives before it is copied to its place. */
size_t gb_blocks_room(const gb_blocks *x);

/* Makes h->run. passing: memory of gb_blocks_room() bytes. An error class. */
int gb_blocks_run(gb_handle *h, gb_blocks *x, char *passing);

/* Copies this rank's block, if others are below it: in a gather from `own` to what passes, before it is run;
 * in a scatter the other way, after that. An MPI error code. */
int gb_blocks_copy_own(const gb_blocks *x, char *passing);

/* Streams of blocks, for what is no plain scatter or gather. */

static inline size_t gb_stream_length(const gb_block_stream *s) {
  return s->start[s->tree->subtree];
}

/* Where the part of a block lies in the caller's buffer. */
static inline char *gb_part_at(const gb_block_stream *s, uint32_t i) {
  const gb_blocks *x = s->all;
  return x->base + gb_block_place(x->place, x->block, (int)s->tree->order[i]) + s->skip[i];
}

/* Copies bytes of the stream between `bytes` and the blocks in the caller's buffer. An MPI error code. */
int gb_stream_copy(const gb_block_stream *s, size_t offset, size_t length, char *bytes, bool to_blocks);

/* Says in a run where the stream lies, and the parts of it; s->data is set. */
void gb_stream_set(const gb_block_stream *s, gb_tree_stream *out);

/* Where the parts number `first` to `end` - 1 lie in the caller's buffer, if that is one piece in the order
 * of the stream; otherwise NULL. */
char *gb_one_piece(const gb_block_stream *s, uint32_t first, uint32_t end);

#endif
