/* The data of all trees: receives posted ahead, segments sent on. */
#include "mpi/exec/stream.h"
#include "mpi/exec/news.h"
#include "mpi/exec/pace.h"
#include "mpi/exec/requests.h"
#include <math.h>
#include <stdlib.h>

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static int post_receives(gb_run *run, uint32_t index) {
  gb_flow *f = &run->flow[index];
  size_t segment = f->tree->segment, ahead = segment * smaller(f->tree->parent.window + 1, GB_WINDOW_MOST);
  while (f->receiving < f->length && f->receiving - f->prefix < ahead) {
    size_t length = smaller(segment, f->length - f->receiving);
    MPI_Request *request = gb_requests_next(run);
    if (request == NULL)
      return MPI_ERR_NO_MEM;
    int rc = MPI_Irecv(f->data + f->receiving, (int)length, MPI_BYTE, f->tree->parent.rank,
                       gb_data_tag(run->sequence, run->agreeing, index), run->w->comm, request);
    if (rc != MPI_SUCCESS)
      return rc;
    gb_slot slot = {.kind = GB_SLOT_RECEIVE, .flow = index, .peer = f->tree->parent.rank};
    slot.offset = f->receiving;
    slot.length = length;
    gb_requests_add(run, &slot);
    f->receiving += length;
  }
  return MPI_SUCCESS;
}

static size_t next_length(const gb_flow *f, const gb_out *out) {
  return smaller(f->tree->segment, out->length - out->posted);
}

/* Whether bytes are there that a child has not been sent yet. */
static bool has_more(const gb_flow *f, uint32_t child) {
  const gb_out *out = &f->out[child];
  return out->posted < out->length &&
         (f->tree->parent.rank < 0 || out->offset + out->posted + next_length(f, out) <= f->prefix);
}

/* Whether what goes to another site waits for what goes over the same link in an earlier turn: on its way at
 * the same time it would share that with it. */
static bool waits_for_turn(gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_edge *edge = &f->tree->child[child];
  for (uint32_t t = 0; run->role->in_turn && edge->wan && t < run->role->tree_count; t++) {
    const gb_flow *before = &run->flow[t];
    if (before->tree->turn >= f->tree->turn || before->state != GB_FLOW_RUNNING)
      continue;
    for (uint32_t i = 0; i < before->tree->child_count; i++) {
      const gb_edge *other = &before->tree->child[i];
      const bool beside = other->wan && (run->role->uplink || (other->to_site.tree == edge->to_site.tree &&
                                                               other->to_site.child == edge->to_site.child));
      if (beside && (has_more(before, i) || !gb_pace_is_through(run, other)))
        return true;
    }
  }
  return false;
}

/* Whether the next segment for a child can be handed to MPI: its bytes are there, there is room for it, and
 * it is time. */
static bool can_send(gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_out *out = &f->out[child];
  const gb_edge *edge = &f->tree->child[child];
  if (!has_more(f, child) || out->in_flight >= edge->window)
    return false;
  if (edge->lane != GB_LANE_OWN && f->lane_in_flight[edge->lane] >= edge->window)
    return false;
  return !waits_for_turn(run, f, child) && gb_pace_is_time(run, f, child);
}

/* Whom to send to next in one tree; child_count when nobody. All go in step with the slowest: a fast child
 * would only take this sender's link away from the stream that the message waits for in the end. But one with
 * a longer way behind it is so far ahead that both end together:
 *
 *   slow link, short way  |=0=|=1=|=2=|=3=|->
 *   long way              |0|1|2| |3|--------->      ahead: (its way - the other's) * the slow link's rate */
static uint32_t pick_in_step(gb_run *run, const gb_flow *f) {
  const gb_edge *edge = f->tree->child;
  uint32_t slowest = 0, child = 0;
  for (uint32_t i = 1; i < f->tree->child_count; i++)
    if (f->out[i].posted < f->out[slowest].posted)
      slowest = i;
  for (; child < f->tree->child_count; child++) {
    size_t ahead = f->out[child].posted - f->out[slowest].posted;
    bool too_far = ahead > 0 && (double)ahead > (edge[child].way - edge[slowest].way) * edge[slowest].rate;
    if (!too_far && can_send(run, f, child))
      break;
  }
  return child;
}

/* The same of a scatter, which finishes a child before the next unless its window is full. */
static uint32_t pick_first(gb_run *run, gb_flow *f) {
  while (f->open < f->tree->child_count && f->out[f->open].posted == f->out[f->open].length)
    f->open++;
  uint32_t child = f->open;
  while (child < f->tree->child_count && !can_send(run, f, child))
    child++;
  return child;
}

/* The part of this rank's sends in one tree that is done. */
static double part_done(const gb_run *run, const gb_flow *f) {
  uint32_t copies = run->role->operation == GBCAST_BCAST ? f->tree->child_count : 1;
  return (double)f->sent / ((double)f->length * copies);
}

/* Of several trees the one goes first for which this is least. As in the walk (plan/sim/simulate.c) that is
 * one in which this rank feeds other sites, then one of the earliest turn, then the one that is furthest
 * behind. */
static double rank_of(const gb_run *run, const gb_flow *f) {
  return part_done(run, f) + f->tree->turn - (f->tree->far ? GB_TREES_MOST + 1 : 0);
}

/* The tree to send in next, with the child there; tree_count when there is nothing to send. */
static uint32_t pick_tree(gb_run *run, uint32_t *child) {
  uint32_t best = run->role->tree_count;
  double least = 0;
  for (uint32_t t = 0; t < run->role->tree_count; t++) {
    gb_flow *f = &run->flow[t];
    uint32_t candidate = f->tree->child_count;
    if (f->state == GB_FLOW_RUNNING)
      candidate = run->role->operation == GBCAST_BCAST ? pick_in_step(run, f) : pick_first(run, f);
    if (candidate == f->tree->child_count)
      continue;
    double rank = run->role->tree_count > 1 ? rank_of(run, f) : 0;
    if (best < run->role->tree_count && rank >= least)
      continue;
    best = t;
    least = rank;
    *child = candidate;
  }
  return best;
}

static int send_next(gb_run *run, uint32_t index, uint32_t child) {
  gb_flow *f = &run->flow[index];
  gb_out *out = &f->out[child];
  const gb_edge *edge = &f->tree->child[child];
  size_t length = next_length(f, out);
  int tag = gb_data_tag(run->sequence, run->agreeing, index), rc = MPI_SUCCESS;
  gb_slot slot = {.kind = GB_SLOT_SEND, .flow = index, .child = child, .peer = edge->rank, .length = length};
  if (out->posted == 0 && gb_news_go_with(&run->news, index))
    rc = gb_news_mark(run, edge->rank, &tag);
  if (rc != MPI_SUCCESS)
    return rc;
  MPI_Request *request = gb_requests_next(run);
  if (request == NULL)
    return MPI_ERR_NO_MEM;
  const char *from = out->direct != NULL ? out->direct + out->posted : NULL;
  if (from == NULL) {
    from = slot.copy = malloc(length);
    if (slot.copy == NULL)
      return MPI_ERR_NO_MEM;
    rc = f->fetch(f->context, out->offset + out->posted, length, slot.copy);
  }
  /* A long stream goes at its receiver's pace: eager messages would fill its memory, and share the link out
   * of order. But where the receiver has yet to hear of the stream, its beginning does not wait for that. */
  bool begins = gb_pace_in_window(f, child, 1);
  bool synchronous = run->role->rendezvous || (out->length / edge->window > f->tree->segment && !begins);
  if (rc == MPI_SUCCESS)
    rc = (synchronous ? MPI_Issend : MPI_Isend)(from, (int)length, MPI_BYTE, edge->rank, tag, run->w->comm,
                                                request);
  if (rc != MPI_SUCCESS) {
    free(slot.copy);
    return rc;
  }
  slot.stamp = run->stamp++;
  slot.eager = !synchronous;
  slot.counted = edge->lane != GB_LANE_OWN;
  if (slot.counted)
    f->lane_in_flight[edge->lane]++;
  out->in_flight++;
  gb_pace_keep(run, &slot);
  out->posted += length;
  f->sent += length;
  gb_requests_add(run, &slot);
  return MPI_SUCCESS;
}

int gb_stream_pump(gb_run *run) {
  int rc = MPI_SUCCESS;
  run->wake = INFINITY;
  run->alert = false;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->role->tree_count; t++)
    if (run->flow[t].state == GB_FLOW_RUNNING && run->flow[t].tree->parent.rank >= 0)
      rc = post_receives(run, t);
  while (rc == MPI_SUCCESS) {
    uint32_t child = 0, tree = pick_tree(run, &child);
    if (tree == run->role->tree_count)
      break;
    rc = send_next(run, tree, child);
  }
  if (run->port > 0) /* something is paced */
    run->looked = MPI_Wtime();
  return rc == MPI_SUCCESS && run->news.there ? gb_news_pass_on(run) : rc;
}

/* Receives are posted for less than GB_WINDOW_MOST segments past the prefix: one bit for each. */
static bool has_arrived(const gb_flow *f, size_t segment) {
  segment %= GB_WINDOW_MOST;
  return (f->arrived[segment / 64] >> segment % 64 & 1) != 0;
}

static void set_arrived(gb_flow *f, size_t segment, bool there) {
  segment %= GB_WINDOW_MOST;
  uint64_t bit = UINT64_C(1) << segment % 64, *word = &f->arrived[segment / 64];
  *word = there ? *word | bit : *word & ~bit;
}

void gb_stream_received(gb_run *run, const gb_slot *slot) {
  gb_flow *f = &run->flow[slot->flow];
  size_t segment = f->tree->segment;
  set_arrived(f, slot->offset / segment, true);
  while (f->prefix < f->length && has_arrived(f, f->prefix / segment)) {
    set_arrived(f, f->prefix / segment, false);
    f->prefix += smaller(segment, f->length - f->prefix);
  }
  if (run->w->arrivals != NULL && f->prefix == f->length)
    run->w->arrivals[slot->flow] = MPI_Wtime();
}

/* An older send of the lane that this one has overtaken is held up by its receiver: it no longer takes up
 * room, so that a slow child does not keep the others waiting. */
static void pass_by(gb_run *run, const gb_slot *done, unsigned lane) {
  gb_flow *f = &run->flow[done->flow];
  for (unsigned i = 0; i < run->used; i++) {
    gb_slot *s = &run->slot[i];
    if (s->kind == GB_SLOT_SEND && s->counted && s->flow == done->flow && s->stamp < done->stamp &&
        f->tree->child[s->child].lane == lane && run->request[i] != MPI_REQUEST_NULL) {
      s->counted = false;
      f->lane_in_flight[lane]--;
    }
  }
}

void gb_stream_sent(gb_run *run, const gb_slot *slot) {
  gb_flow *f = &run->flow[slot->flow];
  unsigned lane = f->tree->child[slot->child].lane;
  gb_pace_look(run, slot);
  f->out[slot->child].in_flight--;
  if (slot->counted)
    f->lane_in_flight[lane]--;
  if (lane != GB_LANE_OWN)
    pass_by(run, slot, lane);
}
