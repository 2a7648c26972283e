/* Sending: which segment goes next, in which tree and to which receiver, and the MPI call. */
#include "mpi/exec/send.h"
#include "mpi/exec/channels.h"
#include "mpi/exec/pace.h"
#include "mpi/exec/requests.h"
#include <math.h>
#include <stdlib.h>

static size_t next_length(const gb_tree_stream *s, uint32_t receiver) {
  return gb_least(s->tree->receiver[receiver].segment,
                  s->receiver[receiver].length - s->receiver[receiver].posted);
}

/* Whether the next segment for a receiver has arrived and is not sent yet. */
static bool has_more(const gb_tree_stream *s, uint32_t receiver) {
  const gb_cursor *cursor = &s->receiver[receiver];
  return cursor->posted < cursor->length &&
         cursor->offset + cursor->posted + next_length(s, receiver) <= s->ready;
}

/* Whether a send to another site waits for sends over the same link in an earlier stage, if there are stages:
 * both at the same time would share the link. */
static bool waits_for_stage(gb_run *run, const gb_tree_stream *s, uint32_t receiver) {
  const gb_channel *edge = &s->tree->receiver[receiver];
  for (uint32_t t = 0; edge->wan && t < run->schedule->tree_count; t++) {
    const gb_tree_stream *before = &run->stream[t];
    if (before->tree->stage >= s->tree->stage)
      continue;
    for (uint32_t i = 0; i < before->tree->receiver_count; i++) {
      const gb_channel *other = &before->tree->receiver[i];
      const bool beside = other->wan && (run->schedule->one_uplink || other->to_site == edge->to_site);
      if (beside && (has_more(before, i) || !gb_pace_link_is_free(run, other)))
        return true;
    }
  }
  return false;
}

/* Whether a stream to a receiver waits for those of older runs to it, which would share the link with it and
 * end late:
 *
 *   both at the same time  |=0=1=0=1=0=1=0=1=|       both end here
 *   the older one first    |=0=0=0=0=|=1=1=1=1=|     run 0 ends in half the time
 *
 * An older run that has nothing to send yet holds up nobody, and neither does one that goes up its trees: its
 * receivers may wait for others before they take more. */
static bool waits_for_older(gb_run *run, const gb_channel *edge) {
  for (const gb_run *older = run->w->exec->oldest; older != run; older = older->younger) {
    const bool holds = older->unsent > 0 && gb_way_of(older->schedule->operation) == GB_WAY_DOWN;
    for (uint32_t t = 0; holds && t < older->schedule->tree_count; t++) {
      const gb_tree_stream *before = &older->stream[t];
      for (uint32_t i = 0; before->ready > 0 && i < before->tree->receiver_count; i++)
        if (before->tree->receiver[i].rank == edge->rank && has_more(before, i)) {
          run->held = true;
          return true;
        }
    }
  }
  return false;
}

/* Whether the next segment for a receiver can be handed to MPI: its bytes have arrived, its window has room,
 * and its time has come. */
static bool can_send(gb_run *run, const gb_tree_stream *s, uint32_t receiver) {
  const gb_cursor *cursor = &s->receiver[receiver];
  const gb_channel *edge = &s->tree->receiver[receiver];
  if (!has_more(s, receiver) || cursor->in_flight >= edge->pacing.window)
    return false;
  if (edge->window_kind != GB_WINDOW_OWN && s->shared_in_flight[edge->window_kind] >= edge->pacing.window)
    return false;
  if (waits_for_older(run, edge))
    return false;
  if (run->schedule->in_stages && waits_for_stage(run, s, receiver))
    return false;
  return run->port <= 0 || gb_pace_is_time(run, s, receiver); /* if nothing is paced so far, it is time */
}

/* The receiver to send to next in one tree of a broadcast; receiver_count if there is none. All receivers
 * advance in step with the slowest: a fast receiver would only take this sender's link from the stream for
 * which the message waits in the end. But a receiver with a longer path below it is so far ahead that both
 * end together:
 *
 *   slow link, short path  |=0=|=1=|=2=|=3=|->
 *   long path              |0|1|2| |3|--------->      ahead: (its path - the other's) * the slow link's rate
 */
static uint32_t pick_in_step(gb_run *run, const gb_tree_stream *s) {
  const gb_channel *edge = s->tree->receiver;
  uint32_t slowest = 0, receiver = 0;
  for (uint32_t i = 1; i < s->tree->receiver_count; i++)
    if (s->receiver[i].posted < s->receiver[slowest].posted)
      slowest = i;
  for (; receiver < s->tree->receiver_count; receiver++) {
    size_t ahead = s->receiver[receiver].posted - s->receiver[slowest].posted;
    bool too_far =
        ahead > 0 && (double)ahead > (edge[receiver].pacing.delivery - edge[slowest].pacing.delivery) *
                                         edge[slowest].pacing.rate;
    if (!too_far && can_send(run, s, receiver))
      break;
  }
  return receiver;
}

/* The same for a scatter, which finishes a receiver before the next unless its window is full. */
static uint32_t pick_first(gb_run *run, gb_tree_stream *s) {
  while (s->first_unfinished < s->tree->receiver_count &&
         s->receiver[s->first_unfinished].posted == s->receiver[s->first_unfinished].length)
    s->first_unfinished++;
  uint32_t receiver = s->first_unfinished;
  while (receiver < s->tree->receiver_count && !can_send(run, s, receiver))
    receiver++;
  return receiver;
}

/* The part of this rank's sends in one tree that is done. */
static double part_done(const gb_tree_stream *s) {
  uint32_t copies = s->tree->scatters ? 1 : s->tree->receiver_count;
  return (double)s->sent / ((double)s->length * copies);
}

/* The tree with the lowest order is sent first. As in the simulation (plan/sim/simulate.c), that is one in
 * which this rank feeds other sites, then one of the earliest stage, then the one that is furthest behind. */
static double sending_order(const gb_tree_stream *s) {
  return part_done(s) + s->tree->stage - (s->tree->far ? GB_TREES_MOST + 1 : 0);
}

/* The tree to send in next, with the receiver there; tree_count if there is nothing to send. */
static uint32_t pick_tree(gb_run *run, uint32_t *receiver) {
  uint32_t best = run->schedule->tree_count;
  double least = 0;
  for (uint32_t t = 0; t < run->schedule->tree_count; t++) {
    gb_tree_stream *s = &run->stream[t];
    uint32_t candidate = s->tree->scatters ? pick_first(run, s) : pick_in_step(run, s);
    if (candidate == s->tree->receiver_count)
      continue;
    double order = run->schedule->tree_count > 1 ? sending_order(s) : 0;
    if (best < run->schedule->tree_count && order >= least)
      continue;
    best = t;
    least = order;
    *receiver = candidate;
  }
  return best;
}

/* The request, or NULL: *rc says why. */
static gb_request *send(gb_run *run, uint32_t channel, const char *from, size_t length, bool synchronous,
                        int *rc) {
  const gb_channel *to = &run->schedule->channel[channel];
  const int tag = run->tag + (int)to->tag;
  MPI_Request *handle = gb_requests_next(run);
  *rc = handle == NULL ? MPI_ERR_NO_MEM
                       : (synchronous ? MPI_Issend : MPI_Isend)(from, (int)length, MPI_BYTE, to->rank, tag,
                                                                run->w->comm, handle);
  return *rc == MPI_SUCCESS ? gb_requests_add(run, channel, length) : NULL;
}

int gb_send_all(gb_run *run, uint32_t channel) {
  const gb_channel *to = &run->schedule->channel[channel];
  const gb_cursor *cursor = &run->cursor[channel];
  int rc = MPI_SUCCESS;
  do {
    const size_t length = gb_least(to->segment, cursor->length - cursor->posted);
    (void)send(run, channel, to->sync ? NULL : cursor->data + cursor->posted, length, false, &rc);
  } while (rc == MPI_SUCCESS && cursor->posted < cursor->length);
  return rc;
}

static int send_next(gb_run *run, uint32_t index, uint32_t receiver) {
  gb_tree_stream *s = &run->stream[index];
  gb_cursor *cursor = &s->receiver[receiver];
  const gb_channel *edge = &s->tree->receiver[receiver];
  const size_t length = next_length(s, receiver);
  const char *from = cursor->data != NULL ? cursor->data + cursor->posted : NULL;
  char *copy = NULL;
  int rc = MPI_SUCCESS;
  if (from == NULL) {
    from = copy = run->w->staging->get(length);
    rc = copy == NULL ? MPI_ERR_NO_MEM : s->fetch(s->context, cursor->offset + cursor->posted, length, copy);
  }
  /* A long stream is sent synchronously: eager messages would fill the receiver's memory, and share the link
   * out of order. Its beginning is not, because the receiver may not have begun the run yet. */
  const bool begins = gb_pace_in_window(s, receiver, 1);
  const bool synchronous =
      run->schedule->rendezvous || (cursor->length / edge->pacing.window > edge->segment && !begins);
  gb_request *request = NULL;
  if (rc == MPI_SUCCESS)
    request = send(run, (uint32_t)(cursor - run->cursor), from, length, synchronous, &rc);
  if (request == NULL) {
    if (copy != NULL)
      run->w->staging->give_back(copy);
    return rc;
  }
  request->copy = copy;
  request->eager = !synchronous;
  request->counted = edge->window_kind != GB_WINDOW_OWN;
  if (request->counted)
    s->shared_in_flight[edge->window_kind]++;
  s->sent += length;
  run->unsent -= cursor->posted == cursor->length;
  if (run->unsent > 0) /* others may have to wait for it */
    gb_pace_sent(run, s, receiver, request);
  return MPI_SUCCESS;
}

int gb_send_segments(gb_run *run) {
  int rc = MPI_SUCCESS;
  run->alert = false;
  while (rc == MPI_SUCCESS && run->unsent > 0) {
    uint32_t receiver = 0, tree = pick_tree(run, &receiver);
    if (tree == run->schedule->tree_count)
      break;
    rc = send_next(run, tree, receiver);
  }
  if (run->port > 0) /* something is paced */
    run->looked = MPI_Wtime();
  return rc;
}

/* Older sends of the window that this one has overtaken are held up by their receivers: they no longer count
 * against the window, so that a slow receiver does not delay the others. */
static void pass_by(gb_run *run, const gb_request *done, const gb_channel *to) {
  gb_tree_stream *s = &run->stream[to->tree];
  for (unsigned i = 0; i < run->used; i++) {
    gb_request *other = &run->request[i];
    const gb_channel *channel = &run->schedule->channel[other->channel];
    if (other->counted && channel->tree == to->tree && other->stamp < done->stamp &&
        channel->window_kind == to->window_kind) {
      other->counted = false;
      s->shared_in_flight[to->window_kind]--;
    }
  }
}

void gb_send_done(gb_run *run, const gb_request *request) {
  const gb_channel *to = &run->schedule->channel[request->channel];
  gb_cursor *cursor = &run->cursor[request->channel];
  if (request->timed)
    gb_pace_completed(run, request);
  cursor->in_flight--;
  if (request->counted)
    run->stream[to->tree].shared_in_flight[to->window_kind]--;
  if (to->window_kind != GB_WINDOW_OWN)
    pass_by(run, request, to);
  if (cursor->posted == cursor->length && cursor->in_flight == 0)
    gb_channel_over(run, request->channel);
}
