/* A scatter of blocks of bytes down trees. */
#include "mpi/api/scattering.h"
#include <stdlib.h>

typedef struct stream { /* of one tree */
  const gb_rank_tree *tree;
  const gb_scattering *all;
  uint32_t last; /* the block of this rank */
  size_t *start; /* where the part of each block begins in the stream, and the end of the last */
  size_t *skip;  /* what is before it in its block */
  char *data;    /* elsewhere than at the root: where the stream is received */
} stream;

struct gb_scattering {
  const char *base; /* at the root */
  const ptrdiff_t *place;
  size_t block;
  char *own; /* elsewhere */
  MPI_Comm local;
  uint32_t trees;
  stream stream[]; /* and behind them their starts and skips */
};

size_t gb_all_subtrees(const gb_rank_schedule *schedule) {
  size_t all = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    all += gb_subtree(schedule, t);
  return all;
}

gb_scattering *gb_scattering_new(const gb_rank_schedule *schedule, size_t block, const uint64_t *length,
                                 bool whole) {
  const size_t trees = schedule->tree_count, numbers = 2 * gb_all_subtrees(schedule) + trees;
  gb_scattering *x = malloc(sizeof *x + trees * sizeof(stream) + numbers * sizeof(size_t));
  if (x == NULL)
    return NULL;
  *x = (gb_scattering){.block = block, .trees = schedule->tree_count};
  size_t *next = (size_t *)(x->stream + trees);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const uint32_t count = gb_subtree(schedule, t);
    size_t *start = next, *skip = next + count + 1;
    next = skip + count;
    start[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t bytes = length != NULL ? *length++ : block;
      skip[i] = 0;
      start[i + 1] = start[i] + (whole ? bytes : gb_rank_share(schedule, t, bytes, &skip[i]));
    }
    x->stream[t] = (stream){&schedule->tree[t], x, count - 1, start, skip, NULL};
  }
  return x;
}

void gb_scattering_free(gb_scattering *x) {
  free(x);
}

static const char *part_at(const stream *s, uint32_t i) {
  const gb_scattering *x = s->all;
  const uint32_t rank = s->tree->order[i];
  return x->base + (x->place != NULL ? x->place[rank] : (ptrdiff_t)(x->block * rank)) + s->skip[i];
}

/* The part in which byte `offset` of the stream lies: the last one that begins at or before it. */
static uint32_t part_of(const stream *s, size_t offset) {
  uint32_t low = 0, high = s->last;
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
static int fetch(const void *context, size_t offset, size_t length, char *to) {
  const stream *s = context;
  int rc = MPI_SUCCESS;
  for (uint32_t i = part_of(s, offset); rc == MPI_SUCCESS && length > 0; i++) {
    const char *from = part_at(s, i) + (offset - s->start[i]);
    size_t piece = s->start[i + 1] - offset;
    while (piece < length && part_at(s, i + 1) == from + piece)
      piece = s->start[++i + 1] - offset;
    if (piece > length)
      piece = length;
    rc = gb_copy(to, from, piece, s->all->local);
    to += piece;
    offset += piece;
    length -= piece;
  }
  return rc;
}

/* Where the parts of a child's subtree lie, when that is one piece in the order of the stream; otherwise
 * NULL. */
static const char *one_piece(const stream *s, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i + 1 < end; i++)
    if (part_at(s, i + 1) != part_at(s, i) + (s->start[i + 1] - s->start[i]))
      return NULL;
  return part_at(s, first);
}

static int run(gb_handle *h, gb_scattering *x) {
  const int rc = gb_handle_run(h);
  x->local = h->c->wire.local;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < x->trees; t++) {
    const stream *s = &x->stream[t];
    gb_tree_stream *out = &gb_run_stream(h->run)[t];
    for (uint32_t i = 0; i < s->tree->receiver_count; i++) {
      const uint32_t first = s->tree->child_first[i], end = s->tree->child_first[i + 1];
      const size_t offset = s->start[first];
      gb_cursor_set(&out->receiver[i], offset, s->start[end] - offset,
                    out->tree->sender_count == 0 ? one_piece(s, first, end) : s->data + offset);
    }
    out->fetch = fetch;
    out->context = s;
    out->length = s->start[s->last + 1];
    if (out->tree->sender_count > 0)
      gb_cursor_set(out->sender, 0, out->length, s->data);
  }
  return rc;
}

int gb_scattering_send(gb_handle *h, gb_scattering *x, const char *base, const ptrdiff_t *place) {
  x->base = base;
  x->place = place;
  return run(h, x);
}

static bool is_passed_on(const gb_scattering *x, const stream *s) {
  return s->last > 0 || x->own == NULL;
}

int gb_scattering_receive(gb_handle *h, gb_scattering *x, char *own, char *passed_on) {
  x->own = own;
  for (uint32_t t = 0; t < x->trees; t++) {
    stream *s = &x->stream[t];
    s->data = is_passed_on(x, s) ? passed_on : own + s->skip[0];
    passed_on += is_passed_on(x, s) ? s->start[s->last + 1] : 0;
  }
  return run(h, x);
}

size_t gb_scattering_room(const gb_scattering *x) {
  size_t room = 0;
  for (uint32_t t = 0; t < x->trees; t++)
    room += x->stream[t].last > 0 ? x->stream[t].start[x->stream[t].last + 1] : 0;
  return room;
}

int gb_scattering_keep(const gb_scattering *x) {
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < x->trees; t++) {
    const stream *s = &x->stream[t];
    const size_t part = s->start[s->last + 1] - s->start[s->last];
    if (s->last > 0 && part > 0)
      rc = gb_copy(x->own + s->skip[s->last], s->data + s->start[s->last], part, x->local);
  }
  return rc;
}
