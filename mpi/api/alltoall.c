/* gbcast_alltoall(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/job/job.h"
#include <stdlib.h>

typedef struct alltoall_part { /* the data, or their checksums */
  gb_send_buffer s;
  gb_receive_buffer r;
  size_t bytes;         /* of a block */
  char *send, *receive; /* packed copies, or NULL */
} alltoall_part;

typedef struct alltoall {
  gb_handle h;
  alltoall_part data, sums;
  uint64_t *sent, *expected, *found; /* GBCAST_CHECK: checksums of what is sent, was sent, has arrived */
} alltoall;

/* Through packed copies of what does not lie in one piece; and of what is sent in place, as blocks come
 * before all others have gone. */
static int begin_part(gb_handle *h, alltoall_part *p) {
  const gb_wire *w = &h->c->wire;
  const size_t all = p->bytes * (size_t)w->size;
  const bool in_place = p->s.buf == MPI_IN_PLACE;
  bool send_whole = false, receive_whole = false;
  int rc = in_place ? MPI_SUCCESS : gb_type_is_contiguous(p->s.type, &send_whole);
  if (rc == MPI_SUCCESS)
    rc = gb_type_is_contiguous(p->r.type, &receive_whole);
  if (rc != MPI_SUCCESS)
    return rc;
  p->send = send_whole ? NULL : gb_handle_stage(h, all);
  p->receive = receive_whole ? NULL : gb_handle_stage(h, all);
  if ((!send_whole && p->send == NULL) || (!receive_whole && p->receive == NULL))
    return MPI_ERR_NO_MEM;
  if (!send_whole && all > 0)
    rc = in_place ? gb_pack(p->r.buf, p->r.count * w->size, p->r.type, p->send, all, w->local)
                  : gb_pack(p->s.buf, p->s.count * w->size, p->s.type, p->send, all, w->local);
  if (rc == MPI_SUCCESS)
    rc = gb_handle_run(h);
  return rc == MPI_SUCCESS ? gb_run_exchange(h->run, p->bytes, send_whole ? p->s.buf : p->send,
                                             receive_whole ? p->r.buf : p->receive)
                           : rc;
}

static void release_part(const gb_handle *h, alltoall_part *p) {
  gb_handle_unstage(h, &p->send);
  gb_handle_unstage(h, &p->receive);
}

static int end_part(gb_handle *h, alltoall_part *p) {
  const gb_wire *w = &h->c->wire;
  const size_t all = p->bytes * (size_t)w->size;
  int rc = MPI_SUCCESS;
  if (p->receive != NULL && all > 0)
    rc = gb_unpack(p->receive, all, p->r.buf, p->r.count * w->size, p->r.type, w->local);
  release_part(h, p);
  return rc;
}

/* The checksum of each block goes the same way, behind the data. It is made before these come in place. */
static int sum_up(gb_handle *h) {
  alltoall *a = (alltoall *)h;
  const gb_wire *w = &a->h.c->wire;
  const size_t size = (size_t)w->size;
  const gb_receive_buffer *r = &a->data.r;
  const gb_send_buffer from =
      a->data.s.buf == MPI_IN_PLACE ? (gb_send_buffer){r->buf, r->count, r->type} : a->data.s;
  a->sent = malloc(3 * sizeof *a->sent * size);
  if (a->sent == NULL)
    return MPI_ERR_NO_MEM;
  a->expected = a->sent + size;
  a->found = a->expected + size;
  a->sums = (alltoall_part){.s = {a->sent, (MPI_Count)sizeof *a->sent, MPI_BYTE},
                            .r = {a->expected, (MPI_Count)sizeof *a->sent, MPI_BYTE},
                            .bytes = sizeof *a->sent};
  return gb_checksums(from.buf, from.count, from.type, a->data.bytes, w->size, w->local, a->sent);
}

static int verify(gb_handle *h) {
  const alltoall *a = (const alltoall *)h;
  const gb_wire *w = &a->h.c->wire;
  const gb_receive_buffer *r = &a->data.r;
  const int checked = gb_checksums(r->buf, r->count, r->type, a->data.bytes, w->size, w->local, a->found);
  int rc = checked;
  for (int from = 0; checked == MPI_SUCCESS && from < w->size; from++) {
    int one =
        gb_verify_arrived(a->h.c, "an all-to-all", from, a->data.bytes, a->expected[from], a->found[from]);
    rc = rc == MPI_SUCCESS ? one : rc;
  }
  return rc;
}

static int next(gb_handle *h) {
  alltoall *a = (alltoall *)h;
  int rc;
  switch (h->part++) {
  case 0:
    rc = h->checked ? sum_up(h) : MPI_SUCCESS;
    return rc == MPI_SUCCESS ? begin_part(h, &a->data) : rc;
  case 1:
    rc = end_part(h, &a->data);
    return rc == MPI_SUCCESS && h->checked ? begin_part(h, &a->sums) : rc;
  default:
    rc = end_part(h, &a->sums);
    return rc == MPI_SUCCESS ? verify(h) : rc;
  }
}

static int own(gb_handle *h, int which, MPI_Request *request) {
  const alltoall *a = (const alltoall *)h;
  const alltoall_part *p = which == 0 ? &a->data : &a->sums;
  gb_counted send, receive;
  int rc = gb_counted_make(p->s.count, p->s.type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(p->r.count, p->r.type, &receive)) == MPI_SUCCESS) {
    rc = request == NULL
             ? PMPI_Alltoall(p->s.buf, send.count, send.type, p->r.buf, receive.count, receive.type, h->comm)
             : PMPI_Ialltoall(p->s.buf, send.count, send.type, p->r.buf, receive.count, receive.type, h->comm,
                              request);
    (void)gb_handle_own(h, rc);
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

static void release(gb_handle *h) {
  alltoall *a = (alltoall *)h;
  release_part(h, &a->data);
  release_part(h, &a->sums);
  free(a->sent);
  a->sent = NULL;
}

int gb_api_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, gb_how how) {
  alltoall a = {.h = {.comm = comm,
                      .operation = GBCAST_ALLTOALL,
                      .runs = 1,
                      .next = next,
                      .own = own,
                      .sum_up = sum_up,
                      .verify = verify,
                      .release = release},
                .data = {.s = {sendbuf, sendcount, sendtype}, .r = {recvbuf, recvcount, recvtype}}};
  int rc = gb_comm_find(comm, NULL, &a.h.c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (a.h.c != NULL)
    rc = gb_check_alltoall(a.h.c, &a.data.s, &a.data.r, &a.data.bytes);
  a.h.bytes = a.data.bytes;
  a.h.type[0] = sendbuf != MPI_IN_PLACE ? &a.data.s.type : NULL;
  a.h.type[1] = &a.data.r.type;
  return gb_api_make(&a.h, sizeof a, rc, how);
}
