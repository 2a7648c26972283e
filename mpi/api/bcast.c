/* gbcast_bcast(). */
#include "mpi/api/collective.h"

static int check(const gb_collective *what, const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  (void)what;
  const gb_buffer *b = &a->receive;
  const int rc = gb_check_buffer(c, b->buf, b->count, b->type, &sizes->block);
  sizes->planned = sizes->room = sizes->block;
  sizes->sends = c->wire.rank == a->root;
  sizes->receives = !sizes->sends;
  return rc == MPI_SUCCESS ? gb_check_root(c, a->root) : rc;
}

static int begin(gb_api_call *x, gb_transfer *t) {
  const gb_rank_schedule *schedule = x->h.schedule;
  const gb_buffer *from = t->send.buf == MPI_IN_PLACE ? &t->receive : &t->send;
  char *data;
  int rc = gb_is_root(x) ? gb_pack_sent(x, t, from, false, &data)
                         : gb_place_received(x, t, t->block, false, &data);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < schedule->tree_count; i++) {
    gb_tree_stream *s = &gb_run_stream(x->h.run)[i];
    size_t begin;
    s->length = gb_rank_share(schedule, i, t->block, &begin);
    if (s->tree->sender_count > 0)
      gb_cursor_set(s->sender, 0, s->length, data + begin);
    for (uint32_t k = 0; k < schedule->tree[i].receiver_count; k++)
      gb_cursor_set(&s->receiver[k], 0, s->length, data + begin);
  }
  return rc;
}

static int end(gb_api_call *x, gb_transfer *t) {
  return gb_unpack_received(x, t, t->block);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const bool sums = t->send.buf != MPI_IN_PLACE; /* of which the root has its own buffer */
  const gb_buffer *b = sums && gb_is_root(x) ? &t->send : &t->receive;
  gb_counted n;
  int rc = gb_counted_make(b->count, b->type, &n);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = GB_NATIVE(request, PMPI_Bcast, PMPI_Ibcast, b->buf, n.count, n.type, x->h.root, x->h.comm);
  gb_counted_release(&n);
  return gb_handle_native(&x->h, rc);
}

const gb_collective gb_api_bcast = {.kind = GB_CALL_bcast,
                                    .operation = GBCAST_BCAST,
                                    .name = "a broadcast",
                                    .flow = GB_ROOT_TO_ALL,
                                    .runs = 1,
                                    .sums = &gb_api_bcast,
                                    .check = check,
                                    .begin = begin,
                                    .end = end,
                                    .native = native};
