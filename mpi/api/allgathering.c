/* The runs of allgathers. Blocks go up trees, and all of them come down. A stream that comes down lies in the
 * caller's buffer, if its blocks are one piece there; otherwise beside it, and its blocks are copied at the
 * end. At the top, what comes up is the stream that goes down:
 *
 *   up     | own | sender 0 | sender 1 |      inner rank: beside the buffer
 *                   |
 *   down   | own | sender 0 | sender 1 |      all ranks
 *
 * Round a ring, each block is a stream by itself. */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"

/* Whether a rank sends no block up but its own, which lies in the caller's buffer. */
static bool is_leaf(const gb_block_stream *s) {
  return s->tree->collects && s->tree->feeds == GB_NONE && s->tree->subtree == 1;
}

static size_t room_for(const gb_block_stream *s) {
  if (s->tree->collects)
    return s->tree->feeds != GB_NONE || is_leaf(s) ? 0 : gb_stream_length(s);
  return gb_one_piece(s, 0, s->tree->subtree) != NULL ? 0 : gb_stream_length(s);
}

static void place_streams(gb_blocks *b, char *passing) {
  for (uint32_t t = 0; t < b->trees; t++) {
    gb_block_stream *s = &b->stream[t];
    const size_t room = room_for(s);
    s->data = room > 0 ? passing : gb_part_at(s, 0);
    passing += room;
  }
  for (uint32_t t = 0; t < b->trees; t++)
    if (b->stream[t].tree->feeds != GB_NONE)
      b->stream[t].data = b->stream[b->stream[t].tree->feeds].data;
}

/* Puts this rank's block into the streams that go up. */
static int copy_own(const gb_blocks *b) {
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < b->trees; t++) {
    const gb_block_stream *s = &b->stream[t];
    if (s->tree->collects && s->data != gb_part_at(s, 0))
      rc = gb_copy(s->data, gb_part_at(s, 0), s->start[1], b->local);
  }
  return rc;
}

int gb_allgather_run(gb_api_call *x, gb_transfer *t, char *base) {
  const ptrdiff_t *place;
  size_t room = 0;
  int rc = gb_lengths_blocks(x, t, &place);
  if (rc == MPI_SUCCESS)
    rc = gb_place_own(x, t, base + gb_block_place(place, t->block, x->h.c->wire.rank));
  if (rc != MPI_SUCCESS)
    return rc;
  gb_blocks *b = t->blocks;
  b->base = base;
  b->place = place;
  for (uint32_t i = 0; i < b->trees; i++)
    room += room_for(&b->stream[i]);
  t->staged = gb_get_staging(&x->h, room);
  if (t->staged == NULL)
    return MPI_ERR_NO_MEM;
  place_streams(b, t->staged);
  if ((rc = copy_own(b)) == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < b->trees; i++)
    gb_stream_set(&b->stream[i], &gb_run_stream(x->h.run)[i]);
  return rc;
}

int gb_allgather_take(const gb_transfer *t) {
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < t->blocks->trees; i++) {
    const gb_block_stream *s = &t->blocks->stream[i];
    if (!s->tree->collects && s->data != gb_part_at(s, 0))
      rc = gb_stream_copy(s, 0, gb_stream_length(s), s->data, true);
  }
  return rc;
}
