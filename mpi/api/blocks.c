/* A scatter of blocks of bytes down trees; scatter and scatterv are made of it. */
#include "mpi/api/blocks.h"
#include "mpi/exec/exec.h"
#include <stdlib.h>

typedef struct context {
  const gb_rank_tree *tree;
  const gb_blocks *blocks;
  const gb_block_source *source;
  MPI_Comm comm;
} context;

struct gb_scattering {
  gb_block_source source;
  context *context; /* tree_count of each, behind this struct */
  gb_blocks *blocks;
  /* gb_scattering_receive() */
  char *buffer; /* for what is not received in place */
  char *own;    /* this rank's block, in the caller's buffer or in front of that */
  size_t own_bytes;
  bool fits;
};

static size_t skip_of(const gb_blocks *blocks, uint32_t i) {
  return blocks->skips != NULL ? blocks->skips[i] : blocks->skip;
}

static const char *part_at(const context *x, uint32_t i) {
  uint32_t rank = x->tree->order[i];
  ptrdiff_t place = x->source->place != NULL ? x->source->place[rank] : (ptrdiff_t)(x->source->block * rank);
  return x->source->base + place + skip_of(x->blocks, i);
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

static void fill(const context *x, bool is_root, gb_tree_stream *s) {
  const gb_rank_tree *tree = x->tree;
  for (uint32_t i = 0; i < tree->child_count; i++) {
    uint32_t first = tree->child_first[i], end = tree->child_first[i + 1];
    size_t offset = gb_block_start(x->blocks, first);
    gb_cursor_set(&s->child[i], offset, gb_block_start(x->blocks, end) - offset,
                  is_root ? one_piece(x, first, end) : x->blocks->data + offset);
  }
  s->fetch = fetch;
  s->context = x;
  s->length = gb_block_start(x->blocks, tree->child_first[tree->child_count] + 1);
  if (s->in != NULL)
    gb_cursor_set(s->in, 0, s->length, x->blocks->data);
}

gb_scattering *gb_scattering_new(const gb_rank_schedule *schedule) {
  const size_t trees = schedule->tree_count;
  gb_scattering *x = calloc(1, sizeof *x + trees * (sizeof *x->context + sizeof *x->blocks));
  if (x == NULL)
    return NULL;
  x->context = (context *)(x + 1);
  x->blocks = (gb_blocks *)(x->context + trees);
  return x;
}

gb_blocks *gb_scattering_blocks(gb_scattering *x) {
  return x->blocks;
}

int gb_scattering_run(gb_handle *h, gb_scattering *x, const gb_block_source *source) {
  if (source != NULL)
    x->source = *source;
  int rc = gb_handle_run(h);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < h->schedule->tree_count; t++) {
    x->context[t] = (context){&h->schedule->tree[t], &x->blocks[t], &x->source, h->c->wire.local};
    fill(&x->context[t], source != NULL, &gb_run_stream(h->run)[t]);
  }
  return rc;
}

void gb_scattering_free(const gb_handle *h, gb_scattering *x) {
  if (x != NULL)
    gb_handle_unstage(h, &x->buffer);
  free(x);
}

/* One buffer: my own block first where it is not received in place, then for each tree in which I have ranks
 * below me the parts of my subtree. */
int gb_scattering_receive(gb_handle *h, gb_scattering *x, const gb_receive_buffer *r, size_t own, bool fits) {
  const gb_rank_schedule *schedule = h->schedule;
  bool contiguous;
  const int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  size_t used = contiguous && fits ? 0 : own, room = used;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    room += gb_subtree(schedule, t) > 1 ? gb_block_start(&x->blocks[t], gb_subtree(schedule, t)) : 0;
  x->buffer = gb_handle_stage(h, room);
  if (x->buffer == NULL)
    return MPI_ERR_NO_MEM;
  x->own = contiguous && fits ? r->buf : x->buffer;
  x->own_bytes = own;
  x->fits = fits;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    gb_blocks *blocks = &x->blocks[t];
    const uint32_t last = gb_subtree(schedule, t) - 1;
    blocks->data = last > 0 ? x->buffer + used : own > 0 ? x->own + skip_of(blocks, last) : NULL;
    used += last > 0 ? gb_block_start(blocks, last + 1) : 0;
  }
  return gb_scattering_run(h, x, NULL);
}

int gb_scattering_keep(const gb_handle *h, const gb_scattering *x, const gb_receive_buffer *r) {
  const MPI_Comm local = h->c->wire.local;
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < h->schedule->tree_count; t++) {
    const gb_blocks *blocks = &x->blocks[t];
    const uint32_t last = gb_subtree(h->schedule, t) - 1;
    const size_t start = gb_block_start(blocks, last), part = gb_block_start(blocks, last + 1) - start;
    if (last > 0 && part > 0)
      rc = gb_copy(x->own + skip_of(blocks, last), blocks->data + start, part, local);
  }
  if (rc == MPI_SUCCESS && !x->fits)
    rc = MPI_ERR_TRUNCATE;
  if (rc == MPI_SUCCESS && x->own != r->buf && x->own_bytes > 0)
    rc = gb_unpack(x->own, x->own_bytes, r->buf, r->count, r->type, local);
  return rc;
}
