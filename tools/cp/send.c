/* Sends blocks in messages, one broadcast each, of which up to AHEAD are under way at a time. One thread
 * reads and packs, or unpacks and writes, while the other calls MPI:
 *
 *   rank 0    files -> [thread: read, compress] -> ring -> gbcast_ibcast
 *
 *   others    gbcast_ibcast -> ring -> [thread: decompress, write] -> files
 *
 * A message holds frames (frame.h) of the blocks that would fit without compression. So all ranks know which
 * blocks are in a message, but not how long it is. That is told AHEAD messages before:
 *
 *   length of message i + AHEAD 4 (0: there is none)   its checksum 4   frames
 */
#include "tools/cp/bytes.h"
#include "tools/cp/copy.h"
#include "tools/cp/report.h"

#include <gbcast/gbcast.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

enum { AHEAD = 3, HEADER = 8 };
enum { REPORT_EACH = 4 << 20 }; /* bytes, about */
_Static_assert(2 * AHEAD <= GB_CP_SLOTS, "messages under way, and those whose length is told");

/* s: a message that takes as long keeps all links busy by itself. More at a time take bandwidth from each
 * other and fill queues, although the oldest is sent first: with three, a copy of 64 MiB over
 * examples/rehearsal.txt took 35.1 s, and with one 32.0 s. */
static const double LONG = 1;

typedef struct block_pass { /* of blocks, through the messages */
  gb_cp_copy *copy;
  const gb_cp_batch *batch;
  gb_cp_walk walk;
  unsigned char *bad;
} block_pass;

/* ---- The thread of the files ---- */

/* Reads a block on rank 0. false: the source has failed, of which the others hear after the last message. */
static bool read_block(block_pass *p, const gb_cp_place *place) {
  gb_cp_copy *c = p->copy;
  if (!c->source_failed)
    c->source_failed =
        gb_cp_source_read(&c->source, p->batch, place, c->block, &c->source_error) != GBCAST_OK;
  return !c->source_failed;
}

static void write_block(block_pass *p, const gb_cp_place *place) {
  gb_cp_copy *c = p->copy;
  gbcast_error err;
  if (c->writes && gb_cp_target_write(&c->target, p->batch, place, c->block, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
  c->written += place->length;
}

static bool fits(const gb_cp_copy *c, size_t used, const gb_cp_place *place) {
  return used + GB_CP_FRAME_HEADER + place->length <= c->message;
}

static void *fill(void *argument) {
  block_pass *p = argument;
  gb_cp_copy *c = p->copy;
  gb_cp_slot *slot = NULL;
  size_t used = 0; /* without compression */
  for (gb_cp_place place; gb_cp_walk_next(&p->walk, &place) && read_block(p, &place);) {
    if (slot != NULL && !fits(c, used, &place)) {
      gb_cp_ring_fill(&c->ring);
      slot = NULL;
    }
    if (slot == NULL) {
      slot = gb_cp_ring_free_slot(&c->ring);
      slot->length = used = HEADER;
    }
    write_block(p, &place);
    slot->length +=
        gb_cp_frame_write(&c->coder, c->block, place.length, (double)c->rate, slot->data + slot->length);
    used += GB_CP_FRAME_HEADER + place.length;
    c->sent += place.length;
  }
  if (slot != NULL)
    gb_cp_ring_fill(&c->ring);
  gb_cp_ring_close(&c->ring);
  return NULL;
}

static void *empty(void *argument) {
  block_pass *p = argument;
  gb_cp_copy *c = p->copy;
  const gb_cp_slot *slot = NULL;
  size_t used = 0, at = 0;
  bool damaged = false;
  for (gb_cp_place place; gb_cp_walk_next(&p->walk, &place);) {
    if (slot != NULL && !fits(c, used, &place)) {
      gb_cp_ring_empty(&c->ring);
      slot = NULL;
    }
    if (slot == NULL) {
      slot = gb_cp_ring_next(&c->ring);
      at = used = HEADER;
      damaged = false;
    }
    used += GB_CP_FRAME_HEADER + place.length;
    const size_t length =
        slot == NULL || damaged
            ? 0
            : gb_cp_frame_read(&c->coder, slot->data + at, slot->length - at, place.length, c->block);
    damaged = length == 0; /* and so is all behind it, which nobody can find */
    at += length;
    if (!damaged)
      write_block(p, &place);
    else if (c->writes)
      gb_cp_add(p->bad, place.block);
  }
  if (slot != NULL)
    gb_cp_ring_empty(&c->ring);
  return NULL;
}

/* ---- The thread that calls MPI ---- */

typedef struct flow {
  uint64_t begun, ended; /* messages */
  gbcast_handle message[AHEAD], report;
  uint64_t mine, least; /* of a report: (KiB written << 20) + rank; the least */
  uint64_t bytes;       /* that have gone out */
  double start;
} flow;

/* Shows what the last report said, once. */
static void show(gb_cp_copy *c, flow *f, bool waits) {
  int over = 1;
  if (f->report == GBCAST_HANDLE_NULL)
    return;
  if (waits)
    (void)gbcast_wait(&f->report);
  else
    (void)gbcast_test(&f->report, &over);
  if (over && c->rank == 0)
    gb_cp_show(c, (f->least >> 20) << 10, (int)(f->least & 0xfffff));
}

/* Tells rank 0 now and then how far the slowest has come. A report is begun with the same message on all. */
static void report(gb_cp_copy *c, flow *f) {
  const uint64_t each = c->message < REPORT_EACH ? REPORT_EACH / c->message : 1;
  if (!c->shows || f->begun % each != 0)
    return;
  show(c, f, true);
  const uint64_t written = c->writes ? c->written : (uint64_t)1 << 52; /* who does not write is not slow */
  f->mine = (written >> 10) << 20 | (uint64_t)c->rank;
  (void)gbcast_ireduce(&f->mine, &f->least, 1, MPI_UINT64_T, MPI_MIN, 0, c->comm, &f->report);
}

/* How many messages may be under way here: one until it is known how long they take. */
static uint64_t most_under_way(const gb_cp_copy *c, const flow *f) {
  return f->ended > 0 && (double)f->bytes / (double)f->ended < LONG * (double)c->rate ? AHEAD : 1;
}

static void begin(gb_cp_copy *c, flow *f) {
  const gb_cp_slot *slot = &c->ring.slot[f->begun % GB_CP_SLOTS];
  (void)gbcast_ibcast(slot->data, (MPI_Count)slot->length, MPI_BYTE, 0, c->comm,
                      &f->message[f->begun % AHEAD]);
  f->begun++;
  report(c, f);
}

/* Whether the oldest message is over. Waits if `waits`: no other can be begun before. */
static bool ends(gb_cp_copy *c, flow *f, bool waits) {
  show(c, f, false);
  if (f->begun == f->ended) {
    const double before = MPI_Wtime();
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* for the other thread */
    f->start += MPI_Wtime() - before;                             /* the network had nothing to do */
    return false;
  }
  int over = 1;
  gbcast_handle *oldest = &f->message[f->ended % AHEAD];
  if (waits)
    (void)gbcast_wait(oldest);
  else
    (void)gbcast_test(oldest, &over);
  if (!over) {
    (void)sched_yield();
    return false;
  }
  const size_t length = c->ring.slot[f->ended % GB_CP_SLOTS].length;
  f->bytes += length;
  c->sent_packed += c->rank == 0 ? length : 0;
  const double seconds = MPI_Wtime() - f->start;
  if (f->ended + 1 >= AHEAD && seconds > 0) /* those before may still lie in queues on the way */
    c->rate = (uint64_t)((double)f->bytes / seconds);
  f->ended++;
  return true;
}

static uint32_t checksum(const unsigned char *length) {
  return (uint32_t)XXH3_64bits(length, 4);
}

static void send_all(gb_cp_copy *c, flow *f) {
  uint64_t filled, emptied;
  bool closed;
  unsigned char first[4 * AHEAD] = {0};
  gb_cp_ring_look(&c->ring, &filled, &emptied, &closed);
  while (filled < AHEAD && !closed) {
    (void)ends(c, f, false);
    gb_cp_ring_look(&c->ring, &filled, &emptied, &closed);
  }
  for (unsigned i = 0; i < AHEAD && i < filled; i++)
    gb_cp_put(first + 4 * (size_t)i, c->ring.slot[i].length, 4);
  (void)gbcast(first, sizeof first, 0, c->comm);
  while (!closed || f->ended < filled) {
    while (f->begun < filled && f->begun - f->ended < most_under_way(c, f) &&
           (closed || f->begun + AHEAD < filled)) {
      const uint64_t later = f->begun + AHEAD;
      unsigned char *header = c->ring.slot[f->begun % GB_CP_SLOTS].data;
      gb_cp_put(header, later < filled ? c->ring.slot[later % GB_CP_SLOTS].length : 0, 4);
      gb_cp_put(header + 4, checksum(header), 4);
      begin(c, f);
    }
    if (ends(c, f, f->begun - f->ended >= most_under_way(c, f)))
      gb_cp_ring_empty(&c->ring);
    gb_cp_ring_look(&c->ring, &filled, &emptied, &closed);
  }
}

static void receive_all(gb_cp_copy *c, flow *f) {
  unsigned char first[4 * AHEAD];
  size_t length[AHEAD]; /* of the next messages; 0: there is none */
  (void)gbcast(first, sizeof first, 0, c->comm);
  for (unsigned i = 0; i < AHEAD; i++)
    length[i] = (size_t)gb_cp_get(first + 4 * (size_t)i, 4);
  while (f->begun != f->ended || length[f->begun % AHEAD] != 0) {
    uint64_t filled, emptied;
    bool closed;
    gb_cp_ring_look(&c->ring, &filled, &emptied, &closed);
    while (f->begun - f->ended < most_under_way(c, f) && length[f->begun % AHEAD] != 0 &&
           f->begun - emptied < GB_CP_SLOTS) {
      if (length[f->begun % AHEAD] > c->message || length[f->begun % AHEAD] < HEADER)
        gb_cp_abort(c, "a message is damaged");
      c->ring.slot[f->begun % GB_CP_SLOTS].length = length[f->begun % AHEAD];
      begin(c, f);
    }
    const uint64_t oldest = f->ended;
    if (!ends(c, f, f->begun - f->ended >= most_under_way(c, f)))
      continue;
    const unsigned char *header = c->ring.slot[oldest % GB_CP_SLOTS].data;
    if (gb_cp_get(header + 4, 4) != checksum(header))
      gb_cp_abort(c, "a message is damaged");
    length[oldest % AHEAD] = (size_t)gb_cp_get(header, 4);
    gb_cp_ring_fill(&c->ring);
  }
  gb_cp_ring_close(&c->ring);
}

void gb_cp_send(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *set, unsigned char *bad) {
  block_pass p = {.copy = c, .batch = batch, .walk = {.batch = batch, .set = set}, .bad = bad};
  flow f = {.start = MPI_Wtime()};
  gb_cp_ring_restart(&c->ring);
  pthread_t files;
  if (pthread_create(&files, NULL, c->rank == 0 ? fill : empty, &p) != 0)
    gb_cp_abort(c, "no thread can be made");
  if (c->rank == 0)
    send_all(c, &f);
  else
    receive_all(c, &f);
  show(c, &f, true);
  (void)pthread_join(files, NULL);
}
