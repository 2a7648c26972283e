/* gbcast_allgather(). */
#include "mpi/api/blocks.h"
#include "mpi/api/collective.h"

static int check(const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const gb_buffer *s = &a->send, *r = &a->receive;
  const bool in_place = s->buf == MPI_IN_PLACE;
  const size_t size = (size_t)c->wire.size;
  size_t sent = 0;
  int rc = gb_check_buffer(c, r->buf, r->count, r->type, &sizes->block);
  if (rc == MPI_SUCCESS && !in_place)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, &sent);
  if (rc == MPI_SUCCESS && !in_place && s->count > 0 && s->count == r->count)
    rc = gb_check_apart(s->buf, s->type, r);
  if (rc == MPI_SUCCESS && !in_place && sent != sizes->block)
    rc = MPI_ERR_TRUNCATE;
  if (rc == MPI_SUCCESS && sizes->block > SIZE_MAX / size)
    rc = MPI_ERR_COUNT;
  sizes->room = sizes->block;
  sizes->planned = rc == MPI_SUCCESS ? sizes->block * size : 0;
  sizes->sends = 1;
  sizes->receives = c->wire.size;
  return rc;
}

static int begin(gb_api_call *x, gb_transfer *t, unsigned run) {
  char *base = NULL;
  (void)run;
  const int rc = gb_place_received(x, t, t->block * (size_t)x->h.c->wire.size, false, &base);
  t->blocks = gb_blocks_new(&x->h, t->block, NULL, false);
  if (rc != MPI_SUCCESS || t->blocks == NULL)
    return rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
  return gb_allgather_run(x, t, base, NULL);
}

static int end(gb_api_call *x, gb_transfer *t) {
  const int rc = gb_allgather_take(t);
  return rc == MPI_SUCCESS ? gb_unpack_received(x, t, t->block * (size_t)x->sizes.receives) : rc;
}

static int call_mpi(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                    const gb_counted *receive, MPI_Request *request) {
  return request == NULL ? PMPI_Allgather(t->send.buf, send->count, send->type, t->receive.buf,
                                          receive->count, receive->type, x->h.comm)
                         : PMPI_Iallgather(t->send.buf, send->count, send->type, t->receive.buf,
                                           receive->count, receive->type, x->h.comm, request);
}

static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  return gb_native_counted(x, t, call_mpi, request);
}

const gb_collective gb_api_allgather = {.kind = GB_CALL_allgather,
                                        .operation = GBCAST_ALLGATHER,
                                        .name = "an allgather",
                                        .flow = GB_EACH_TO_ALL,
                                        .runs = 1,
                                        .sums = &gb_api_allgather,
                                        .check = check,
                                        .begin = begin,
                                        .end = end,
                                        .native = native};
