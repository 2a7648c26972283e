/* The channels of an all-to-all, from a host's part of the plan (plan/alltoall/exchange.h). Steps of several
 * hosts are kept apart by synchronisation messages, of no bytes.
 *
 *   send step      synchronisation --> begin --> blocks to all ranks of a host --> end --> synchronisation
 *                                        '-----------------------------> the next step's begin (`ahead`)
 *   receive step   blocks from all ranks of a host --> end --> synchronisation
 *
 * Begin and end are channels that are over at once, after those that point to them. The pace of a step is
 * kept at its begin. Blocks for this rank's own host come after nothing. */
#include "mpi/schedule/alltoall.h"
#include "mpi/schedule/fill.h"
#include <stdlib.h>

/* What a message is for, which is its tag. */
enum { FOR_BLOCK, FOR_DUMMY, FOR_BARRIER, FOR_STEPS, FOR_STEPS_END = GB_TAGS };

/* Steps for which receives are posted before they are needed: MPI takes longer to find one among more. */
enum { AHEAD = 256 };

static uint32_t add_block(gb_exchange_draft *x, enum gb_direction direction, int rank, uint32_t before) {
  const enum gb_memory memory = direction == GB_SEND ? GB_MEMORY_SEND : GB_MEMORY_RECEIVE;
  const gb_channel block = {.direction = direction,
                            .rank = rank,
                            .tag = FOR_BLOCK,
                            .blocks = 1,
                            .at = {memory, (uint32_t)rank},
                            .segment = GB_MESSAGE_MAX,
                            .ahead = GB_MESSAGE_MAX * GB_WINDOW_MOST,
                            .window_kind = GB_WINDOW_OWN};
  return gb_draft_add(&x->d, block, before);
}

/* The message to or from a rank in a step. */
static uint32_t add_message(gb_exchange_draft *x, enum gb_direction direction, uint32_t track,
                            const gb_exchange_step *step, int rank, uint32_t before) {
  const uint32_t c = add_block(x, direction, rank, before);
  if (c == GB_NONE)
    return c;
  gb_channel *message = &x->d.channel[c];
  message->blocks = x->exchange->track[track].blocks;
  if (x->place != NULL)
    message->at = gb_group_extent(x, track, rank, direction == GB_SEND);
  if (step->dummy)
    message->tag = FOR_DUMMY;
  if (step->dummy && direction == GB_RECEIVE) {
    message->at = (gb_extent){GB_MEMORY_SCRATCH, 0};
    x->scratch = 1;
  }
  return c;
}

/* Synchronisation messages to or from all ranks of some hosts, each after `before`; `after`, unless that is
 * GB_NONE, comes after them. */
static void add_syncs(gb_exchange_draft *x, enum gb_direction direction, uint32_t track, uint32_t first,
                      uint32_t count, uint32_t before, uint32_t after) {
  gb_channel sync = {.direction = direction,
                     .sync = true,
                     .window_kind = GB_WINDOW_OWN,
                     .tag = FOR_STEPS + track % (FOR_STEPS_END - FOR_STEPS)};
  for (uint32_t i = first; i < first + count; i++) {
    const uint32_t host = x->exchange->signal_host[i];
    for (uint32_t k = 0; k < x->w->host_ranks[host]; k++) {
      sync.rank = gb_wire_rank_of(x->w, host, k);
      gb_draft_order(&x->d, gb_draft_add(&x->d, sync, before), after);
    }
  }
}

/* The messages of a step, after `before`, and its end. */
static uint32_t add_messages(gb_exchange_draft *x, enum gb_direction direction, uint32_t track,
                             const gb_exchange_step *step, uint32_t before, uint32_t end_before) {
  const uint32_t end = gb_draft_add(&x->d, gb_join(x->w), end_before);
  for (uint32_t k = 0; k < x->w->host_ranks[step->peer]; k++) {
    const int rank = gb_wire_rank_of(x->w, step->peer, k);
    gb_draft_order(&x->d, add_message(x, direction, track, step, rank, before), end);
  }
  return end;
}

static void add_receive(gb_exchange_draft *x, uint32_t track, uint32_t i) {
  const gb_exchange_step *step = &x->exchange->track[track].receive[i];
  gb_step_ends *ends = x->receive[track];
  ends[i].end = add_messages(x, GB_RECEIVE, track, step, i >= AHEAD ? ends[i - AHEAD].end : GB_NONE,
                             i > 0 ? ends[i - 1].end : GB_NONE);
  add_syncs(x, GB_SEND, track, step->signal, step->signals, ends[i].end, GB_NONE);
}

static void add_send(gb_exchange_draft *x, uint32_t track, uint32_t i) {
  const gb_exchange_step *step = &x->exchange->track[track].send[i];
  gb_step_ends *ends = x->send[track];
  const uint32_t last = i > 0 ? ends[i - 1].begin : GB_NONE;
  gb_channel begin = gb_join(x->w);
  begin.pace = step->pace;
  begin.synchronised = step->waits > 0;
  ends[i].begin = gb_draft_add(&x->d, begin, last);
  if (ends[i].begin != GB_NONE)
    x->d.channel[ends[i].begin].track = ends[0].begin;
  if (i > step->ahead)
    gb_draft_order(&x->d, ends[i - 1 - step->ahead].end, ends[i].begin);
  add_syncs(x, GB_RECEIVE, track, step->wait, step->waits, last, ends[i].begin);
  ends[i].end = add_messages(x, GB_SEND, track, step, ends[i].begin, i > 0 ? ends[i - 1].end : GB_NONE);
  add_syncs(x, GB_SEND, track, step->signal, step->signals, step->pace > 0 ? ends[i].begin : ends[i].end,
            GB_NONE);
}

/* The barrier of Hensgen, Finkel and Manber ("Two algorithms for barrier synchronization", 1988): in round k
 * each rank sends to the one 2^k after it, and receives from the one 2^k before it. Returns its end. */
static uint32_t add_barrier(gb_exchange_draft *x, uint32_t begin) {
  const uint32_t size = (uint32_t)x->w->size, me = (uint32_t)x->w->rank;
  for (uint32_t far = 1; far < size; far *= 2) {
    gb_channel sync = {.direction = GB_SEND,
                       .sync = true,
                       .tag = FOR_BARRIER,
                       .window_kind = GB_WINDOW_OWN,
                       .rank = (int)((me + far) % size)};
    (void)gb_draft_add(&x->d, sync, begin);
    sync.direction = GB_RECEIVE;
    sync.rank = (int)((me + size - far) % size);
    begin = gb_draft_add(&x->d, sync, begin);
  }
  return begin;
}

/* Steps before the first one of a later block of phases. */
static uint32_t steps_until(const gb_exchange_step *step, uint32_t count, uint32_t end_phase) {
  uint32_t n = 0;
  while (n < count && step[n].phase < end_phase)
    n++;
  return n;
}

/* After every `block` phases all ranks wait for all. */
static void add_barriers(gb_exchange_draft *x) {
  uint32_t passed = GB_NONE;
  for (uint32_t b = 0; b < x->exchange->barriers; b++) {
    const uint32_t end_phase = (b + 1) * x->exchange->block;
    const uint32_t begin = gb_draft_add(&x->d, gb_join(x->w), passed);
    passed = add_barrier(x, begin);
    for (uint32_t t = 0; t < x->exchange->track_count; t++) {
      const gb_exchange_track *track = &x->exchange->track[t];
      const uint32_t sends = steps_until(track->send, track->send_count, end_phase),
                     receives = steps_until(track->receive, track->receive_count, end_phase);
      gb_draft_order(&x->d, sends > 0 ? x->send[t][sends - 1].end : GB_NONE, begin);
      gb_draft_order(&x->d, receives > 0 ? x->receive[t][receives - 1].end : GB_NONE, begin);
      gb_draft_order(&x->d, passed, sends < track->send_count ? x->send[t][sends].begin : GB_NONE);
    }
  }
}

/* To and from the other ranks of this host, and this rank's own block. */
static void add_own_host(gb_exchange_draft *x) {
  const gb_wire *w = x->w;
  const uint32_t host = w->rank_host[w->rank];
  for (uint32_t k = 0; k < w->host_ranks[host]; k++) {
    const int rank = gb_wire_rank_of(w, host, k);
    if (rank == w->rank)
      continue;
    (void)add_block(x, GB_RECEIVE, rank, GB_NONE);
    (void)add_block(x, GB_SEND, rank, GB_NONE);
  }
  gb_channel own = gb_join(w);
  own.blocks = 1;
  own.at = (gb_extent){GB_MEMORY_RECEIVE, (uint32_t)w->rank};
  own.from = (gb_extent){GB_MEMORY_SEND, (uint32_t)w->rank};
  (void)gb_draft_add(&x->d, own, GB_NONE);
}

static void add_all(gb_exchange_draft *x) {
  const gb_exchange *exchange = x->exchange;
  add_own_host(x);
  for (uint32_t t = 0; t < exchange->track_count; t++)
    for (uint32_t i = 0; i < exchange->track[t].receive_count; i++)
      add_receive(x, t, i);
  for (uint32_t t = 0; t < exchange->track_count; t++)
    for (uint32_t i = 0; i < exchange->track[t].send_count; i++)
      add_send(x, t, i);
  add_barriers(x);
  if (x->place != NULL)
    gb_add_group_copies(x);
}

/* Memory for the ends of all steps, and the positions of ranks in groups. */
static bool begin(gb_exchange_draft *x) {
  const gb_exchange *exchange = x->exchange;
  size_t steps = 0;
  for (uint32_t t = 0; t < exchange->track_count; t++)
    steps += (size_t)exchange->track[t].send_count + exchange->track[t].receive_count;
  x->send = malloc(((size_t)2 * exchange->track_count + 1) * sizeof(gb_step_ends *));
  x->ends = malloc((steps + 1) * sizeof *x->ends);
  x->place = exchange->group > 0 ? malloc((size_t)x->w->size * sizeof *x->place) : NULL;
  if (x->send == NULL || x->ends == NULL || (exchange->group > 0 && x->place == NULL))
    return false;
  x->receive = x->send + exchange->track_count;
  gb_step_ends *next = x->ends;
  for (uint32_t t = 0; t < exchange->track_count; t++) {
    x->send[t] = next;
    x->receive[t] = next + exchange->track[t].send_count;
    next = x->receive[t] + exchange->track[t].receive_count;
  }
  for (uint32_t p = 0; p < exchange->places && x->place != NULL; p++)
    x->place[gb_wire_rank_of(x->w, exchange->place[p], 0)] = p;
  return true;
}

int gb_fill_alltoall(const gb_wire *w, const gbcast_plan *plan, gb_rank_schedule *schedule) {
  gb_exchange exchange;
  int rc = gb_class_of_status(gb_exchange_new(plan->alltoall, w->rank_host[w->rank], &exchange, NULL));
  if (rc != MPI_SUCCESS)
    return rc;
  gb_exchange_draft x = {.w = w, .exchange = &exchange};
  if (begin(&x)) {
    add_all(&x);
    rc = gb_draft_end(&x.d, schedule);
  } else {
    rc = MPI_ERR_NO_MEM;
  }
  free(x.ends);
  free((void *)x.send);
  free(x.place);
  schedule->scratch_blocks = exchange.group > 0 ? gb_group_scratch(&exchange) : x.scratch;
  gb_exchange_free(&exchange);
  return rc;
}
