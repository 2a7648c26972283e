/* gbcast_reduce_scatter_block(). All blocks go up, combined, in streams that have them in the order in which
 * they go down again; then each rank gets its own (mpi/schedule/exchange.c shows the trees):
 *
 *   up      operands of this rank: in the caller's buffer, or copied in the order of the stream
 *           of its children: staging, as in a reduction (reducing.c)
 *   down    at the top, what has come up; elsewhere, if others are below this rank, staging
 *
 * A block that ends in a stream of its own comes to the receive buffer. */
#include "mpi/api/blocks.h"
#include "mpi/api/reducing.h"

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const size_t size = (size_t)c->wire.size;
  const int rc = gb_reducing_check(what, c, a, sizes);
  if (rc == MPI_SUCCESS && sizes->block > PTRDIFF_MAX / size)
    return MPI_ERR_COUNT;
  sizes->planned = sizes->block * size;
  return rc;
}

static size_t whole_operands(size_t bytes) {
  return (bytes + GB_OPERANDS - 1) / GB_OPERANDS * GB_OPERANDS;
}

/* The stream that goes down from here with what comes up, or NULL. */
static gb_block_stream *fed_by(gb_blocks *b, const gb_block_stream *s) {
  return s->tree->feeds != GB_NONE ? &b->stream[s->tree->feeds] : NULL;
}

/* Where what comes up is wanted, if it is this rank's block alone; otherwise NULL. */
static char *wanted_at(gb_blocks *b, const gb_block_stream *s, const gb_transfer *t) {
  const gb_block_stream *fed = fed_by(b, s), *last = fed != NULL ? fed : s;
  return s->tree->receiver_count == 0 && last->tree->subtree == 1 ? (char *)t->receive.buf + last->skip[0]
                                                                  : NULL;
}

/* This rank's operands, where they are in one piece; otherwise NULL. */
static char *operands_of(const gb_block_stream *s) {
  return gb_one_piece(s, 0, s->tree->subtree);
}

static size_t room_up(gb_blocks *b, const gb_block_stream *s, const gb_transfer *t) {
  const size_t length = gb_stream_length(s), copied = operands_of(s) != NULL ? 0 : whole_operands(length);
  return copied + gb_reducing_room(s->tree, length, false, wanted_at(b, s, t));
}

static size_t room_down(const gb_block_stream *s) {
  return s->tree->sender_count > 0 && s->tree->subtree > 1 ? whole_operands(gb_stream_length(s)) : 0;
}

/* Staging for all trees. */
static size_t room_for(gb_blocks *b, const gb_transfer *t) {
  size_t room = 0;
  for (uint32_t i = 0; i < b->trees; i++) {
    const gb_block_stream *s = &b->stream[i];
    room += s->tree->combines ? room_up(b, s, t) : room_down(s);
  }
  return room;
}

/* Sets a stream that goes up, and where that is which it feeds. *staging: the rest of it. */
static int set_up(gb_blocks *b, const gb_block_stream *s, const gb_transfer *t, gb_tree_stream *out,
                  char **staging) {
  const size_t length = gb_stream_length(s);
  gb_block_stream *fed = fed_by(b, s);
  char *own = operands_of(s);
  int rc = MPI_SUCCESS;
  out->length = length;
  if (own == NULL) {
    own = *staging;
    *staging += whole_operands(length);
    rc = gb_stream_copy(s, 0, length, own, false);
  }
  *staging += gb_reducing_set(t, out, own, wanted_at(b, s, t), *staging);
  if (fed != NULL)
    fed->data = out->result;
  return rc;
}

static void set_down(gb_block_stream *s, const gb_transfer *t, gb_tree_stream *out, char **staging) {
  if (s->data == NULL)
    s->data = s->tree->subtree == 1 ? (char *)t->receive.buf + s->skip[0] : *staging;
  *staging += room_down(s);
  gb_stream_set(s, out);
}

static int begin(gb_api_call *x, gb_transfer *t) {
  const size_t all = t->block * (size_t)x->h.c->wire.size;
  const bool in_place = t->send.buf == MPI_IN_PLACE;
  gb_blocks *b = t->blocks = gb_blocks_new(&x->h, t->block, NULL, false);
  int rc = gb_reduction_find(t->op, gb_reducing_type(t), &t->reduction);
  if (b == NULL)
    return MPI_ERR_NO_MEM;
  t->packed =
      in_place ? gb_get_staging(&x->h, all) : NULL; /* this rank's block comes in place of the first */
  if (in_place && t->packed == NULL)
    return MPI_ERR_NO_MEM;
  if (rc == MPI_SUCCESS && in_place)
    rc = gb_copy(t->packed, t->receive.buf, all, x->h.c->wire.local);
  b->base = in_place ? t->packed : t->send.buf;
  char *staging = t->staged = gb_get_staging(&x->h, room_for(b, t));
  if (rc == MPI_SUCCESS && staging == NULL)
    rc = MPI_ERR_NO_MEM;
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < b->trees; i++) /* those that go up come first */
    if (b->stream[i].tree->combines)
      rc = set_up(b, &b->stream[i], t, &gb_run_stream(x->h.run)[i], &staging);
    else
      set_down(&b->stream[i], t, &gb_run_stream(x->h.run)[i], &staging);
  return rc;
}

/* Takes this rank's block out of the streams that went down with those of others. */
static int end(gb_api_call *x, gb_transfer *t) {
  const gb_blocks *b = t->blocks;
  char *receive = t->receive.buf;
  int rc = MPI_SUCCESS;
  if (x->h.schedule->channel_count == 0) /* it is alone */
    return t->send.buf != MPI_IN_PLACE ? gb_copy(receive, t->send.buf, t->block, b->local) : rc;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < b->trees; i++) {
    const gb_block_stream *s = &b->stream[i];
    const uint32_t own = s->tree->own_at;
    if (!s->tree->combines && s->tree->subtree > 1)
      rc = gb_copy(receive + s->skip[own], s->data + s->start[own], s->start[own + 1] - s->start[own],
                   b->local);
  }
  return rc;
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  gb_mpi_count n;
  if (!gb_count_for_mpi(t->receive.count, &n))
    return MPI_ERR_COUNT;
  return gb_handle_native(&x->h, GB_NATIVE(request, GB_LARGE(PMPI_Reduce_scatter_block),
                                           GB_LARGE(PMPI_Ireduce_scatter_block), t->send.buf, t->receive.buf,
                                           n, gb_reducing_type(t), t->op, x->h.comm));
}

const gb_collective gb_api_reduce_scatter_block = {.kind = GB_CALL_reduce_scatter_block,
                                                   .operation = GBCAST_REDUCE_SCATTER,
                                                   .name = "a reduce-scatter",
                                                   .flow = GB_EACH_TO_ALL,
                                                   .runs = 1,
                                                   .check = check,
                                                   .begin = begin,
                                                   .end = end,
                                                   .native = native};
