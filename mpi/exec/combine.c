/* Combining what comes up a tree: the operands of this rank, and those that come from each of its senders.
 * The order is the same in each call, whoever is first, so the result has the same bits: that of sender 0
 * with this rank's own, then those of the others in turn.
 *
 *   sender 0  |==== 0 ====|==== 1 ====|==== 2 ====|      stays where it arrives, and becomes the result
 *   own       |== all are there =====================|
 *   sender 1  |==== 0 ====|==== 1 ====|                  comes to a ring: there is room for its window
 *   ready     |==== 0 ====|==== 1 ====|                  may be sent on
 *
 * Where this rank's own operands are in the result (MPI_IN_PLACE at the root), sender 0 is as the others. */
#include "mpi/exec/combine.h"
#include "mpi/exec/receive.h"

/* Bytes that are combined in one call, at most. */
#define MOST ((size_t)1 << 30)

size_t gb_run_ring(const gb_channel *sender, size_t length, size_t *ring) {
  const size_t window = sender->ahead + sender->segment; /* a segment is posted while less than `ahead` are */
  *ring = window < length ? window : 0;
  return *ring > 0 ? *ring : length;
}

/* Combines the bytes from `begin` to `end` of a sender with the result so far. */
static int combine_some(const gb_tree_stream *s, const gb_cursor *sender, bool first, size_t begin,
                        size_t end) {
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && begin < end) {
    const bool own = first && s->own != s->result;
    const char *in = own ? s->own + begin : gb_cursor_at(sender, begin);
    size_t length = gb_least(end - begin, MOST);
    if (!own && sender->ring > 0) /* up to its end */
      length = gb_least(length, sender->ring - begin % sender->ring);
    rc = s->operator(s->context, in, s->result + begin, length);
    begin += length;
  }
  return rc;
}

int gb_combine(gb_run *run, gb_tree_stream *s) {
  int rc = MPI_SUCCESS;
  size_t there = s->length; /* combined with all senders before */
  for (uint32_t i = 0; rc == MPI_SUCCESS && i < s->tree->sender_count; i++) {
    gb_cursor *sender = &s->sender[i];
    const size_t end = gb_least(there, sender->prefix);
    if (end > sender->taken) {
      rc = combine_some(s, sender, i == 0, sender->taken, end);
      sender->taken = end;
      if (rc == MPI_SUCCESS)
        rc = gb_receive_post(run, (uint32_t)(sender - run->cursor));
    }
    there = sender->taken;
  }
  s->ready = there;
  if (s->tree->feeds != GB_NONE)
    run->stream[s->tree->feeds].ready = there;
  return rc;
}
