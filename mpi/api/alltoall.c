/* gbcast_alltoall(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
#include <stdlib.h>

/* MPI's own, on any communicator. */
static int own_alltoall(const gb_send_buffer *s, const gb_receive_buffer *r, MPI_Comm comm) {
  gb_counted send, receive;
  int rc = gb_counted_make(s->count, s->type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(r->count, r->type, &receive)) == MPI_SUCCESS) {
    rc = PMPI_Alltoall(s->buf, send.count, send.type, r->buf, receive.count, receive.type, comm);
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

/* Between bytes that lie in one piece. */
static int exchange(gb_comm *c, gb_rank_schedule *schedule, const void *send, void *receive, size_t bytes) {
  return gb_exec_exchange(&c->wire, schedule, bytes, send, receive);
}

/* Through packed copies of what does not lie in one piece; and of what is sent in place, as blocks come
 * before all others have gone. */
static int exchange_packed(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                           const gb_receive_buffer *r, size_t bytes, bool copy_send, bool copy_receive) {
  const size_t all = bytes * (size_t)c->wire.size;
  const bool in_place = s->buf == MPI_IN_PLACE;
  char *send = copy_send ? malloc(all + 1) : NULL, *receive = copy_receive ? malloc(all + 1) : NULL;
  int rc = (copy_send && send == NULL) || (copy_receive && receive == NULL) ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (rc == MPI_SUCCESS && copy_send)
    rc = in_place ? gb_pack(r->buf, r->count * c->wire.size, r->type, send, all, c->wire.local)
                  : gb_pack(s->buf, s->count * c->wire.size, s->type, send, all, c->wire.local);
  if (rc == MPI_SUCCESS)
    rc = exchange(c, schedule, copy_send ? send : s->buf, copy_receive ? receive : r->buf, bytes);
  if (rc == MPI_SUCCESS && copy_receive)
    rc = gb_unpack(receive, all, r->buf, r->count * c->wire.size, r->type, c->wire.local);
  free(send);
  free(receive);
  return rc;
}

static int run_alltoall(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                        const gb_receive_buffer *r, size_t bytes) {
  bool send_whole = false, receive_whole = false;
  int rc = s->buf == MPI_IN_PLACE ? MPI_SUCCESS : gb_type_is_contiguous(s->type, &send_whole);
  if (rc == MPI_SUCCESS)
    rc = gb_type_is_contiguous(r->type, &receive_whole);
  if (rc != MPI_SUCCESS)
    return rc;
  return (send_whole && receive_whole) || bytes == 0
             ? exchange(c, schedule, s->buf, r->buf, bytes)
             : exchange_packed(c, schedule, s, r, bytes, !send_whole, !receive_whole);
}

/* raised: NULL, or MPI's own all-to-all is run, and this becomes true when it has called the error handler.
 */
static int move(gb_comm *c, gb_rank_schedule *schedule, bool *raised, const gb_send_buffer *s,
                const gb_receive_buffer *r, size_t bytes) {
  if (raised == NULL)
    return run_alltoall(c, schedule, s, r, bytes);
  int rc = own_alltoall(s, r, c->user);
  *raised = *raised || rc != MPI_SUCCESS;
  return rc;
}

/* GBCAST_CHECK: the checksum of each block goes the same way, behind the data. */
static int move_checked(gb_comm *c, gb_rank_schedule *schedule, bool *raised, const gb_send_buffer *s,
                        const gb_receive_buffer *r, size_t bytes) {
  const gb_send_buffer from = s->buf == MPI_IN_PLACE ? (gb_send_buffer){r->buf, r->count, r->type} : *s;
  uint64_t *sum = malloc(3 * sizeof *sum * (size_t)c->wire.size);
  if (sum == NULL)
    return MPI_ERR_NO_MEM;
  uint64_t *sent = sum + c->wire.size, *found = sent + c->wire.size;
  int rc = gb_checksums(from.buf, from.count, from.type, bytes, c->wire.size, c->wire.local, sum);
  if (rc == MPI_SUCCESS) {
    rc = move(c, schedule, raised, s, r, bytes);
    const gb_send_buffer sums = {sum, (MPI_Count)sizeof *sum, MPI_BYTE};
    const gb_receive_buffer theirs = {sent, (MPI_Count)sizeof *sent, MPI_BYTE};
    int checked = move(c, schedule, raised, &sums, &theirs, sizeof *sum);
    rc = rc == MPI_SUCCESS ? checked : rc;
  }
  if (rc == MPI_SUCCESS)
    rc = gb_checksums(r->buf, r->count, r->type, bytes, c->wire.size, c->wire.local, found);
  for (int from_rank = 0, all = rc; all == MPI_SUCCESS && from_rank < c->wire.size; from_rank++) {
    int one = gb_verify_arrived(c, "an all-to-all", from_rank, bytes, sent[from_rank], found[from_rank]);
    rc = rc == MPI_SUCCESS ? one : rc;
  }
  free(sum); // NOLINT(clang-analyzer-unix.Malloc): what was allocated is not MPI_IN_PLACE
  return rc;
}

/* By MPI's own all-to-all, which calls the error handler itself. */
static int native(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s, const gb_receive_buffer *r,
                  size_t bytes) {
  bool raised = false;
  if (schedule == NULL || !c->check || bytes == 0)
    return own_alltoall(s, r, c->user);
  const int rc = move_checked(c, schedule, &raised, s, r, bytes);
  return raised ? rc : gb_raise(c->user, rc);
}

/* By the plan. */
static int planned(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                   const gb_receive_buffer *r, size_t bytes, size_t send_bytes) {
  const bool checked = c->check && bytes > 0;
  const uint64_t end = c->wire.sequence + 1 + checked;
  int rc = MPI_ERR_TRUNCATE;
  if (send_bytes == bytes)
    rc = (checked ? move_checked : move)(c, schedule, NULL, s, r, bytes);
  return gb_exec_abandon(&c->wire, end, rc);
}

int gb_api_alltoall(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  gb_send_buffer s = {sendbuf, sendcount, sendtype};
  gb_receive_buffer r = {recvbuf, recvcount, recvtype};
  gb_comm *c;
  size_t bytes = 0, send_bytes = 0;
  int rc = gb_comm_find(comm, NULL, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL)
    return own_alltoall(&s, &r, comm);
  gb_rank_schedule *schedule = NULL;
  rc = gb_check_alltoall(c, &s, &r, &bytes, &send_bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_comm_enter(c);
  if (rc == MPI_SUCCESS && c->left == GB_LEFT_NOTHING)
    rc = gb_api_schedule(c, GBCAST_ALLTOALL, bytes, 0, &schedule);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  return schedule != NULL && gb_api_planned(c, schedule, bytes)
             ? gb_raise(comm, planned(c, schedule, &s, &r, bytes, send_bytes))
             : native(c, schedule, &s, &r, bytes);
}
