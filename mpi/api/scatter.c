/* gbcast_scatter(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/blocks.h"
#include "mpi/api/buffers.h"
#include "mpi/api/own_scatterv.h"
#include "mpi/api/verify.h"
#include "mpi/job/job.h"
#include <stdlib.h>

typedef struct scatter_part { /* the data, or their checksums */
  gb_send_buffer s;           /* at the root */
  gb_receive_buffer r;
  size_t block, receive_bytes;
  char *packed; /* the root's copy of what does not lie in one piece */
  gb_scattering *x;
} scatter_part;

typedef struct scatter {
  gb_handle h;
  scatter_part data, sums;
  int kept;             /* what became of the data */
  uint64_t *sent, mine; /* GBCAST_CHECK: the checksums of all blocks, at the root; of this rank's */
} scatter;

static bool is_root(const scatter *x) {
  return x->h.c->wire.rank == x->h.root;
}

static int begin_root(gb_handle *h, scatter_part *p) {
  const size_t all = p->block * (size_t)h->c->wire.size;
  bool contiguous;
  int rc = gb_type_is_contiguous(p->s.type, &contiguous);
  if (rc == MPI_SUCCESS && !contiguous) {
    p->packed = gb_handle_stage(h, all);
    rc = p->packed == NULL
             ? MPI_ERR_NO_MEM
             : gb_pack(p->s.buf, p->s.count * h->c->wire.size, p->s.type, p->packed, all, h->c->wire.local);
  }
  const gb_block_source source = {p->packed != NULL ? p->packed : p->s.buf, NULL, p->block};
  return rc == MPI_SUCCESS ? gb_scattering_run(h, p->x, &source) : rc;
}

static int begin_part(scatter *x, scatter_part *p) {
  p->x = gb_scattering_new(x->h.schedule);
  if (p->x == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < x->h.schedule->tree_count; t++) { /* the share of each tree */
    gb_blocks *blocks = &gb_scattering_blocks(p->x)[t];
    blocks->part = gb_rank_share(x->h.schedule, t, p->block, &blocks->skip);
  }
  return is_root(x) ? begin_root(&x->h, p) : gb_scattering_receive(&x->h, p->x, &p->r, p->block, true);
}

static int end_root(gb_handle *h, const scatter_part *p) {
  const char *base = p->packed != NULL ? p->packed : p->s.buf;
  if (p->r.buf == MPI_IN_PLACE)
    return MPI_SUCCESS;
  return p->receive_bytes < p->block
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(&p->r, base + p->block * (size_t)h->c->wire.rank, p->block, h->c->wire.local);
}

static void release_part(const gb_handle *h, scatter_part *p) {
  gb_handle_unstage(h, &p->packed);
  gb_scattering_free(h, p->x);
  p->x = NULL;
}

static int end_part(scatter *x, scatter_part *p) {
  const int rc = is_root(x) ? end_root(&x->h, p) : gb_scattering_keep(&x->h, p->x, &p->r);
  release_part(&x->h, p);
  return rc;
}

/* Sets up the scatter of the checksums, which the root has made of its blocks. */
static int sum_up(gb_handle *h) {
  scatter *x = (scatter *)h;
  const gb_wire *w = &x->h.c->wire;
  int rc = MPI_SUCCESS;
  if (is_root(x)) {
    x->sent = malloc(sizeof *x->sent * (size_t)w->size);
    rc = x->sent == NULL ? MPI_ERR_NO_MEM
                         : gb_checksums(x->data.s.buf, x->data.s.count, x->data.s.type, x->data.block,
                                        w->size, w->local, x->sent);
  }
  x->sums = (scatter_part){.s = {x->sent, (MPI_Count)sizeof x->mine, MPI_BYTE},
                           .r = {&x->mine, (MPI_Count)sizeof x->mine, MPI_BYTE},
                           .block = sizeof x->mine,
                           .receive_bytes = sizeof x->mine};
  return rc;
}

static int verify(gb_handle *h) {
  const scatter *x = (const scatter *)h;
  const gb_receive_buffer *r = &x->data.r;
  uint64_t found;
  if (r->buf == MPI_IN_PLACE)
    return MPI_SUCCESS;
  int rc = gb_checksums(r->buf, r->count, r->type, x->data.block, 1, x->h.c->wire.local, &found);
  return rc == MPI_SUCCESS ? gb_verify_arrived(x->h.c, "a scatter", x->h.root, x->data.block, x->mine, found)
                           : rc;
}

static int next(gb_handle *h) {
  scatter *x = (scatter *)h;
  int rc;
  switch (h->part++) {
  case 0:
    return begin_part(x, &x->data);
  case 1:
    x->kept = end_part(x, &x->data);
    if (!h->checked)
      return x->kept;
    rc = sum_up(h);
    return rc == MPI_SUCCESS ? begin_part(x, &x->sums) : rc; /* those below wait for theirs, whatever it is */
  default:
    rc = end_part(x, &x->sums);
    rc = x->kept == MPI_SUCCESS ? rc : x->kept;
    return rc == MPI_SUCCESS ? verify(h) : rc;
  }
}

static int own(gb_handle *h, int which, MPI_Request *request) {
  const scatter *x = (const scatter *)h;
  const scatter_part *p = which == 0 ? &x->data : &x->sums;
  gb_counted send, receive;
  int rc = gb_counted_make(p->s.count, p->s.type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(p->r.count, p->r.type, &receive)) == MPI_SUCCESS) {
    rc = request == NULL ? PMPI_Scatter(p->s.buf, send.count, send.type, p->r.buf, receive.count,
                                        receive.type, h->root, h->comm)
                         : PMPI_Iscatter(p->s.buf, send.count, send.type, p->r.buf, receive.count,
                                         receive.type, h->root, h->comm, request);
    (void)gb_handle_own(h, rc);
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

static void release(gb_handle *h) {
  scatter *x = (scatter *)h;
  release_part(h, &x->data);
  release_part(h, &x->sums);
  free(x->sent);
  x->sent = NULL;
}

int gb_api_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, gb_how how) {
  scatter x = {.h = {.comm = comm,
                     .operation = GBCAST_SCATTER,
                     .root = root,
                     .runs = 1,
                     .next = next,
                     .own = own,
                     .sum_up = sum_up,
                     .verify = verify,
                     .release = release},
               .data = {.s = {sendbuf, sendcount, sendtype}, .r = {recvbuf, recvcount, recvtype}}};
  int receivers = 0, rc = gb_comm_find(comm, NULL, &x.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (x.h.c != NULL)
    rc = gb_check_scatter(x.h.c, &x.data.s, &x.data.r, root, &x.data.block, &x.data.receive_bytes);
  else if (how.form == GB_API_LATER)
    rc = gb_scatterv_receivers(comm, root, &receivers);
  x.h.bytes = x.data.block;
  if (x.h.c != NULL ? is_root(&x) : receivers > 0)
    x.h.type[0] = &x.data.s.type;
  if (gb_receives(recvbuf, root))
    x.h.type[1] = &x.data.r.type;
  return gb_api_make(&x.h, sizeof x, rc, how);
}
