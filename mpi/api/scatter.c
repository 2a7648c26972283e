/* gbcast_scatter(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/blocks.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
#include <stdlib.h>

/* MPI's own, on any communicator. */
static int own_scatter(const gb_send_buffer *s, const gb_receive_buffer *r, int root, MPI_Comm comm) {
  gb_counted send, receive;
  int rc = gb_counted_make(s->count, s->type, &send);
  if (rc != MPI_SUCCESS)
    return rc;
  if ((rc = gb_counted_make(r->count, r->type, &receive)) == MPI_SUCCESS) {
    rc = PMPI_Scatter(s->buf, send.count, send.type, r->buf, receive.count, receive.type, root, comm);
    gb_counted_release(&receive);
  }
  gb_counted_release(&send);
  return rc;
}

/* The share of each tree. */
static void share_blocks(const gb_rank_schedule *schedule, size_t block, gb_blocks *blocks) {
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    blocks[t] = (gb_blocks){0};
    blocks[t].part = gb_rank_share(schedule, t, block, &blocks[t].skip);
  }
}

static int scatter_root(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                        const gb_receive_buffer *r, size_t block, size_t receive_bytes) {
  char *packed = NULL;
  bool contiguous;
  int rc = gb_type_is_contiguous(s->type, &contiguous);
  if (rc == MPI_SUCCESS && !contiguous) {
    packed = malloc(block * (size_t)c->wire.size + 1);
    rc = packed == NULL ? MPI_ERR_NO_MEM
                        : gb_pack(s->buf, s->count * c->wire.size, s->type, packed,
                                  block * (size_t)c->wire.size, c->wire.local);
  }
  gb_block_source source = {packed != NULL ? packed : s->buf, NULL, block};
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  share_blocks(schedule, block, blocks);
  if (rc == MPI_SUCCESS)
    rc = gb_blocks_scatter(c, schedule, block, blocks, &source, NULL);
  if (rc == MPI_SUCCESS && r->buf != MPI_IN_PLACE)
    rc = receive_bytes < block
             ? MPI_ERR_TRUNCATE
             : gb_receive_keep(r, source.base + block * (size_t)c->wire.rank, block, c->wire.local);
  free(packed);
  return rc;
}

/* One buffer: my own block first where it is not received in place, then for each tree in which I have ranks
 * below me the parts of my subtree. */
static int scatter_other(gb_comm *c, gb_rank_schedule *schedule, const gb_receive_buffer *r, size_t block) {
  gb_blocks blocks[GB_TREES_MOST] = {{0}};
  char *data[GB_TREES_MOST] = {NULL};
  bool contiguous;
  int rc = gb_type_is_contiguous(r->type, &contiguous);
  if (rc != MPI_SUCCESS)
    return rc;
  share_blocks(schedule, block, blocks);
  size_t room = contiguous ? 0 : block, used = room;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    room += gb_subtree(schedule, t) > 1 ? blocks[t].part * gb_subtree(schedule, t) : 0;
  char *buffer = malloc(room + 1), *own = contiguous ? r->buf : buffer;
  if (buffer == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    bool below = gb_subtree(schedule, t) > 1;
    data[t] = below ? buffer + used : block > 0 ? own + blocks[t].skip : NULL;
    used += below ? blocks[t].part * gb_subtree(schedule, t) : 0;
  }
  rc = gb_blocks_scatter(c, schedule, block, blocks, NULL, data);
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < schedule->tree_count; t++)
    if (gb_subtree(schedule, t) > 1 && blocks[t].part > 0)
      rc = gb_copy(own + blocks[t].skip, data[t] + blocks[t].part * (gb_subtree(schedule, t) - 1),
                   blocks[t].part, c->wire.local);
  if (rc == MPI_SUCCESS && !contiguous && block > 0)
    rc = gb_unpack(own, block, r->buf, r->count, r->type, c->wire.local);
  free(buffer);
  return rc;
}

static int run_scatter(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                       const gb_receive_buffer *r, size_t block, size_t receive_bytes) {
  return c->wire.rank == schedule->root ? scatter_root(c, schedule, s, r, block, receive_bytes)
                                        : scatter_other(c, schedule, r, block);
}

/* GBCAST_CHECK, behind the data, whatever has become of these here: `rc`. Each block's checksum is scattered
 * as the blocks were. raised: NULL, or MPI's own scatter is run, and this says whether it has called the
 * error handler. */
static int verify(gb_comm *c, gb_rank_schedule *schedule, bool *raised, const gb_send_buffer *s,
                  const gb_receive_buffer *r, size_t block, int rc) {
  const bool is_root = c->wire.rank == schedule->root;
  uint64_t mine = 0, found = 0, *sent = is_root ? malloc(sizeof *sent * (size_t)c->wire.size) : NULL;
  int checked = is_root && sent == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (checked == MPI_SUCCESS && is_root)
    checked = gb_checksums(s->buf, s->count, s->type, block, c->wire.size, c->wire.local, sent);
  const gb_send_buffer sums = {sent, (MPI_Count)sizeof mine, MPI_BYTE};
  const gb_receive_buffer own = {&mine, (MPI_Count)sizeof mine, MPI_BYTE};
  if (checked == MPI_SUCCESS && raised != NULL) {
    checked = own_scatter(&sums, &own, schedule->root, c->user);
    *raised = checked != MPI_SUCCESS;
  } else if (checked == MPI_SUCCESS) {
    checked = run_scatter(c, schedule, &sums, &own, sizeof mine, sizeof mine);
  }
  free(sent);
  rc = rc == MPI_SUCCESS ? checked : rc;
  if (rc != MPI_SUCCESS || r->buf == MPI_IN_PLACE)
    return rc;
  rc = gb_checksums(r->buf, r->count, r->type, block, 1, c->wire.local, &found);
  return rc == MPI_SUCCESS ? gb_verify_arrived(c, "a scatter", schedule->root, block, mine, found) : rc;
}

/* By MPI's own scatter, which calls the error handler itself. */
static int native(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s, const gb_receive_buffer *r,
                  size_t block, int root) {
  int rc = own_scatter(s, r, root, c->user);
  bool raised = rc != MPI_SUCCESS;
  if (rc == MPI_SUCCESS && schedule != NULL && c->check && block > 0)
    rc = verify(c, schedule, &raised, s, r, block, rc);
  return raised ? rc : gb_raise(c->user, rc);
}

/* By the plan. */
static int planned(gb_comm *c, gb_rank_schedule *schedule, const gb_send_buffer *s,
                   const gb_receive_buffer *r, size_t block, size_t receive_bytes) {
  const bool checked = c->check && block > 0;
  const uint64_t end = c->wire.sequence + 1 + checked;
  int rc = run_scatter(c, schedule, s, r, block, receive_bytes);
  if (checked)
    rc = verify(c, schedule, NULL, s, r, block, rc);
  return gb_exec_abandon(&c->wire, end, rc);
}

int gb_api_scatter(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  gb_send_buffer s = {sendbuf, sendcount, sendtype};
  gb_receive_buffer r = {recvbuf, recvcount, recvtype};
  gb_comm *c;
  size_t block = 0, receive_bytes = 0;
  int rc = gb_comm_find(comm, NULL, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL)
    return own_scatter(&s, &r, root, comm);
  gb_rank_schedule *schedule = NULL;
  rc = gb_check_scatter(c, &s, &r, root, &block, &receive_bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_comm_enter(c);
  if (rc == MPI_SUCCESS && c->left == GB_LEFT_NOTHING)
    rc = gb_api_schedule(c, GBCAST_SCATTER, block, root, &schedule);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  return schedule != NULL && gb_api_planned(c, schedule, block)
             ? gb_raise(comm, planned(c, schedule, &s, &r, block, receive_bytes))
             : native(c, schedule, &s, &r, block, root);
}
