/* gbcast_alltoallv(). A rank knows how much it sends to and receives from each other one, so nothing has to
 * be agreed on but the schedule: that of an all-to-all of short blocks, in which each block goes straight
 * from its rank to the other. Within one site MPI's own collective is run. */
#include "mpi/api/collective.h"
#include "mpi/api/lengths.h"
#include <stdlib.h>

/* Bytes of a block for which it is planned: so short that messages between sites wait for no others. Where
 * they do, one waits for as long as its own block takes, which is not what those before it take: planned for
 * 64 KiB, calls on the grid of examples/rehearsal.txt took 1.2 to 1.3 of MPICH's time, and for 1 KiB 1.0. */
enum { NOMINAL = 1024 };

/* What is sent in place is copied, as blocks come before all others have gone. */
static int begin(gb_api_call *x, gb_transfer *t) {
  const bool in_place = t->send.buf == MPI_IN_PLACE;
  const gb_buffer *from = in_place ? &t->receive : &t->send;
  t->sent = calloc(1, sizeof *t->sent);
  t->lengths = calloc(1, sizeof *t->lengths);
  if (t->sent == NULL || t->lengths == NULL)
    return MPI_ERR_NO_MEM;
  int rc = gb_lengths_measure(x, from, in_place, t->sent, &t->packed);
  if (rc == MPI_SUCCESS && t->packed != NULL)
    rc = gb_lengths_pack(x, from, t->sent, t->packed);
  if (rc == MPI_SUCCESS)
    rc = gb_lengths_measure(x, &t->receive, false, t->lengths, &t->unpacked);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(&x->h);
  if (rc != MPI_SUCCESS)
    return rc;
  const gb_block_list send = {t->packed != NULL ? t->packed : t->send.buf, 0, t->sent->of_rank,
                              t->sent->place},
                      receive = {t->unpacked != NULL ? t->unpacked : t->receive.buf, 0, t->lengths->of_rank,
                                 t->lengths->place};
  return gb_run_exchange(x->h.run, &send, &receive);
}

static int end(gb_api_call *x, gb_transfer *t) {
  return gb_lengths_unpack(x, t);
}

#if MPI_VERSION >= 4
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  return gb_handle_native(&x->h,
                          GB_NATIVE(request, PMPI_Alltoallv_c, PMPI_Ialltoallv_c, s->buf, s->counts,
                                    s->places, s->type, r->buf, r->counts, r->places, r->type, x->h.comm));
}
#else
typedef struct each { /* of all blocks: one element each of a type of its own, which holds its place, too */
  int *count, *place;
  MPI_Datatype *type;
} each;

static int make_type(const gb_buffer *b, MPI_Count extent, int i, MPI_Datatype *type) {
  const MPI_Aint place = (MPI_Aint)(b->places[i] * extent);
  gb_counted block;
  int rc = gb_counted_make(b->counts[i], b->type, &block);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = MPI_Type_create_hindexed(1, &block.count, &place, block.type, type);
  gb_counted_release(&block);
  if (rc == MPI_SUCCESS && (rc = MPI_Type_commit(type)) != MPI_SUCCESS)
    (void)MPI_Type_free(type);
  return rc;
}

/* Types that were not made are MPI_BYTE, of no elements. */
static int make_each(const gb_buffer *b, int size, each *e) {
  MPI_Count lower, extent;
  int rc = MPI_Type_get_extent_x(b->type, &lower, &extent);
  for (int i = 0; i < size; i++) {
    e->count[i] = e->place[i] = 0;
    e->type[i] = MPI_BYTE;
  }
  for (int i = 0; rc == MPI_SUCCESS && i < size; i++)
    if (b->counts[i] > 0 && (rc = make_type(b, extent, i, &e->type[i])) == MPI_SUCCESS)
      e->count[i] = 1;
  return rc;
}

/* MPI keeps the types until the call is over. It may read the array until then, so that stays as it is. */
static void free_types(const each *e, int size) {
  for (int i = 0; i < size; i++) {
    MPI_Datatype type = e->type[i];
    if (e->count[i] > 0)
      (void)MPI_Type_free(&type);
  }
}

/* Memory for both ends, until the call is over. */
static bool get_room(gb_transfer *t, int size, each *send, each *receive) {
  const size_t ranks = (size_t)size;
  t->lengths = calloc(1, sizeof *t->lengths);
  if (t->lengths == NULL)
    return false;
  MPI_Datatype *type = t->lengths->counts = malloc(2 * ranks * (sizeof *type + 2 * sizeof(int)));
  if (type == NULL)
    return false;
  int *next = (int *)(void *)(type + 2 * ranks);
  *send = (each){next, next + ranks, type};
  *receive = (each){next + 2 * ranks, next + 3 * ranks, type + ranks};
  return true;
}

/* MPI_Alltoallv() counts in int. MPI_Alltoallw() has a type for each block, so it can be of any size
 * anywhere.
 */
static int native(gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  const gb_buffer *s = &t->send, *r = &t->receive;
  const int size = x->sizes.receives;
  const gb_buffer *from = s->buf == MPI_IN_PLACE ? r : s; /* MPI does not look at it then */
  each send, receive;
  if (!get_room(t, size, &send, &receive))
    return MPI_ERR_NO_MEM;
  int rc = make_each(from, size, &send);
  const int other = make_each(r, size, &receive);
  rc = rc == MPI_SUCCESS ? other : rc;
  if (rc == MPI_SUCCESS)
    rc = gb_handle_native(&x->h, GB_NATIVE(request, PMPI_Alltoallw, PMPI_Ialltoallw, s->buf, send.count,
                                           send.place, send.type, r->buf, receive.count, receive.place,
                                           receive.type, x->h.comm));
  free_types(&send, size);
  free_types(&receive, size);
  return rc;
}
#endif

const gb_collective gb_api_alltoallv = {.kind = GB_CALL_alltoallv,
                                        .operation = GBCAST_ALLTOALL,
                                        .name = "an alltoallv",
                                        .lengths = true,
                                        .nominal = NOMINAL,
                                        .uneven = true,
                                        .runs = 1,
                                        .sums = &gb_api_alltoall,
                                        .check = gb_check_blocks,
                                        .begin = begin,
                                        .end = end,
                                        .native = native};
