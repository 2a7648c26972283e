/* gbcast_gather(). */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"

int gb_gather_run(gb_api_call *x, gb_transfer *t, char *base) {
  const ptrdiff_t *place;
  char *own = NULL;
  int rc = gb_lengths_blocks(x, t, &place);
  if (rc == MPI_SUCCESS && gb_is_root(x)) {
    gb_blocks_at_root(t->blocks, base, place);
    rc = gb_place_own(x, t, base + gb_block_place(place, t->block, x->h.c->wire.rank));
  } else if (rc == MPI_SUCCESS) {
    rc = gb_pack_sent(x, t, &t->send, false, &own);
    t->blocks->own = own;
  }
  if (rc != MPI_SUCCESS)
    return rc;
  t->staged = gb_get_staging(&x->h, gb_blocks_room(t->blocks));
  rc = t->staged != NULL ? gb_blocks_copy_own(t->blocks, t->staged) : MPI_ERR_NO_MEM;
  return rc == MPI_SUCCESS ? gb_blocks_run(&x->h, t->blocks, t->staged) : rc;
}

static int begin(gb_api_call *x, gb_transfer *t) {
  char *base = NULL;
  const int rc = gb_is_root(x) ? gb_place_received(x, t, t->block * (size_t)x->h.c->wire.size, false, &base)
                               : MPI_SUCCESS;
  return rc == MPI_SUCCESS ? gb_gather_run(x, t, base) : rc;
}

static int end(gb_api_call *x, gb_transfer *t) {
  return gb_unpack_received(x, t, t->block * (size_t)x->sizes.receives);
}

static int native(const gb_api_call *x, const gb_transfer *t, const gb_counted *send,
                  const gb_counted *receive, MPI_Request *request) {
  return GB_NATIVE(request, PMPI_Gather, PMPI_Igather, t->send.buf, send->count, send->type, t->receive.buf,
                   receive->count, receive->type, x->h.root, x->h.comm);
}

const gb_collective gb_api_gather = {.kind = GB_CALL_gather,
                                     .operation = GBCAST_GATHER,
                                     .name = "a gather",
                                     .flow = GB_ALL_TO_ROOT,
                                     .runs = 1,
                                     .sums = &gb_api_gather,
                                     .check = gb_check_blocks,
                                     .begin = begin,
                                     .end = end,
                                     .native_counted = native};
