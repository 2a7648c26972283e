/* One batch after another: rank 0 describes it, all make its files, and rank 0 sends its blocks.
 *
 *   describe -> make files -> [compare with what is here] -> send -> [compare what was written] -> modes
 *                                                             ^--- blocks that are damaged ---'
 */
#include "platform/text/text.h"
#include "tools/cp/bytes.h"
#include "tools/cp/copy.h"

#include <gbcast/gbcast.h>
#include <stdlib.h>

enum { ROUNDS = 3 }; /* that a block may arrive damaged before its host gives up */
enum { MESSAGE_MOST = 16 << 20 };

/* What rank 0 tells of a batch. The first PACKET bytes are one broadcast, which is all that a small copy
 * needs; what is longer is a second one. 4 KiB take less time than a trip between sites.
 *
 *   bytes of the text 8 (0: there is no batch)   of the set 8   whether the source failed 1   text   set
 */
enum { PACKET = 4096, TEXT_AT = 17 };

/* Writes the packet of the next batch. */
static unsigned char *describe(gb_cp_copy *c, gb_cp_batch *batch) {
  if (!c->source_failed)
    c->source_failed = gb_cp_source_next(&c->source, batch, &c->source_error) != GBCAST_OK;
  const size_t text = c->source_failed ? 0 : batch->length;
  const size_t set = text > 0 ? gb_cp_set_bytes(batch->blocks) : 0, length = TEXT_AT + text + set;
  unsigned char *packet = gb_cp_memory(c, length > PACKET ? length : PACKET);
  gb_cp_put(packet, text, 8);
  gb_cp_put(packet + 8, set, 8);
  packet[16] = c->source_failed;
  if (text > 0) {
    memcpy(packet + TEXT_AT, batch->text, text);
    memcpy(packet + TEXT_AT + text, c->source.data, set);
  }
  return packet;
}

/* Reads the batch, and the set of its blocks that are not in holes, from a packet. */
static void read_packet(const gb_cp_copy *c, const unsigned char *packet, gb_cp_batch *batch,
                        unsigned char **data) {
  const size_t text = (size_t)gb_cp_get(packet, 8), set = (size_t)gb_cp_get(packet + 8, 8);
  gbcast_error err;
  if (c->rank != 0) {
    batch->text = gb_cp_memory(c, text);
    batch->length = batch->room = text;
    memcpy(batch->text, packet + TEXT_AT, text);
    if (gb_cp_batch_read(batch, &err) != GBCAST_OK)
      gb_cp_abort(c, err.message);
  }
  if (set != gb_cp_set_bytes(batch->blocks))
    gb_cp_abort(c, "a description is damaged");
  *data = gb_cp_memory(c, set);
  memcpy(*data, packet + TEXT_AT + text, set);
}

/* Collective: tells all ranks the next batch, and which of its blocks are not in holes. false: there is none,
 * and all know whether the source has failed. */
static bool next(gb_cp_copy *c, gb_cp_batch *batch, unsigned char **data) {
  unsigned char *packet = c->rank == 0 ? describe(c, batch) : gb_cp_memory(c, PACKET);
  (void)gbcast(packet, PACKET, 0, c->comm);
  const size_t text = (size_t)gb_cp_get(packet, 8),
               length = TEXT_AT + text + (size_t)gb_cp_get(packet + 8, 8);
  if (text == 0) {
    c->source_failed = packet[16];
  } else if (length > PACKET) {
    if (c->rank != 0) {
      unsigned char *whole = gb_cp_memory(c, length);
      memcpy(whole, packet, PACKET);
      free(packet);
      packet = whole;
    }
    (void)gbcast(packet + PACKET, length - PACKET, 0, c->comm);
  }
  if (text > 0)
    read_packet(c, packet, batch, data);
  free(packet);
  return text > 0;
}

/* Collective: the union of the sets of all ranks, in place. Returns whether it has any block. */
static bool unite(const gb_cp_copy *c, unsigned char *set, size_t bytes) {
  (void)gbcast_allreduce(MPI_IN_PLACE, set, (MPI_Count)bytes, MPI_BYTE, MPI_BOR, c->comm);
  for (size_t i = 0; i < bytes; i++)
    if (set[i] != 0)
      return true;
  return false;
}

/* The blocks that some rank lacks. If one has nothing from before, that is all of them. */
static void find_lacking(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *data,
                         unsigned char *lacking, size_t bytes) {
  unsigned char nothing = c->writes;
  for (size_t i = 0; nothing && i < batch->count; i++)
    nothing = c->target.origin[i] == GB_CP_NOWHERE;
  (void)gbcast_allreduce(MPI_IN_PLACE, &nothing, 1, MPI_UNSIGNED_CHAR, MPI_MAX, c->comm);
  if (nothing) {
    memcpy(lacking, data, bytes);
    return;
  }
  gb_cp_compare(c, batch, data, true, lacking);
  (void)unite(c, lacking, bytes);
}

typedef int change(gb_cp_target *target, const gb_cp_batch *batch, gbcast_error *err);

static void apply(gb_cp_copy *c, change *what, const gb_cp_batch *batch) {
  gbcast_error err;
  if (c->writes && what(&c->target, batch, &err) != GBCAST_OK)
    gb_cp_fail(c, &err);
}

/* Sends what is lacking until all have it undamaged. */
static void send_all(gb_cp_copy *c, const gb_cp_batch *batch, const unsigned char *data,
                     unsigned char *lacking, size_t bytes) {
  unsigned char *bad = gb_cp_memory(c, bytes);
  for (unsigned round = 0; round < ROUNDS; round++) {
    memset(bad, 0, bytes);
    gb_cp_send(c, batch, lacking, bad);
    if (c->options->verify) {
      apply(c, gb_cp_target_flush, batch);
      gb_cp_compare(c, batch, data, false, bad);
    }
    memcpy(lacking, bad, bytes);
    if (c->source_failed)
      gb_cp_add(lacking, batch->blocks); /* behind the last: tells all that it makes no sense to go on */
    if (!unite(c, lacking, bytes))
      break;
    if (gb_cp_in(lacking, batch->blocks)) {
      memset(bad, 0, bytes);
      break;
    }
  }
  gb_cp_walk walk = {.batch = batch, .set = bad};
  gb_cp_place place;
  gbcast_error err;
  if (c->writes && gb_cp_walk_next(&walk, &place)) {
    (void)gb_fail(&err, GBCAST_EINPUT, "'%s' has arrived damaged %d times; check the memory of this host",
                  batch->entry[place.entry].path, (int)ROUNDS);
    gb_cp_fail(c, &err);
  }
  free(bad);
}

static bool copy_batch(gb_cp_copy *c) {
  gb_cp_batch batch = {0};
  unsigned char *data = NULL, *lacking = NULL;
  gbcast_error err;
  const bool more = next(c, &batch, &data);
  if (more) {
    const size_t bytes = gb_cp_set_bytes(batch.blocks);
    lacking = gb_cp_memory(c, bytes);
    if (c->writes && gb_cp_target_make(&c->target, &batch, data, &err) != GBCAST_OK)
      gb_cp_fail(c, &err);
    if (c->options->resume)
      find_lacking(c, &batch, data, lacking, bytes);
    else
      memcpy(lacking, data, bytes);
    send_all(c, &batch, data, lacking, bytes);
    apply(c, gb_cp_target_finish, &batch);
    if (c->rank == 0 && !c->source_failed)
      c->source_failed = gb_cp_source_check(&c->source, &batch, &c->source_error) != GBCAST_OK;
  }
  free(data);
  free(lacking);
  gb_cp_batch_free(&batch);
  return more;
}

void gb_cp_copy_batches(gb_cp_copy *c) {
  const size_t share = (size_t)c->options->memory / GB_CP_SLOTS;
  c->message = share < MESSAGE_MOST ? share : MESSAGE_MOST;
  c->coder.compress = c->options->compress;
  c->block = gb_cp_memory(c, GB_CP_BLOCK);
  if (!gb_cp_ring_open(&c->ring, c->message))
    gb_cp_abort(c, "out of memory");
  while (copy_batch(c))
    continue;
  gb_cp_ring_free(&c->ring);
  gb_cp_coder_free(&c->coder);
  free(c->block);
}
