/* gbcast_bcast(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/job/job.h"
#include <stdlib.h>

typedef struct bcast {
  gb_handle h;
  gb_receive_buffer data;
  char *packed;  /* of data that do not lie in one piece */
  uint64_t sent; /* GBCAST_CHECK: the root's checksum */
} bcast;

static bool is_root(const bcast *b) {
  return b->h.c->wire.rank == b->h.root;
}

static int checksum(const bcast *b, uint64_t *sum) {
  return gb_checksums(b->data.buf, b->data.count, b->data.type, b->h.bytes, 1, b->h.c->wire.local, sum);
}

/* Begins to broadcast bytes that lie in one piece. */
static int run(bcast *b, char *data, size_t bytes) {
  const gb_rank_schedule *schedule = b->h.schedule;
  int rc = gb_handle_run(&b->h);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < schedule->tree_count; t++) {
    gb_tree_stream *s = &gb_run_stream(b->h.run)[t];
    size_t begin;
    s->length = gb_rank_share(schedule, t, bytes, &begin);
    if (s->in != NULL)
      gb_cursor_set(s->in, 0, s->length, data + begin);
    for (uint32_t i = 0; i < schedule->tree[t].child_count; i++)
      gb_cursor_set(&s->child[i], 0, s->length, data + begin);
  }
  return rc;
}

static int run_data(bcast *b) {
  bool contiguous;
  int rc = gb_type_is_contiguous(b->data.type, &contiguous);
  if (rc != MPI_SUCCESS || contiguous)
    return rc == MPI_SUCCESS ? run(b, b->data.buf, b->h.bytes) : rc;
  b->packed = gb_handle_stage(&b->h, b->h.bytes);
  if (b->packed == NULL)
    return MPI_ERR_NO_MEM;
  if (is_root(b))
    rc = gb_pack(b->data.buf, b->data.count, b->data.type, b->packed, b->h.bytes, b->h.c->wire.local);
  return rc == MPI_SUCCESS ? run(b, b->packed, b->h.bytes) : rc;
}

static int sum_up(gb_handle *h) {
  bcast *b = (bcast *)h;
  return is_root(b) ? checksum(b, &b->sent) : MPI_SUCCESS;
}

static int verify(gb_handle *h) {
  const bcast *b = (const bcast *)h;
  uint64_t found;
  int rc = is_root(b) ? MPI_SUCCESS : checksum(b, &found);
  return rc == MPI_SUCCESS && !is_root(b)
             ? gb_verify_arrived(h->c, "a broadcast", h->root, h->bytes, b->sent, found)
             : rc;
}

static int next(gb_handle *h) {
  bcast *b = (bcast *)h;
  int rc = MPI_SUCCESS;
  switch (h->part++) {
  case 0:
    return run_data(b);
  case 1:
    if (b->packed != NULL && !is_root(b))
      rc = gb_unpack(b->packed, h->bytes, b->data.buf, b->data.count, b->data.type, h->c->wire.local);
    if (rc != MPI_SUCCESS || !h->checked)
      return rc;
    rc = sum_up(h);
    return rc == MPI_SUCCESS ? run(b, (char *)&b->sent, sizeof b->sent) : rc;
  default:
    return verify(h);
  }
}

static int own(gb_handle *h, int which, MPI_Request *request) {
  bcast *b = (bcast *)h;
  gb_counted counted;
  if (which == 1)
    return gb_handle_own(h, PMPI_Ibcast(&b->sent, (int)sizeof b->sent, MPI_BYTE, h->root, h->comm, request));
  int rc = gb_counted_make(b->data.count, b->data.type, &counted);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = request == NULL ? PMPI_Bcast(b->data.buf, counted.count, counted.type, h->root, h->comm)
                       : PMPI_Ibcast(b->data.buf, counted.count, counted.type, h->root, h->comm, request);
  gb_counted_release(&counted);
  return gb_handle_own(h, rc);
}

static void release(gb_handle *h) {
  bcast *b = (bcast *)h;
  gb_handle_unstage(h, &b->packed);
}

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, gb_how how) {
  bcast b = {.h = {.comm = comm,
                   .operation = GBCAST_BCAST,
                   .root = root,
                   .runs = 1,
                   .next = next,
                   .own = own,
                   .sum_up = sum_up,
                   .verify = verify,
                   .release = release},
             .data = {buf, count, type}};
  int rc = gb_comm_find(comm, NULL, &b.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (b.h.c != NULL)
    rc = gb_check_bcast(b.h.c, buf, count, type, root, &b.h.bytes);
  if (root != MPI_PROC_NULL)
    b.h.type[0] = &b.data.type;
  return gb_api_make(&b.h, sizeof b, rc, how);
}
