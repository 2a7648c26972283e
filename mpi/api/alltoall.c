/* gbcast_alltoall(). */
#include "mpi/api/collective.h"

static int check(const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const gb_buffer *s = &a->send, *r = &a->receive;
  const bool in_place = s->buf == MPI_IN_PLACE;
  size_t sent = 0;
  int rc = gb_check_buffer(c, r->buf, r->count, r->type, &sizes->block);
  if (rc == MPI_SUCCESS && !in_place)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, &sent);
  if (rc == MPI_SUCCESS && !in_place && s->count > 0 && s->count == r->count)
    rc = gb_check_apart(s->buf, s->type, r);
  if (rc == MPI_SUCCESS && !in_place && sent != sizes->block) /* as the block to this rank itself shows */
    rc = MPI_ERR_TRUNCATE;
  sizes->planned = sizes->room = sizes->block;
  sizes->sends = sizes->receives = c->wire.size;
  return rc == MPI_SUCCESS && sizes->block > SIZE_MAX / 2 / (size_t)c->wire.size ? MPI_ERR_COUNT : rc;
}

/* What is sent in place is copied, too, as blocks come before all others have gone. */
static int begin(gb_api_call *x, gb_transfer *t, unsigned run) {
  const bool in_place = t->send.buf == MPI_IN_PLACE;
  char *send, *receive;
  (void)run;
  int rc = gb_pack_sent(x, t, in_place ? &t->receive : &t->send, in_place, &send);
  if (rc == MPI_SUCCESS)
    rc = gb_place_received(x, t, t->block * (size_t)x->h.c->wire.size, false, &receive);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  return rc == MPI_SUCCESS ? gb_run_exchange(x->h.run, &(gb_block_list){send, t->block, NULL, NULL},
                                             &(gb_block_list){receive, t->block, NULL, NULL})
                           : rc;
}

static int end(gb_api_call *x, gb_transfer *t) {
  return gb_unpack_received(x, t, t->block * (size_t)x->h.c->wire.size);
}

static int call_mpi(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                    const gb_counted *receive, MPI_Request *request) {
  return request == NULL ? PMPI_Alltoall(t->send.buf, send->count, send->type, t->receive.buf, receive->count,
                                         receive->type, x->h.comm)
                         : PMPI_Ialltoall(t->send.buf, send->count, send->type, t->receive.buf,
                                          receive->count, receive->type, x->h.comm, request);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  return gb_native_counted(x, t, call_mpi, request);
}

const gb_collective gb_api_alltoall = {.kind = GB_CALL_alltoall,
                                       .operation = GBCAST_ALLTOALL,
                                       .name = "an all-to-all",
                                       .runs = 1,
                                       .sums = &gb_api_alltoall,
                                       .check = check,
                                       .begin = begin,
                                       .end = end,
                                       .native = native};
