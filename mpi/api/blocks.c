/* A scatter of blocks of bytes down trees; scatter and scatterv are made of it. */
#include "mpi/api/blocks.h"
#include "mpi/exec/exec.h"
#include <stdlib.h>

typedef struct context {
  const gb_role_tree *tree;
  const gb_blocks *blocks;
  const gb_source *source;
  MPI_Comm comm;
} context;

static const char *part_at(const context *x, uint32_t i) {
  uint32_t rank = x->tree->order[i];
  ptrdiff_t place = x->source->place != NULL ? x->source->place[rank] : (ptrdiff_t)(x->source->block * rank);
  return x->source->base + place + (x->blocks->skips != NULL ? x->blocks->skips[i] : x->blocks->skip);
}

/* The part in which byte `offset` of the stream lies. */
static uint32_t block_of(const context *x, size_t offset) {
  if (x->blocks->start == NULL)
    return (uint32_t)(offset / x->blocks->part);
  uint32_t low = 0, high = x->tree->child_first[x->tree->child_count];
  while (low < high) { /* the last part that begins at or before it */
    uint32_t middle = high - (high - low) / 2;
    if (x->blocks->start[middle] <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Parts that lie one after the other are copied together. */
static int fetch(const void *argument, size_t offset, size_t length, char *to) {
  const context *x = argument;
  int rc = MPI_SUCCESS;
  for (uint32_t i = block_of(x, offset); rc == MPI_SUCCESS && length > 0; i++) {
    const char *from = part_at(x, i) + (offset - gb_block_start(x->blocks, i));
    size_t piece = gb_block_start(x->blocks, i + 1) - offset;
    while (piece < length && part_at(x, i + 1) == from + piece) {
      i++;
      piece = gb_block_start(x->blocks, i + 1) - offset;
    }
    if (piece > length)
      piece = length;
    rc = gb_copy(to, from, piece, x->comm);
    to += piece;
    offset += piece;
    length -= piece;
  }
  return rc;
}

/* Where the parts of a child's subtree lie, when that is one piece in the order of the stream; otherwise
 * NULL. */
static const char *one_piece(const context *x, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i + 1 < end; i++) {
    size_t length = gb_block_start(x->blocks, i + 1) - gb_block_start(x->blocks, i);
    if (part_at(x, i + 1) != part_at(x, i) + length)
      return NULL;
  }
  return part_at(x, first);
}

/* One tree's streams; out: room for those to the children. */
static gb_flow flow_of(const context *x, char *data, gb_out *out) {
  const gb_role_tree *tree = x->tree;
  for (uint32_t i = 0; i < tree->child_count; i++) {
    uint32_t first = tree->child_first[i], end = tree->child_first[i + 1];
    size_t offset = gb_block_start(x->blocks, first);
    out[i] = (gb_out){.offset = offset, .length = gb_block_start(x->blocks, end) - offset};
    out[i].direct = x->source != NULL ? one_piece(x, first, end) : data + offset;
  }
  gb_flow flow = {.tree = tree, .data = data, .out = out, .fetch = fetch, .context = x};
  flow.length = gb_block_start(x->blocks, tree->child_first[tree->child_count] + 1);
  return flow;
}

int gb_blocks_scatter(gb_comm *c, gb_role *role, size_t bytes, const gb_blocks *blocks,
                      const gb_source *source, char *const *data) {
  context x[GB_TREES_MOST];
  gb_flow flow[GB_TREES_MOST];
  gb_out out_few[16], *out = out_few;
  size_t outs = 0, used = 0;
  for (uint32_t t = 0; t < role->tree_count; t++)
    outs += role->tree[t].child_count;
  if (outs > sizeof out_few / sizeof *out_few)
    out = malloc(sizeof *out * outs);
  if (out == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < role->tree_count; t++) {
    x[t] = (context){&role->tree[t], &blocks[t], source, c->wire.local};
    flow[t] = flow_of(&x[t], data == NULL ? NULL : data[t], out + used);
    used += role->tree[t].child_count;
  }
  int rc = gb_exec_run(&c->wire, role, bytes, flow);
  if (out != out_few)
    free(out);
  return rc;
}
