/* gbcast_scatter(). */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"

int gb_scatter_run(gb_api_call *x, gb_transfer *t, const char *base) {
  const ptrdiff_t *place;
  char *own;
  int rc = gb_lengths_blocks(x, t, &place);
  if (rc == MPI_SUCCESS && gb_is_root(x)) {
    t->mine = base + gb_block_place(place, t->block, x->h.c->wire.rank);
    gb_blocks_at_root(t->blocks, base, place);
    return gb_blocks_run(&x->h, t->blocks, NULL);
  }
  if (rc == MPI_SUCCESS)
    rc = gb_place_received(x, t, t->block, t->block > t->room, &own);
  if (rc != MPI_SUCCESS)
    return rc;
  t->blocks->own = own;
  t->staged = gb_get_staging(&x->h, gb_blocks_room(t->blocks));
  return t->staged != NULL ? gb_blocks_run(&x->h, t->blocks, t->staged) : MPI_ERR_NO_MEM;
}

static int begin(gb_api_call *x, gb_transfer *t) {
  char *base = NULL;
  const int rc = gb_is_root(x) ? gb_pack_sent(x, t, &t->send, false, &base) : MPI_SUCCESS;
  return rc == MPI_SUCCESS ? gb_scatter_run(x, t, base) : rc;
}

int gb_scatter_end(gb_api_call *x, gb_transfer *t) {
  const gb_buffer *r = &t->receive;
  const bool fits = t->block <= t->room;
  if (!gb_is_root(x)) {
    const int rc = gb_blocks_copy_own(t->blocks, t->staged);
    return rc == MPI_SUCCESS && fits ? gb_unpack_received(x, t, t->block)
           : rc == MPI_SUCCESS       ? MPI_ERR_TRUNCATE
                                     : rc;
  }
  if (r->buf == MPI_IN_PLACE)
    return MPI_SUCCESS;
  return fits ? gb_unpack(t->mine, t->block, r->buf, r->count, r->type, x->h.c->wire.local)
              : MPI_ERR_TRUNCATE;
}

static int native(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                  const gb_counted *receive, MPI_Request *request) {
  return GB_NATIVE(request, PMPI_Scatter, PMPI_Iscatter, t->send.buf, send->count, send->type, t->receive.buf,
                   receive->count, receive->type, x->h.root, x->h.comm);
}

const gb_collective gb_api_scatter = {.kind = GB_CALL_scatter,
                                      .operation = GBCAST_SCATTER,
                                      .name = "a scatter",
                                      .flow = GB_ROOT_TO_ALL,
                                      .runs = 1,
                                      .sums = &gb_api_scatter,
                                      .check = gb_check_blocks,
                                      .begin = begin,
                                      .end = gb_scatter_end,
                                      .native_counted = native};
