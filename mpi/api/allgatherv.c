/* gbcast_allgatherv(). All ranks know the counts of all blocks, so the call is planned for what they sum to.
 */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"
#include <limits.h>

static int check(const gb_comm *c, const gb_arguments *a, gb_sizes *sizes) {
  const gb_buffer *s = &a->send, *r = &a->receive;
  const bool in_place = s->buf == MPI_IN_PLACE;
  size_t sent = 0;
  int rc = gb_lengths_check(c, r, c->wire.rank, &sizes->block, &sizes->planned);
  if (rc == MPI_SUCCESS && !in_place)
    rc = gb_check_buffer(c, s->buf, s->count, s->type, &sent);
  if (rc == MPI_SUCCESS && !in_place && s->count > 0) {
    gb_buffer own;
    rc = gb_block_of(r, c->wire.rank, &own);
    if (rc == MPI_SUCCESS)
      rc = gb_check_apart(s->buf, s->type, &own);
  }
  if (rc == MPI_SUCCESS && !in_place && sent != sizes->block)
    rc = MPI_ERR_TRUNCATE;
  sizes->room = sizes->block;
  sizes->sends = 1;
  sizes->receives = c->wire.size;
  return rc;
}

static int begin(gb_api_call *x, gb_transfer *t, unsigned run) {
  (void)run;
  const int rc = gb_lengths_new(x, t, &t->receive, &t->unpacked);
  if (rc != MPI_SUCCESS)
    return rc;
  gb_lengths_order(x, t->lengths);
  t->blocks = gb_blocks_new(&x->h, 0, t->lengths->block, false);
  if (t->blocks == NULL)
    return MPI_ERR_NO_MEM;
  return gb_allgather_run(x, t, t->unpacked != NULL ? t->unpacked : t->receive.buf, t->lengths->place);
}

static int end(gb_api_call *x, gb_transfer *t) {
  const int rc = gb_allgather_take(t);
  return rc == MPI_SUCCESS ? gb_lengths_unpack(x, t) : rc;
}

#if MPI_VERSION >= 4
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  return gb_handle_native(&x->h, request == NULL
                                     ? PMPI_Allgatherv_c(s->buf, s->count, s->type, r->buf, r->counts,
                                                         r->places, r->type, x->h.comm)
                                     : PMPI_Iallgatherv_c(s->buf, s->count, s->type, r->buf, r->counts,
                                                          r->places, r->type, x->h.comm, request));
}
#else
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  int *count, *place, rc = gb_lengths_in_int(t, r, x->sizes.receives, &count, &place);
  if (rc != MPI_SUCCESS || s->count > INT_MAX)
    return rc != MPI_SUCCESS ? rc : MPI_ERR_COUNT;
  return gb_handle_native(
      &x->h, request == NULL
                 ? PMPI_Allgatherv(s->buf, (int)s->count, s->type, r->buf, count, place, r->type, x->h.comm)
                 : PMPI_Iallgatherv(s->buf, (int)s->count, s->type, r->buf, count, place, r->type, x->h.comm,
                                    request));
}
#endif

const gb_collective gb_api_allgatherv = {.kind = GB_CALL_allgatherv,
                                         .operation = GBCAST_ALLGATHER,
                                         .name = "an allgatherv",
                                         .flow = GB_EACH_TO_ALL,
                                         .never_native = MPI_VERSION < 4,
                                         .runs = 1,
                                         .sums = &gb_api_allgather,
                                         .check = check,
                                         .begin = begin,
                                         .end = end,
                                         .native = native};
