/* Streams of blocks, as blocks.c and allgathering.c share them. */
#ifndef GB_MPI_API_BLOCK_STREAM_H
#define GB_MPI_API_BLOCK_STREAM_H

#include "mpi/api/blocks.h"

typedef struct gb_block_stream { /* of one tree */
  const gb_rank_tree *tree;
  const gb_blocks *all;
  size_t *start; /* where the part of each block begins in the stream, and the end of the last */
  size_t *skip;  /* what is before it in its block */
  char *data;    /* where the stream lies, elsewhere than at the root; at the root of a gather: for rings */
} gb_block_stream;

struct gb_blocks {
  char *base; /* at the root, and everywhere in an allgather; what is sent is not written to */
  const ptrdiff_t *place;
  bool at_root;
  size_t block;
  char *own; /* elsewhere */
  MPI_Comm local;
  uint32_t trees;
  gb_block_stream stream[]; /* and behind them their starts and skips */
};

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
