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

int gb_reducing_check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const MPI_Count count = a->receive.count;
  gb_reduction reduction;
  int rc = count < 0 ? MPI_ERR_COUNT : gb_reduction_find(a->op, a->receive.type, &reduction);
  if (rc == MPI_SUCCESS)
    rc = gb_check_blocks(what, c, a, sizes);
  if (rc != MPI_SUCCESS)
    return rc;
  if (reduction.extent > 0 && (uint64_t)count > PTRDIFF_MAX / reduction.extent)
    return MPI_ERR_COUNT;
  sizes->block = sizes->planned = (size_t)count * reduction.extent;
  sizes->native = !reduction.taken;
  sizes->native_at_once = reduction.foreign;
  return MPI_SUCCESS;
}

/* Whole: where those of sender 0 come; the others come to rings. */
static size_t room_of(const gb_rank_tree *tree, uint32_t sender, size_t length, bool whole, size_t *ring) {
  const size_t room = gb_run_ring(&tree->sender[sender], length, ring);
  *ring = whole ? 0 : *ring;
  return ((whole ? length : room) + GB_OPERANDS - 1) / GB_OPERANDS * GB_OPERANDS;
}

size_t gb_reducing_room(const gb_rank_tree *tree, size_t length, bool in_place, const char *last) {
  size_t room = 0, ring;
  for (uint32_t i = 0; i < tree->sender_count; i++)
    if (i > 0 || in_place || last == NULL)
      room += room_of(tree, i, length, i == 0 && !in_place, &ring);
  return room;
}

size_t gb_reducing_set(const gb_transfer *t, gb_tree_stream *s, const char *own, char *last, char *staging) {
  const gb_rank_tree *tree = s->tree;
  const bool in_place = own == last;
  size_t used = 0, ring;
  for (uint32_t i = 0; i < tree->sender_count; i++) {
    const bool whole = i == 0 && !in_place, there = whole && last != NULL;
    const size_t room = room_of(tree, i, s->length, whole, &ring);
    gb_cursor_set(&s->sender[i], 0, s->length, there ? last : staging + used);
    s->sender[i].ring = ring;
    used += there ? 0 : room;
  }
  s->operator= gb_reduction_apply;
  s->context = &t->reduction;
  s->own = own;
  s->result = in_place || tree->sender_count == 0 ? (char *)own : s->sender[0].data;
  for (uint32_t i = 0; i < tree->receiver_count; i++)
    gb_cursor_set(&s->receiver[i], 0, s->length, s->result);
  return used;
}

static void set_down(gb_tree_stream *s, const char *data) {
  for (uint32_t i = 0; i < s->tree->sender_count; i++)
    gb_cursor_set(&s->sender[i], 0, s->length, data);
  for (uint32_t i = 0; i < s->tree->receiver_count; i++)
    gb_cursor_set(&s->receiver[i], 0, s->length, data);
}

/* Whether what is combined in a tree stays on this rank. */
static bool ends_here(const gb_rank_tree *tree) {
  return tree->receiver_count == 0;
}

/* Whether in some tree it is sent on: then the result comes later. */
static bool sends_on(const gb_rank_schedule *schedule) {
  bool any = false;
  for (uint32_t i = 0; i < schedule->tree_count; i++)
    any = any || (schedule->tree[i].combines && !ends_here(&schedule->tree[i]));
  return any;
}

/* Bytes of staging for all trees. */
static size_t room_for(const gb_rank_schedule *schedule, size_t bytes, bool in_place, char *result) {
  size_t room = 0, begin;
  for (uint32_t i = 0; i < schedule->tree_count; i++) {
    const gb_rank_tree *tree = &schedule->tree[i];
    const size_t length = gb_rank_share(schedule, i, bytes, &begin);
    if (tree->combines)
      room += gb_reducing_room(tree, length, in_place && ends_here(tree), ends_here(tree) ? result : NULL);
  }
  return room;
}

int gb_reducing_begin(gb_api_call *x, gb_transfer *t) {
  const gb_rank_schedule *schedule = x->h.schedule;
  const bool copies = t->send.buf == MPI_IN_PLACE && sends_on(schedule);
  const char *own = t->send.buf == MPI_IN_PLACE ? t->receive.buf : t->send.buf;
  char *result = x->sizes.receives > 0 ? t->receive.buf : NULL;
  int rc = gb_reduction_find(t->op, gb_reducing_type(t), &t->reduction);
  t->staged = gb_get_staging(&x->h, room_for(schedule, t->block, own == result && !copies, result));
  t->packed = copies ? gb_get_staging(&x->h, t->block) : NULL;
  if (rc == MPI_SUCCESS && (t->staged == NULL || (copies && t->packed == NULL)))
    rc = MPI_ERR_NO_MEM;
  if (rc == MPI_SUCCESS && copies)
    rc = gb_copy(t->packed, own, t->block, x->h.c->wire.local);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  own = copies ? t->packed : own;
  size_t used = 0, begin;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < schedule->tree_count; i++) {
    gb_tree_stream *all = gb_run_stream(x->h.run), *s = &all[i];
    s->length = gb_rank_share(schedule, i, t->block, &begin);
    char *there = result != NULL ? result + begin : NULL, *last = ends_here(s->tree) ? there : NULL;
    if (!s->tree->combines) {
      set_down(s, there);
      continue;
    }
    const bool fed = i > 0 && all[i - 1].tree->feeds == i;
    const char *mine = fed ? all[i - 1].result : own + begin;
    used += gb_reducing_set(t, s, mine, last, t->staged + used);
  }
  return rc;
}

int gb_reducing_end(gb_api_call *x, gb_transfer *t) {
  const bool alone = x->h.schedule->channel_count == 0;
  return alone && t->send.buf != MPI_IN_PLACE
             ? gb_copy(t->receive.buf, t->send.buf, t->block, x->h.c->wire.local)
             : MPI_SUCCESS;
}
