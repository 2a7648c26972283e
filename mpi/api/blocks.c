/* A scatter of blocks of bytes down trees, and a gather up trees. */
#include "mpi/api/blocks.h"
#include <stdlib.h>

size_t gb_blocks_count(const gb_rank_schedule *schedule) {
  size_t all = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    all += schedule->tree[t].subtree;
  return all;
}

gb_blocks *gb_blocks_new(const gb_handle *h, size_t block, const uint64_t *length, bool whole) {
  const gb_rank_schedule *schedule = h->schedule;
  const size_t trees = schedule->tree_count, numbers = 2 * gb_blocks_count(schedule) + trees;
  gb_blocks *x = malloc(sizeof *x + trees * sizeof(gb_block_stream) + numbers * sizeof(size_t));
  if (x == NULL)
    return NULL;
  *x = (gb_blocks){.block = block, .local = h->c->wire.local, .trees = schedule->tree_count};
  size_t *next = (size_t *)(x->stream + trees);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const uint32_t count = schedule->tree[t].subtree;
    size_t *start = next, *skip = next + count + 1;
    next = skip + count;
    start[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t bytes = length != NULL ? *length++ : block;
      skip[i] = 0;
      start[i + 1] = start[i] + (whole ? bytes : gb_rank_share(schedule, t, bytes, &skip[i]));
    }
    x->stream[t] = (gb_block_stream){&schedule->tree[t], x, start, skip, NULL};
  }
  return x;
}

/* The part in which byte `offset` of the stream lies: the last one that begins at or before it. */
static uint32_t part_of(const gb_block_stream *s, size_t offset) {
  uint32_t low = 0, high = s->tree->subtree - 1;
  while (low < high) {
    const uint32_t middle = high - (high - low) / 2;
    if (s->start[middle] <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Parts that lie one after the other are copied together. */
int gb_stream_copy(const gb_block_stream *s, size_t offset, size_t length, char *bytes, bool to_blocks) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = part_of(s, offset); rc == MPI_SUCCESS && length > 0; i++) {
    char *part = gb_part_at(s, i) + (offset - s->start[i]);
    size_t piece = s->start[i + 1] - offset;
    while (piece < length && gb_part_at(s, i + 1) == part + piece)
      piece = s->start[++i + 1] - offset;
    if (piece > length)
      piece = length;
    rc = gb_copy(to_blocks ? part : bytes, to_blocks ? bytes : part, piece, s->all->local);
    bytes += piece;
    offset += piece;
    length -= piece;
  }
  return rc;
}

static int fetch(const void *context, size_t offset, size_t length, char *to) {
  return gb_stream_copy(context, offset, length, to, false);
}

static int deliver(const void *context, size_t offset, size_t length, const char *from) {
  return gb_stream_copy(context, offset, length, (char *)from, true);
}

char *gb_one_piece(const gb_block_stream *s, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i + 1 < end; i++)
    if (gb_part_at(s, i + 1) != gb_part_at(s, i) + (s->start[i + 1] - s->start[i]))
      return NULL;
  return gb_part_at(s, first);
}

/* The bytes of the part of child number i. */
static size_t part_length(const gb_block_stream *s, uint32_t i) {
  return s->start[s->tree->child_first[i + 1]] - s->start[s->tree->child_first[i]];
}

/* At the root of a gather, what comes from a sender and is not in one piece there goes through a ring. */
static size_t ring_of(const gb_block_stream *s, uint32_t i) {
  size_t ring = 0;
  const bool goes_there = gb_one_piece(s, s->tree->child_first[i], s->tree->child_first[i + 1]) != NULL;
  return goes_there ? 0 : gb_run_ring(&s->tree->sender[i], part_length(s, i), &ring);
}

static bool passes_through(const gb_block_stream *s) {
  return s->tree->subtree > 1 || s->all->own == NULL;
}

/* Bytes of memory for what passes through this rank in one tree. */
static size_t room_for(const gb_block_stream *s) {
  size_t room = 0;
  if (!s->all->at_root)
    return passes_through(s) ? gb_stream_length(s) : 0;
  for (uint32_t i = 0; s->tree->collects && i < s->tree->sender_count; i++)
    room += ring_of(s, i);
  return room;
}

void gb_blocks_at_root(gb_blocks *x, const char *base, const ptrdiff_t *place) {
  x->at_root = true;
  x->base = (char *)base;
  x->place = place;
}

size_t gb_blocks_room(const gb_blocks *x) {
  size_t room = 0;
  for (uint32_t t = 0; t < x->trees; t++)
    room += room_for(&x->stream[t]);
  return room;
}

/* Says where the bytes of each child's subtree lie. ring: memory for those that go through one. */
static void set_parts(const gb_block_stream *s, gb_cursor *part, uint32_t parts, char *ring) {
  for (uint32_t i = 0; i < parts; i++) {
    const uint32_t first = s->tree->child_first[i];
    const size_t offset = s->start[first];
    const bool at_root = s->all->at_root;
    part[i].ring = at_root && s->tree->collects ? ring_of(s, i) : 0;
    char *data = part[i].ring > 0 ? ring
                 : at_root        ? gb_one_piece(s, first, s->tree->child_first[i + 1])
                                  : s->data + offset;
    gb_cursor_set(&part[i], offset, part_length(s, i), data);
    ring += part[i].ring;
  }
}

static void set_whole(const gb_block_stream *s, gb_cursor *cursor, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    gb_cursor_set(&cursor[i], 0, gb_stream_length(s), s->data);
}

void gb_stream_set(const gb_block_stream *s, gb_tree_stream *out) {
  const gb_rank_tree *tree = s->tree;
  out->length = gb_stream_length(s);
  if (tree->collects)
    set_parts(s, out->sender, tree->sender_count, s->data);
  else
    set_whole(s, out->sender, tree->sender_count);
  if (tree->scatters)
    set_parts(s, out->receiver, tree->receiver_count, s->data);
  else
    set_whole(s, out->receiver, tree->receiver_count);
}

int gb_blocks_run(gb_handle *h, gb_blocks *x, char *passing) {
  const int rc = gb_handle_run(h);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < x->trees; t++) {
    gb_block_stream *s = &x->stream[t];
    gb_tree_stream *out = &gb_run_stream(h->run)[t];
    s->data = x->at_root || passes_through(s) ? passing : x->own + s->skip[0];
    passing += room_for(s);
    out->fetch = fetch;
    out->deliver = deliver;
    out->context = s;
    gb_stream_set(s, out);
  }
  return rc;
}

int gb_blocks_copy_own(const gb_blocks *x, char *passing) {
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && !x->at_root && t < x->trees; t++) {
    const gb_block_stream *s = &x->stream[t];
    const uint32_t own = s->tree->own_at;
    const size_t part = s->start[own + 1] - s->start[own];
    char *there = passing + s->start[own], *here = x->own + s->skip[own];
    passing += room_for(s);
    if (s->tree->subtree > 1 && part > 0)
      rc = s->tree->collects ? gb_copy(there, here, part, x->local) : gb_copy(here, there, part, x->local);
  }
  return rc;
}
