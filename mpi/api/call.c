/* The parts of a call. GBCAST_CHECK tells whether what has landed in a caller's buffer is what was sent: the
 * sender's checksum of every message or block goes the same way as its data, right behind them, and each rank
 * compares it with one of what it finds in the caller's buffer. Both are over the data in the order of their
 * signature, without holes: datatypes may differ. */
#include "mpi/api/blocks.h"
#include "mpi/api/lengths.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gb_checking {
  gb_transfer sums;
  uint64_t *sent, *expected,
      *found; /* checksums of what is sent, was sent, has arrived; behind this struct */
} gb_checking;

/* Checksums of `blocks` blocks of a buffer. */
static int checksums(const gb_api_call *x, const gb_buffer *b, int blocks, uint64_t *sum) {
  const MPI_Comm local = x->h.c->wire.local;
  MPI_Count lower, extent;
  if (b->counts == NULL)
    return gb_checksums(b->buf, b->count, b->type, x->data.block, blocks, local, sum);
  int rc = MPI_Type_get_extent_x(b->type, &lower, &extent);
  for (int i = 0; rc == MPI_SUCCESS && i < blocks; i++) {
    size_t bytes = 0;
    if ((rc = gb_type_bytes(b->counts[i], b->type, &bytes)) == MPI_SUCCESS)
      rc = gb_checksums(gb_block_at(b, extent, i), b->counts[i], b->type, bytes, 1, local, &sum[i]);
  }
  return rc;
}

/* Checksums of the blocks that this rank sends, before others come in place of them. */
static int sum_up(gb_api_call *x) {
  const size_t size = (size_t)x->h.c->wire.size;
  gb_buffer from = x->data.send.buf == MPI_IN_PLACE ? x->data.receive : x->data.send;
  gb_checking *k = x->check = malloc(sizeof *k + 3 * size * sizeof *k->sent);
  if (k == NULL)
    return MPI_ERR_NO_MEM;
  k->sent = (uint64_t *)(k + 1);
  k->expected = k->sent + size;
  k->found = k->expected + size;
  k->sums = (gb_transfer){.send = {k->sent, (MPI_Count)sizeof *k->sent, MPI_BYTE, NULL, NULL},
                          .receive = {k->expected, (MPI_Count)sizeof *k->sent, MPI_BYTE, NULL, NULL},
                          .block = sizeof *k->sent,
                          .room = sizeof *k->sent};
  if (x->sizes.sends == 0)
    return MPI_SUCCESS;
  const bool one = x->what->flow == GB_ALL_TO_ROOT || x->what->flow == GB_EACH_TO_ALL;
  const int rc = one ? gb_own_block(x, &x->data, &from) : MPI_SUCCESS;
  return rc == MPI_SUCCESS ? checksums(x, &from, x->sizes.sends, k->sent) : rc;
}

static const char *host_of(const gb_comm *c, int rank) {
  return c->platform->host[c->wire.rank_host[rank]].name;
}

/* Compares the checksums of the blocks that have come. */
static int verify(const gb_api_call *x) {
  const gb_checking *k = x->check;
  const gb_comm *c = x->h.c;
  const gb_buffer *r = &x->data.receive;
  if (x->sizes.receives == 0)
    return MPI_SUCCESS;
  int rc = checksums(x, r, x->sizes.receives, k->found);
  if (rc != MPI_SUCCESS)
    return rc;
  for (int i = 0; i < x->sizes.receives; i++) {
    const int from = x->what->flow == GB_ROOT_TO_ALL ? x->h.root : i;
    if (k->expected[i] == k->found[i])
      continue;
    fprintf(stderr,
            "gbcast: rank %d on %s: the %zu bytes of %s from rank %d on %s were damaged on their way: their "
            "checksum is %016" PRIx64 " instead of %016" PRIx64 "\n",
            c->wire.rank, host_of(c, c->wire.rank), x->data.block, x->what->name, from, host_of(c, from),
            k->found[i], k->expected[i]);
    rc = MPI_ERR_OTHER;
  }
  return rc;
}

static void release(const gb_handle *h, gb_transfer *t) {
  gb_end_staging(h, &t->packed);
  gb_end_staging(h, &t->unpacked);
  gb_end_staging(h, &t->staged);
  if (!h->abandoned) {
    free(t->blocks);
    gb_lengths_free(t->lengths);
    gb_lengths_free(t->sent);
  }
  t->blocks = NULL;
  t->lengths = t->sent = NULL;
}

void gb_api_call_release(gb_handle *h) {
  gb_api_call *x = (gb_api_call *)h;
  release(h, &x->data);
  if (x->check != NULL)
    release(h, &x->check->sums);
  if (h->left != NULL) /* checksums may yet arrive */
    gb_run_keep_beside(h->left, x->check);
  else if (!h->abandoned)
    free(x->check);
  x->check = NULL;
}

static int native(const gb_collective *what, gb_api_call *x, gb_transfer *t, MPI_Request *request) {
  gb_counted send, receive;
  if (what->native != NULL)
    return what->native(x, t, request);
  int rc = gb_counted_make(t->send.count, t->send.type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(t->receive.count, t->receive.type, &receive)) == MPI_SUCCESS) {
    rc = gb_handle_native(&x->h, what->native_counted(x, t, &send, &receive, request));
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

int gb_api_call_native(gb_handle *h) {
  gb_api_call *x = (gb_api_call *)h;
  const int rc = native(x->what, x, &x->data, NULL);
  release(h, &x->data);
  return rc;
}

/* MPI's own collectives, of the data and of their checksums, begin in the order in which all ranks call. */
static int next_native(gb_api_call *x, unsigned part) {
  if (part > 0)
    return x->h.checked ? verify(x) : MPI_SUCCESS;
  int rc = native(x->what, x, &x->data, &x->h.request[0]);
  if (rc == MPI_SUCCESS && x->h.checked)
    rc = native(x->what->sums, x, &x->check->sums, &x->h.request[1]);
  return rc;
}

int gb_api_call_next(gb_handle *h) {
  gb_api_call *x = (gb_api_call *)h;
  const gb_collective *what = x->what;
  const unsigned part = h->part++;
  int rc = part == 0 && h->checked ? sum_up(x) : MPI_SUCCESS;
  if (rc != MPI_SUCCESS)
    return rc;
  if (h->schedule == NULL)
    return next_native(x, part);
  if (part < what->runs)
    return what->begin(x, &x->data);
  if (part == what->runs) {
    x->kept = what->end(x, &x->data);
    release(h, &x->data);
    if (h->checked) /* those below wait for their checksums, whatever became of the data here */
      return what->sums->begin(x, &x->check->sums);
    return x->kept;
  }
  rc = what->sums->end(x, &x->check->sums);
  if (x->kept != MPI_SUCCESS)
    rc = x->kept;
  return rc == MPI_SUCCESS ? verify(x) : rc;
}
