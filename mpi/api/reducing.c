/* The runs of reductions and allreduces. On their way up, operands of this rank's children come to memory for
 * staging, or where the result is wanted; on their way down, the result comes to the receive buffer:
 *
 *            child 0             other children    to the parent        from the parent
 *   root     receive buffer      rings             -                    -
 *   inner    staging             rings             from there           receive buffer
 *   leaf     -                   -                 from the operands    receive buffer
 *
 * Where the operands lie in the receive buffer (MPI_IN_PLACE), those of child 0 come to a ring at the root,
 * and elsewhere the operands are copied first: the result comes in place of them. */
#include "mpi/api/reducing.h"

int gb_reducing_check(const gb_comm *c, const gb_arguments *a, bool receives, bool in_place,
                      gb_sizes *sizes) {
  const gb_buffer *s = &a->send, *r = &a->receive;
  gb_reduction reduction;
  int rc = r->count < 0 ? MPI_ERR_COUNT : gb_reduction_find(a->op, r->type, &reduction);
  const bool there = in_place && s->buf == MPI_IN_PLACE;
  if (rc == MPI_SUCCESS && receives)
    rc = gb_check_buffer(c, r->buf, r->count, r->type, &sizes->room);
  if (rc == MPI_SUCCESS && !there)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, &sizes->room);
  if (rc == MPI_SUCCESS && receives && !there && r->count > 0)
    rc = gb_check_apart(s->buf, s->type, r);
  if (rc != MPI_SUCCESS)
    return rc;
  if (reduction.extent > 0 && (uint64_t)r->count > PTRDIFF_MAX / reduction.extent)
    return MPI_ERR_COUNT;
  sizes->block = sizes->planned = (size_t)r->count * reduction.extent;
  sizes->native = !reduction.taken;
  sizes->native_at_once = reduction.foreign;
  sizes->sends = 1;
  sizes->receives = receives;
  return MPI_SUCCESS;
}

/* Bytes of staging for what comes up one tree, and where each child's operands lie in it. base: NULL: only
 * the bytes are wanted. first: where those of child 0 come instead, or NULL. */
static size_t place_senders(const gb_rank_tree *tree, gb_tree_stream *s, size_t length, bool in_place,
                            char *first, char *base) {
  size_t used = 0;
  for (uint32_t i = 0; i < tree->sender_count; i++) {
    const bool whole = i == 0 && !in_place, elsewhere = whole && first != NULL;
    size_t ring = 0, room = gb_run_ring(&tree->sender[i], length, &ring);
    if (whole) {
      room = elsewhere ? 0 : length;
      ring = 0;
    }
    if (base != NULL) {
      gb_cursor_set(&s->sender[i], 0, length, elsewhere ? first : base + used);
      s->sender[i].ring = ring;
    }
    used += (room + GB_OPERANDS - 1) / GB_OPERANDS * GB_OPERANDS;
  }
  return used;
}

/* Says where the bytes of a tree are up which data go. */
static void set_up(const gb_transfer *t, gb_tree_stream *s, const char *own, char *result, char *staging) {
  const bool in_place = own == result;
  (void)place_senders(s->tree, s, s->length, in_place, result, staging);
  s->operator= gb_reduction_apply;
  s->context = &t->reduction;
  s->own = own;
  s->result = in_place || s->tree->sender_count == 0 ? (char *)own : s->sender[0].data;
  for (uint32_t i = 0; i < s->tree->receiver_count; i++)
    gb_cursor_set(&s->receiver[i], 0, s->length, s->result);
}

static void set_down(gb_tree_stream *s, const char *data) {
  for (uint32_t i = 0; i < s->tree->sender_count; i++)
    gb_cursor_set(&s->sender[i], 0, s->length, data);
  for (uint32_t i = 0; i < s->tree->receiver_count; i++)
    gb_cursor_set(&s->receiver[i], 0, s->length, data);
}

/* Whether this rank is the root of the trees, whatever that of the call. */
static bool is_top(const gb_rank_schedule *schedule) {
  bool top = true;
  for (uint32_t i = 0; i < schedule->tree_count; i++)
    top = top && !(schedule->tree[i].combines && schedule->tree[i].receiver_count > 0);
  return top;
}

int gb_reducing_begin(gb_api_call *x, gb_transfer *t, unsigned run) {
  const gb_rank_schedule *schedule = x->h.schedule;
  const bool top = is_top(schedule), in_place = t->send.buf == MPI_IN_PLACE;
  const char *own = in_place ? t->receive.buf : t->send.buf;
  char *result = x->sizes.receives > 0 ? t->receive.buf : NULL;
  size_t room = 0, begin;
  (void)run;
  for (uint32_t i = 0; i < schedule->tree_count; i++)
    if (schedule->tree[i].combines)
      room += place_senders(&schedule->tree[i], NULL, gb_rank_share(schedule, i, t->block, &begin),
                            top && in_place, top ? result : NULL, NULL);
  t->staged = gb_handle_stage(&x->h, room);
  if (t->staged == NULL)
    return MPI_ERR_NO_MEM;
  int rc = gb_reduction_find(t->op, gb_reducing_type(t), &t->reduction);
  if (rc == MPI_SUCCESS && in_place && !top) {
    t->packed = gb_handle_stage(&x->h, t->block);
    own = t->packed;
    rc = own != NULL ? gb_copy(t->packed, t->receive.buf, t->block, x->h.c->wire.local) : MPI_ERR_NO_MEM;
  }
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  size_t used = 0;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < schedule->tree_count; i++) {
    gb_tree_stream *s = &gb_run_stream(x->h.run)[i];
    s->length = gb_rank_share(schedule, i, t->block, &begin);
    char *there = result != NULL ? result + begin : NULL;
    if (!s->tree->combines) {
      set_down(s, there);
      continue;
    }
    set_up(t, s, own + begin, top ? there : NULL, t->staged + used);
    used += place_senders(s->tree, NULL, s->length, top && in_place, top ? there : NULL, NULL);
  }
  return rc;
}

int gb_reducing_end(gb_api_call *x, gb_transfer *t) {
  const bool alone = x->h.schedule->channel_count == 0;
  return alone && t->send.buf != MPI_IN_PLACE
             ? gb_copy(t->receive.buf, t->send.buf, t->block, x->h.c->wire.local)
             : MPI_SUCCESS;
}
