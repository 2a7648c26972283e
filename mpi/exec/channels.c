/* Which channels may begin, and what follows when one is over. */
#include "mpi/exec/channels.h"
#include "mpi/exec/combine.h"
#include "mpi/exec/pace.h"
#include "mpi/exec/receive.h"
#include "mpi/exec/send.h"

/* Who has no senders has all bytes from the start, unless another tree feeds this one; who collects blocks
 * has its own. */
static void start_streams(gb_run *run) {
  for (uint32_t t = 0; t < run->schedule->tree_count; t++) {
    gb_tree_stream *s = &run->stream[t];
    s->own_ready = s->length;
    s->ready = s->tree->sender_count == 0 ? s->length : s->tree->collects ? s->sender[0].offset : 0;
  }
  for (uint32_t t = 0; t < run->schedule->tree_count; t++)
    (void)gb_feed(run, &run->stream[t]);
}

/* Those that come after a channel that is left out do not wait for it. */
static void count_predecessors(gb_run *run, bool trees) {
  const gb_rank_schedule *schedule = run->schedule;
  for (uint32_t c = 0; c < schedule->channel_count; c++)
    run->cursor[c].predecessors_left = schedule->channel[c].predecessors;
  for (uint32_t c = 0; trees && schedule->successor != NULL && c < schedule->channel_count; c++) {
    const gb_channel *channel = &schedule->channel[c];
    for (uint32_t i = 0; run->cursor[c].length == 0 && i < channel->successor_count; i++)
      run->cursor[schedule->successor[channel->first_successor + i]].predecessors_left--;
  }
}

/* Whether nobody has anything to send, as every rank knows. */
static bool is_empty(const gb_run *run) {
  const gb_block_list *list = &run->memory[GB_MEMORY_RECEIVE];
  return run->schedule->tree_count == 0 && list->length == NULL && list->bytes == 0;
}

/* Channels of trees without bytes are left out. An all-to-all of empty blocks runs no channel at all. */
void gb_channels_start(gb_run *run) {
  const gb_rank_schedule *schedule = run->schedule;
  const bool trees = schedule->tree_count > 0;
  run->begun = true;
  run->ready_count = run->channels_left = run->unsent = 0;
  start_streams(run);
  count_predecessors(run, trees);
  for (uint32_t c = 0; c < schedule->channel_count && !is_empty(run); c++) {
    const gb_channel *channel = &schedule->channel[c];
    if (trees && run->cursor[c].length == 0)
      continue;
    run->channels_left++;
    if (trees && channel->direction == GB_SEND)
      run->unsent++;
    else if (run->cursor[c].predecessors_left == 0)
      run->ready[run->ready_count++] = c;
  }
}

/* GBCAST_TRACE: notes what is over. Where data go both ways, the trees of one way come after those of the
 * other. */
static void note(const gb_run *run, uint32_t c) {
  const gb_rank_schedule *schedule = run->schedule;
  const gb_channel *over = &schedule->channel[c];
  const bool twice = gb_way_of(schedule->operation) == GB_WAY_BOTH && schedule->tree_count > 1;
  const uint32_t trees = twice ? schedule->tree_count / 2 : schedule->tree_count;
  if (run->cursor[c].start > 0) /* there were messages */
    gb_watch_see(run->w->watch,
                 &(gb_seen){.start = run->cursor[c].start,
                            .run = run->number,
                            .bytes = run->cursor[c].length,
                            .tag = over->tag,
                            .peer = over->rank,
                            .sent = over->direction == GB_SEND,
                            .tree = trees > 0 ? over->tree % trees : 0,
                            .trees = trees},
                 run->w->rank);
}

void gb_channel_over(gb_run *run, uint32_t channel) {
  const gb_channel *over = &run->schedule->channel[channel];
  run->channels_left--;
  if (run->w->watch != NULL)
    note(run, channel);
  for (uint32_t i = over->first_successor; i < over->first_successor + over->successor_count; i++) {
    const uint32_t next = run->schedule->successor[i];
    if (--run->cursor[next].predecessors_left > 0)
      continue;
    gb_pace_step_is_ready(run, next);
    run->ready[run->ready_count++] = next; /* each channel once */
  }
}

static int copy(gb_run *run, uint32_t c) {
  const gb_channel *channel = &run->schedule->channel[c];
  const int rc = channel->blocks > 0 ? gb_copy(run->cursor[c].data, gb_extent_at(run, channel->from),
                                               run->cursor[c].length, run->w->local)
                                     : MPI_SUCCESS;
  gb_channel_over(run, c);
  return rc;
}

/* One block of several of an all-to-all may be empty: both ends know. Of trees, such channels are left out.
 */
static int begin(gb_run *run, uint32_t c) {
  const gb_channel *channel = &run->schedule->channel[c];
  if (channel->direction == GB_COPY)
    return copy(run, c);
  if (!channel->sync && run->cursor[c].length == 0) {
    if (run->schedule->tree_count == 0)
      gb_channel_over(run, c);
    return MPI_SUCCESS;
  }
  return channel->direction == GB_RECEIVE ? gb_receive_post(run, c) : gb_send_all(run, c);
}

int gb_channels_begin(gb_run *run) {
  int rc = MPI_SUCCESS;
  uint32_t kept = 0;
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < run->ready_count; i++) { /* copies make others ready */
    const uint32_t c = run->ready[i];
    if (run->schedule->channel[c].pace > 0 && !gb_pace_is_step_time(run, c))
      run->ready[kept++] = c;
    else
      rc = begin(run, c);
  }
  run->ready_count = kept;
  return rc;
}
