/* The data of all trees: receives posted ahead, segments sent on. */
#include "mpi/stream.h"
#include "mpi/requests.h"
#include <math.h>
#include <stdlib.h>

/* Segments that a sender may catch up when it could not look at the clock. */
enum { CATCH_UP = 8 };

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
                       gb_data_tag(run->sequence, run->agreeing, index), run->c->dup, request);
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

static bool is_in_window(const gb_flow *f, uint32_t child) {
  return f->out[child].posted < f->tree->segment * f->tree->child[child].window;
}

/* MPI_Wtime() of the next send to a child; streams of several trees to it take turns on the same links. */
static double *next_time(gb_run *run, const gb_edge *edge) {
  return &run->flow[edge->tree].out[edge->child].next;
}

/* Segments that start together share the link and arrive together, and so do all that start when these are
 * done: bursts with nothing in between. So they start one by one, as fast as this sender's link and the way
 * to the child take them.
 *
 *   all at once   |0 1 2 3        |4 5 6 7        a round trip from burst to burst
 *   paced         |0   1   2   3   4   5   6      the link is never idle, nor shared
 *
 * When the hosts file says less than the links can do, that is what is used of them: so it is by the window,
 * too, which is as long as the hosts file says. */
static void keep_pace(gb_run *run, const gb_edge *edge, size_t length) {
  double now = MPI_Wtime(), busy = (double)length / edge->rate, port = edge->port * (double)length;
  double *next = next_time(run, edge);
  *next = fmax(*next, now - CATCH_UP * busy) + busy;
  run->port = fmax(run->port, now - CATCH_UP * port) + port;
}

static bool is_time(gb_run *run, const gb_edge *edge) {
  double next = fmax(*next_time(run, edge), run->port);
  if (MPI_Wtime() >= next)
    return true;
  run->wake = fmin(run->wake, next);
  return false;
}

/* Whether the next segment for a child can be handed to MPI: its bytes are there, there is room for it, and
 * it is time. */
static bool can_send(gb_run *run, const gb_flow *f, uint32_t child) {
  const gb_out *out = &f->out[child];
  const gb_edge *edge = &f->tree->child[child];
  if (out->posted == out->length || out->in_flight >= edge->window)
    return false;
  if (edge->lane != GB_LANE_OWN && f->lane_in_flight[edge->lane] >= edge->window)
    return false;
  if (f->tree->parent.rank >= 0 && out->offset + out->posted + next_length(f, out) > f->prefix)
    return false;
  return out->posted >= edge->paced || is_time(run, edge);
}

/* Whom to send to next in one tree; child_count when nobody. A scatter finishes a child before the next. In a
 * broadcast all go in step with the slowest: a fast child would only take this sender's link away from the
 * stream that the message waits for in the end. But one with a longer way behind it is so far ahead that both
 * end together:
 *
 *   slow link, short way  |=0=|=1=|=2=|=3=|->
 *   long way              |0|1|2| |3|--------->      ahead: (its way - the other's) * the slow link's rate */
static uint32_t pick(gb_run *run, const gb_flow *f) {
  bool in_turn = run->role->operation == GBCAST_BCAST;
  const gb_edge *edge = f->tree->child;
  uint32_t slowest = 0, child = 0;
  for (uint32_t i = 1; in_turn && i < f->tree->child_count; i++)
    if (f->out[i].posted < f->out[slowest].posted)
      slowest = i;
  for (; child < f->tree->child_count; child++) {
    size_t ahead = in_turn ? f->out[child].posted - f->out[slowest].posted : 0;
    bool too_far = ahead > 0 && (double)ahead > (edge[child].way - edge[slowest].way) * edge[slowest].rate;
    if (!too_far && can_send(run, f, child))
      break;
  }
  return child;
}

/* The part of this rank's sends in one tree that is done. */
static double part_done(const gb_flow *f) {
  size_t segment = f->tree->segment, sends = ((f->length - 1) / segment + 1) * f->tree->child_count, done = 0;
  for (uint32_t i = 0; i < f->tree->child_count; i++)
    done += (f->out[i].posted + segment - 1) / segment;
  return (double)done / (double)sends;
}

/* The tree to send in next, with the child there; tree_count when there is nothing to send. */
static uint32_t pick_tree(gb_run *run, uint32_t *child) {
  uint32_t best = run->role->tree_count;
  double least = 0;
  for (uint32_t t = 0; t < run->role->tree_count; t++) {
    const gb_flow *f = &run->flow[t];
    uint32_t candidate = f->state == GB_FLOW_RUNNING ? pick(run, f) : f->tree->child_count;
    if (candidate == f->tree->child_count)
      continue;
    double part = run->role->tree_count > 1 ? part_done(f) : 0;
    if (best < run->role->tree_count && part >= least)
      continue;
    best = t;
    least = part;
    *child = candidate;
  }
  return best;
}

static int send_next(gb_run *run, uint32_t index, uint32_t child) {
  gb_flow *f = &run->flow[index];
  gb_out *out = &f->out[child];
  const gb_edge *edge = &f->tree->child[child];
  size_t length = next_length(f, out);
  gb_slot slot = {.kind = GB_SLOT_SEND, .flow = index, .child = child, .peer = edge->rank, .length = length};
  MPI_Request *request = gb_requests_next(run);
  if (request == NULL)
    return MPI_ERR_NO_MEM;
  const char *from = out->direct != NULL ? out->direct + out->posted : NULL;
  if (from == NULL) {
    from = slot.copy = malloc(length);
    if (slot.copy == NULL)
      return MPI_ERR_NO_MEM;
    f->fetch(f->context, out->offset + out->posted, length, slot.copy);
  }
  /* A long stream goes at its receiver's pace: eager messages would fill its memory, and share the link out
   * of order. But where the receiver has yet to hear of the stream, its beginning does not wait for that. */
  bool begins = is_in_window(f, child);
  bool synchronous = run->role->rendezvous || (out->length / edge->window > f->tree->segment && !begins);
  int rc = (synchronous ? MPI_Issend : MPI_Isend)(from, (int)length, MPI_BYTE, edge->rank,
                                                  gb_data_tag(run->sequence, run->agreeing, index),
                                                  run->c->dup, request);
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
  if (out->posted < edge->paced)
    keep_pace(run, edge, length);
  out->posted += length;
  gb_requests_add(run, &slot);
  return MPI_SUCCESS;
}

int gb_stream_pump(gb_run *run) {
  int rc = MPI_SUCCESS;
  run->wake = INFINITY;
  for (uint32_t t = 0; rc == MPI_SUCCESS && t < run->role->tree_count; t++)
    if (run->flow[t].state == GB_FLOW_RUNNING && run->flow[t].tree->parent.rank >= 0)
      rc = post_receives(run, t);
  while (rc == MPI_SUCCESS) {
    uint32_t child = 0, tree = pick_tree(run, &child);
    if (tree == run->role->tree_count)
      break;
    rc = send_next(run, tree, child);
  }
  return rc;
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
  f->out[slot->child].in_flight--;
  if (slot->counted)
    f->lane_in_flight[lane]--;
  if (lane != GB_LANE_OWN)
    pass_by(run, slot, lane);
}
