/* Receiving: receives are posted ahead, and the prefix of each channel that is there grows. */
#include "mpi/exec/receive.h"
#include "mpi/exec/channels.h"
#include "mpi/exec/collect.h"
#include "mpi/exec/combine.h"
#include "mpi/exec/requests.h"
#include <stdint.h>

int gb_receive_post(gb_run *run, uint32_t channel) {
  const gb_channel *from = &run->schedule->channel[channel];
  gb_cursor *cursor = &run->cursor[channel];
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS &&
         (from->sync ? cursor->in_flight == 0
                     : cursor->posted < cursor->length && cursor->posted - cursor->taken < from->ahead)) {
    const size_t length = gb_least(from->segment, cursor->length - cursor->posted);
    MPI_Request *handle = gb_requests_next(run);
    if (handle == NULL)
      return MPI_ERR_NO_MEM;
    rc = MPI_Irecv(from->sync ? NULL : gb_cursor_at(cursor, cursor->posted), (int)length, MPI_BYTE,
                   from->rank, run->tag + (int)from->tag, run->w->comm, handle);
    if (rc == MPI_SUCCESS)
      (void)gb_requests_add(run, channel, length);
  }
  return rc;
}

/* Receives are posted for less than GB_WINDOW_MOST segments beyond the prefix, so one bit each is enough. */
static bool has_arrived(const gb_cursor *cursor, size_t segment) {
  segment %= GB_WINDOW_MOST;
  return (cursor->arrived[segment / 64] >> segment % 64 & 1) != 0;
}

static void set_arrived(gb_cursor *cursor, size_t segment, bool there) {
  segment %= GB_WINDOW_MOST;
  uint64_t bit = UINT64_C(1) << segment % 64, *word = &cursor->arrived[segment / 64];
  *word = there ? *word | bit : *word & ~bit;
}

/* What has come may be sent on, or is combined, and more may come. */
static int take(gb_run *run, uint32_t channel) {
  gb_cursor *cursor = &run->cursor[channel];
  const gb_rank_schedule *schedule = run->schedule;
  int rc = MPI_SUCCESS;
  if (schedule->tree_count > 0) {
    gb_tree_stream *s = &run->stream[schedule->channel[channel].tree];
    if (s->tree->combines)
      return gb_combine(run, s);
    if (s->tree->collects)
      rc = gb_collect(run, s, cursor);
    else
      s->ready = cursor->prefix;
  }
  cursor->taken = cursor->prefix;
  if (rc != MPI_SUCCESS)
    return rc;
  return cursor->prefix < cursor->length ? gb_receive_post(run, channel) : MPI_SUCCESS;
}

int gb_receive_done(gb_run *run, const gb_request *request) {
  const gb_channel *from = &run->schedule->channel[request->channel];
  gb_cursor *cursor = &run->cursor[request->channel];
  cursor->in_flight--;
  if (request->offset == cursor->prefix) {
    cursor->prefix += request->length;
  } else {
    cursor->beyond++;
    set_arrived(cursor, request->offset / from->segment, true);
  }
  while (cursor->beyond > 0 && has_arrived(cursor, cursor->prefix / from->segment)) {
    cursor->beyond--;
    set_arrived(cursor, cursor->prefix / from->segment, false);
    cursor->prefix += gb_least(from->segment, cursor->length - cursor->prefix);
  }
  const int rc = take(run, request->channel);
  if (rc != MPI_SUCCESS || cursor->prefix < cursor->length)
    return rc;
  if (run->w->arrivals != NULL && run->schedule->tree_count > 0)
    run->w->arrivals[from->tree] = MPI_Wtime();
  gb_channel_over(run, request->channel);
  return MPI_SUCCESS;
}
