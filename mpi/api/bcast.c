/* gbcast_bcast(). */
#include "mpi/api/api.h"
#include "mpi/api/args.h"
#include "mpi/api/buffers.h"
#include "mpi/api/verify.h"
#include "mpi/comm/comm.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
#include <stdlib.h>

/* MPI's own, on any communicator. */
static int own_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  gb_counted counted;
  int rc = gb_counted_make(count, type, &counted);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = PMPI_Bcast(buf, counted.count, counted.type, root, comm);
  gb_counted_release(&counted);
  return rc;
}

/* Broadcasts bytes that lie in one piece. */
static int run_bcast(gb_comm *c, gb_rank_schedule *schedule, char *data, size_t bytes) {
  size_t cursors = 0, used = 0;
  gb_tree_stream stream_one[1], *stream = stream_one;
  gb_child_cursor few_cursors[16], *cursor = few_cursors;
  for (uint32_t t = 0; t < schedule->tree_count; t++)
    cursors += schedule->tree[t].child_count;
  if (schedule->tree_count > 1)
    stream = malloc(sizeof *stream * schedule->tree_count);
  if (cursors > sizeof few_cursors / sizeof *few_cursors)
    cursor = malloc(sizeof *cursor * cursors);
  int rc = stream == NULL || cursor == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < schedule->tree_count; t++) {
    const gb_rank_tree *tree = &schedule->tree[t];
    size_t begin, length = gb_rank_share(schedule, t, bytes, &begin);
    stream[t] =
        (gb_tree_stream){.tree = tree, .data = data + begin, .length = length, .cursor = cursor + used};
    for (uint32_t i = 0; i < tree->child_count; i++)
      cursor[used++] = (gb_child_cursor){.offset = 0, .length = length, .direct = data + begin};
  }
  if (rc == MPI_SUCCESS)
    rc = gb_exec_run(&c->wire, schedule, bytes, stream);
  if (stream != stream_one)
    free(stream);
  if (cursor != few_cursors)
    free(cursor);
  return rc;
}

/* Through a packed copy, for data that does not lie in one piece. */
static int run_packed(gb_comm *c, gb_rank_schedule *schedule, void *buf, MPI_Count count, MPI_Datatype type,
                      size_t bytes) {
  char *packed = malloc(bytes + 1);
  if (packed == NULL)
    return MPI_ERR_NO_MEM;
  bool root = c->wire.rank == schedule->root;
  int rc = root ? gb_pack(buf, count, type, packed, bytes, c->wire.local) : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = run_bcast(c, schedule, packed, bytes);
  if (rc == MPI_SUCCESS && !root)
    rc = gb_unpack(packed, bytes, buf, count, type, c->wire.local);
  free(packed);
  return rc;
}

/* GBCAST_CHECK, behind the data, whatever has become of these here: `rc`. raised: NULL, or MPI's own
 * broadcast is run, and this says whether it has called the error handler. */
static int verify(gb_comm *c, gb_rank_schedule *schedule, bool *raised, const gb_receive_buffer *data,
                  size_t bytes, int rc) {
  const int root = schedule->root;
  const bool is_root = c->wire.rank == root;
  uint64_t sent = 0, found = 0;
  int verified = is_root ? gb_checksums(data->buf, data->count, data->type, bytes, 1, c->wire.local, &sent)
                         : MPI_SUCCESS;
  if (raised != NULL) {
    int own = PMPI_Bcast(&sent, (int)sizeof sent, MPI_BYTE, root, c->user);
    *raised = own != MPI_SUCCESS;
    verified = verified == MPI_SUCCESS ? own : verified;
  } else if (verified == MPI_SUCCESS) {
    verified = run_bcast(c, schedule, (char *)&sent, sizeof sent);
  }
  rc = rc == MPI_SUCCESS ? verified : rc;
  if (rc == MPI_SUCCESS && !is_root)
    rc = gb_checksums(data->buf, data->count, data->type, bytes, 1, c->wire.local, &found);
  return rc == MPI_SUCCESS && !is_root ? gb_verify_arrived(c, "a broadcast", root, bytes, sent, found) : rc;
}

/* By MPI's own broadcast, which calls the error handler itself. */
static int native(gb_comm *c, gb_rank_schedule *schedule, const gb_receive_buffer *data, size_t bytes,
                  int root) {
  int rc = own_bcast(data->buf, data->count, data->type, root, c->user);
  bool raised = rc != MPI_SUCCESS;
  if (rc == MPI_SUCCESS && schedule != NULL && c->check && bytes > 0)
    rc = verify(c, schedule, &raised, data, bytes, rc);
  return raised ? rc : gb_raise(c->user, rc);
}

/* By the plan. */
static int planned(gb_comm *c, gb_rank_schedule *schedule, const gb_receive_buffer *data, size_t bytes) {
  const bool checked = c->check && bytes > 0;
  const uint64_t end = c->wire.sequence + 1 + checked;
  if (bytes > 0 && gb_refresh_look(c, schedule->root))
    gb_exec_offer(&c->wire, schedule->root);
  bool contiguous;
  int rc = gb_type_is_contiguous(data->type, &contiguous);
  if (rc == MPI_SUCCESS)
    rc = contiguous ? run_bcast(c, schedule, data->buf, bytes)
                    : run_packed(c, schedule, data->buf, data->count, data->type, bytes);
  if (checked)
    rc = verify(c, schedule, NULL, data, bytes, rc);
  return gb_exec_abandon(&c->wire, end, rc);
}

int gb_api_bcast(void *buf, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  const gb_receive_buffer data = {buf, count, type};
  gb_comm *c;
  size_t bytes = 0;
  int rc = gb_comm_find(comm, NULL, &c);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c == NULL)
    return own_bcast(buf, count, type, root, comm);
  gb_rank_schedule *schedule = NULL;
  rc = gb_check_bcast(c, buf, count, type, root, &bytes);
  if (rc == MPI_SUCCESS)
    rc = gb_comm_enter(c);
  if (rc == MPI_SUCCESS && c->left == GB_LEFT_NOTHING)
    rc = gb_api_schedule(c, GBCAST_BCAST, bytes, root, &schedule);
  if (rc != MPI_SUCCESS)
    return gb_raise(comm, rc);
  return schedule != NULL && gb_api_planned(c, schedule, bytes)
             ? gb_raise(comm, planned(c, schedule, &data, bytes))
             : native(c, schedule, &data, bytes, root);
}
