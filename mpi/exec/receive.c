/* Receiving: the receives of all trees are posted ahead, and the prefix of each stream that is there grows.
 */
#include "mpi/exec/receive.h"
#include "mpi/exec/requests.h"
#include <stdint.h>

static int post_receives(gb_run *run, uint32_t index) {
  gb_tree_stream *s = &run->stream[index];
  size_t segment = s->tree->segment,
         ahead = segment * gb_least(s->tree->parent.pacing.window + 1, GB_WINDOW_MOST);
  while (s->receiving < s->length && s->receiving - s->prefix < ahead) {
    size_t length = gb_least(segment, s->length - s->receiving);
    MPI_Request *handle = gb_requests_next(run);
    if (handle == NULL)
      return MPI_ERR_NO_MEM;
    int rc = MPI_Irecv(s->data + s->receiving, (int)length, MPI_BYTE, s->tree->parent.rank,
                       gb_data_tag(run, index), run->w->comm, handle);
    if (rc != MPI_SUCCESS)
      return rc;
    gb_request request = {.kind = GB_REQUEST_RECEIVE, .stream = index, .peer = s->tree->parent.rank};
    request.offset = s->receiving;
    request.length = length;
    gb_requests_add(run, &request);
    s->receiving += length;
  }
  return MPI_SUCCESS;
}

int gb_receive_post(gb_run *run) {
  int rc = MPI_SUCCESS;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->schedule->tree_count; t++)
    if (run->stream[t].tree->parent.rank >= 0)
      rc = post_receives(run, t);
  return rc;
}

/* Receives are posted for less than GB_WINDOW_MOST segments beyond the prefix, so one bit each is enough. */
static bool has_arrived(const gb_tree_stream *s, size_t segment) {
  segment %= GB_WINDOW_MOST;
  return (s->arrived[segment / 64] >> segment % 64 & 1) != 0;
}

static void set_arrived(gb_tree_stream *s, size_t segment, bool there) {
  segment %= GB_WINDOW_MOST;
  uint64_t bit = UINT64_C(1) << segment % 64, *word = &s->arrived[segment / 64];
  *word = there ? *word | bit : *word & ~bit;
}

void gb_receive_done(gb_run *run, const gb_request *request) {
  gb_tree_stream *s = &run->stream[request->stream];
  size_t segment = s->tree->segment;
  set_arrived(s, request->offset / segment, true);
  while (s->prefix < s->length && has_arrived(s, s->prefix / segment)) {
    set_arrived(s, s->prefix / segment, false);
    s->prefix += gb_least(segment, s->length - s->prefix);
  }
  if (run->w->arrivals != NULL && s->prefix == s->length)
    run->w->arrivals[request->stream] = MPI_Wtime();
}
