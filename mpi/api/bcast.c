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
  size_t bytes;
  int root;
  char *packed;  /* of data that do not lie in one piece */
  uint64_t sent; /* GBCAST_CHECK: the root's checksum */
} bcast;

static bool is_root(const bcast *b) {
  return b->h.c->wire.rank == b->root;
}

static int checksum(const bcast *b, uint64_t *sum) {
  return gb_checksums(b->data.buf, b->data.count, b->data.type, b->bytes, 1, b->h.c->wire.local, sum);
}

/* Begins to broadcast bytes that lie in one piece. */
static int run(bcast *b, char *data, size_t bytes) {
  const gb_rank_schedule *schedule = b->h.schedule;
  int rc = gb_handle_run(&b->h);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < schedule->tree_count; t++) {
    gb_tree_stream *s = &gb_run_stream(b->h.run)[t];
    size_t begin;
    s->length = gb_rank_share(schedule, t, bytes, &begin);
    s->data = data + begin;
    for (uint32_t i = 0; i < schedule->tree[t].child_count; i++) {
      s->cursor[i].length = s->length;
      s->cursor[i].direct = s->data;
    }
  }
  return rc;
}

static int run_data(bcast *b) {
  bool contiguous;
  int rc = gb_type_is_contiguous(b->data.type, &contiguous);
  if (rc != MPI_SUCCESS || contiguous)
    return rc == MPI_SUCCESS ? run(b, b->data.buf, b->bytes) : rc;
  b->packed = malloc(b->bytes + 1);
  if (b->packed == NULL)
    return MPI_ERR_NO_MEM;
  if (is_root(b))
    rc = gb_pack(b->data.buf, b->data.count, b->data.type, b->packed, b->bytes, b->h.c->wire.local);
  return rc == MPI_SUCCESS ? run(b, b->packed, b->bytes) : rc;
}

/* The checksum follows the data on the same way. */
static int run_checksum(bcast *b) {
  int rc = is_root(b) ? checksum(b, &b->sent) : MPI_SUCCESS;
  return rc == MPI_SUCCESS ? run(b, (char *)&b->sent, sizeof b->sent) : rc;
}

static int verify(const bcast *b) {
  uint64_t found;
  int rc = is_root(b) ? MPI_SUCCESS : checksum(b, &found);
  return rc == MPI_SUCCESS && !is_root(b)
             ? gb_verify_arrived(b->h.c, "a broadcast", b->root, b->bytes, b->sent, found)
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
      rc = gb_unpack(b->packed, b->bytes, b->data.buf, b->data.count, b->data.type, h->c->wire.local);
    return rc == MPI_SUCCESS && h->checked ? run_checksum(b) : rc;
  default:
    return verify(b);
  }
}

static int own_blocking(gb_handle *h) {
  const bcast *b = (const bcast *)h;
  gb_counted counted;
  int rc = gb_counted_make(b->data.count, b->data.type, &counted);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = PMPI_Bcast(b->data.buf, counted.count, counted.type, b->root, h->comm);
  gb_counted_release(&counted);
  return rc;
}

static int begin_own(bcast *b) {
  gb_counted counted;
  int rc = gb_counted_make(b->data.count, b->data.type, &counted);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = PMPI_Ibcast(b->data.buf, counted.count, counted.type, b->root, b->h.comm, &b->h.own[0]);
  gb_counted_release(&counted);
  return rc;
}

static int next_own(gb_handle *h) {
  bcast *b = (bcast *)h;
  if (h->part++ > 0)
    return h->checked ? verify(b) : MPI_SUCCESS;
  int rc = h->checked && is_root(b) ? checksum(b, &b->sent) : MPI_SUCCESS;
  if (rc != MPI_SUCCESS)
    return rc;
  rc = begin_own(b);
  if (rc == MPI_SUCCESS && h->checked)
    rc = PMPI_Ibcast(&b->sent, (int)sizeof b->sent, MPI_BYTE, b->root, h->comm, &h->own[1]);
  h->raised = rc != MPI_SUCCESS;
  return rc;
}

static int start(gb_handle *h) {
  bcast *b = (bcast *)h;
  int rc = gb_handle_plan(h, GBCAST_BCAST, b->bytes, b->root, 1);
  h->next = h->schedule != NULL ? next : next_own;
  return rc;
}

static void release(gb_handle *h) {
  bcast *b = (bcast *)h;
  free(b->packed);
  b->packed = NULL;
}

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, gb_how how) {
  bcast b = {.h = {.comm = comm, .start = start, .own_blocking = own_blocking, .release = release},
             .data = {buf, count, type},
             .root = root};
  int rc = gb_comm_find(comm, NULL, &b.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (b.h.c != NULL)
    rc = gb_check_bcast(b.h.c, buf, count, type, root, &b.bytes);
  if (root != MPI_PROC_NULL)
    b.h.type[0] = &b.data.type;
  return gb_api_make(&b.h, sizeof b, rc, how);
}
