/* Sends an update down a tree of a broadcast. */
#include "mpi/exec/update.h"
#include "mpi/exec/agree.h"
#include "mpi/exec/requests.h"
#include "mpi/exec/types.h"
#include <stdlib.h>
#include <string.h>

void gb_update_init(gb_run *run) {
  gb_wire *w = run->w;
  gb_update_run *update = &run->update;
  *update = (gb_update_run){.tree = GB_NONE};
  if (run->schedule->operation != GBCAST_BCAST || gb_update_tag(run->sequence) == GB_LAST_TAG)
    return;
  uint32_t tree = 0;
  while (tree < run->schedule->tree_count && run->stream[tree].length == 0)
    tree++;
  if (tree == run->schedule->tree_count)
    return;
  update->tree = tree;
  if (w->rank == run->schedule->root && w->ready.version > w->version) {
    update->what = w->ready; /* moved: another offer may arrive meanwhile */
    w->ready = (gb_update){0};
    update->there = true;
  }
}

int gb_update_mark(gb_run *run, int to, int *tag) {
  int rc = gb_requests_send(run, GB_REQUEST_UPDATE_OUT, to, *tag, NULL, 0);
  *tag = gb_update_tag(run->sequence);
  return rc;
}

int gb_update_pass_on(gb_run *run) {
  gb_update_run *update = &run->update;
  const gb_tree_stream *s = &run->stream[update->tree];
  const uint64_t length = update->what.length;
  int rc = MPI_SUCCESS;
  for (uint32_t i = 0;
       rc == MPI_SUCCESS && update->updated < s->tree->child_count && i < s->tree->child_count; i++) {
    int to = s->tree->child[i].rank, tag = gb_update_tag(run->sequence);
    if (s->cursor[i].updated || s->cursor[i].posted == 0)
      continue;
    if ((rc = gb_requests_send(run, GB_REQUEST_UPDATE_OUT, to, tag, &length, sizeof length)) == MPI_SUCCESS)
      rc = gb_requests_send(run, GB_REQUEST_UPDATE_OUT, to, tag, update->what.bytes, update->what.length);
    s->cursor[i].updated = true;
    update->updated++;
  }
  return rc;
}

bool gb_update_begin(const gb_run *run, const gb_request *first, const MPI_Status *status) {
  int count = -1;
  return first->stream == run->update.tree && !run->update.marked &&
         MPI_Get_count(status, MPI_BYTE, &count) == MPI_SUCCESS && count == 0;
}

static int receive(gb_run *run, const gb_request *request, void *to) {
  MPI_Request *handle = gb_requests_next(run);
  int rc = handle == NULL || to == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = MPI_Irecv(to, (int)request->length, MPI_BYTE, request->peer, gb_update_tag(run->sequence),
                   run->w->comm, handle);
  if (rc == MPI_SUCCESS)
    gb_requests_add(run, request);
  else
    free(request->copy);
  return rc;
}

int gb_update_expect(gb_run *run, const gb_request *first) {
  run->update.marked = true;
  int rc = receive(run, first, run->stream[first->stream].data);
  gb_request length = {.kind = GB_REQUEST_UPDATE_IN, .peer = first->peer, .length = sizeof(uint64_t)};
  length.copy = rc == MPI_SUCCESS ? malloc(length.length) : NULL;
  return rc == MPI_SUCCESS ? receive(run, &length, length.copy) : rc;
}

int gb_update_heard(gb_run *run, const gb_request *request) {
  gb_update_run *update = &run->update;
  if (request->offset > 0) {
    update->what = (gb_update){.length = request->length, .bytes = request->copy};
    update->there = true;
    return MPI_SUCCESS;
  }
  uint64_t length;
  memcpy(&length, request->copy, sizeof length);
  free(request->copy);
  gb_request body = {
      .kind = GB_REQUEST_UPDATE_IN, .peer = request->peer, .offset = 1, .length = (size_t)length};
  body.copy = length <= GB_MESSAGE_MAX ? malloc(body.length + 1) : NULL;
  if (body.copy != NULL)
    return receive(run, &body, body.copy);
  gb_agree_fail(run, MPI_ERR_NO_MEM);
  return MPI_SUCCESS;
}

void gb_update_read(gb_run *run) {
  gb_update_run *update = &run->update;
  if (!update->there || update->read != NULL || run->failed)
    return;
  int rc = run->w->reader->read(run->w->owner, &update->what, &update->read);
  if (rc != MPI_SUCCESS)
    gb_agree_fail(run, rc);
}

void gb_update_keep(gb_run *run) {
  gb_update_run *update = &run->update;
  if (update->read != NULL && !run->failed)
    run->w->reader->keep(run->w->owner, update->what.version, update->read, run->sequence);
  else
    gbcast_platform_free(update->read);
  free(update->what.bytes);
}
