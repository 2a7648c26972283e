/* Combining what comes up a tree: the operands of this rank, and those that come from each of its senders.
 * The order is the same in each call, whoever is first, so the result has the same bits: the operands of
 * sender 0 and this rank's own, then those of the others in turn. As all operators here commute, it does not
 * matter which of the first two is which.
 *
 *   sender 0  |==== 0 ====|==== 1 ====|==== 2 ====|      stays where it arrives, and becomes the result
 *   own       |==== 0 ====|==== 1 ====|==== 2 ====|      at its place among the senders (own_at)
 *   sender 1  |==== 0 ====|==== 1 ====|                  comes to a ring: there is room for its window
 *   ready     |==== 0 ====|==== 1 ====|                  may be sent on
 *
 * Where this rank's own operands are in the result (MPI_IN_PLACE at the root), they come first. */
#include "mpi/exec/combine.h"
#include "mpi/exec/receive.h"

/* Bytes that are combined in one call, at most. */
#define MOST ((size_t)1 << 30)

size_t gb_run_ring(const gb_channel *sender, size_t length, size_t *ring) {
  const size_t window = sender->ahead + sender->segment; /* a segment is posted while less than `ahead` are */
  *ring = window < length ? window : 0;
  return *ring > 0 ? *ring : length;
}

/* Combines the bytes from `begin` to `end` of a sender, or if it is NULL of this rank, with the result so
 * far. */
static int combine_some(const gb_tree_stream *s, const gb_cursor *sender, size_t begin, size_t end) {
  int rc = MPI_SUCCESS;
  while (rc == MPI_SUCCESS && begin < end) {
    const char *in = sender != NULL ? gb_cursor_at(sender, begin) : s->own + begin;
    size_t length = gb_least(end - begin, MOST);
    if (sender != NULL && sender->ring > 0) /* up to its end */
      length = gb_least(length, sender->ring - begin % sender->ring);
    rc = s->operator(s->context, in, s->result + begin, length);
    begin += length;
  }
  return rc;
}

/* Combines this rank's own operands, as far as *there, where those before them are. */
static int combine_own(gb_tree_stream *s, size_t *there) {
  const size_t begin = s->own_taken, end = gb_least(*there, s->own_ready);
  if (end > begin)
    s->own_taken = end;
  *there = s->own_taken;
  return combine_some(s, NULL, begin, end);
}

static int combine_sender(gb_run *run, gb_tree_stream *s, gb_cursor *sender, size_t *there) {
  const size_t begin = sender->taken, end = gb_least(*there, sender->prefix);
  int rc = combine_some(s, sender, begin, end);
  if (end > begin)
    sender->taken = end;
  *there = sender->taken;
  return rc == MPI_SUCCESS && end > begin ? gb_receive_post(run, (uint32_t)(sender - run->cursor)) : rc;
}

gb_tree_stream *gb_feed(gb_run *run, const gb_tree_stream *s) {
  if (s->tree->feeds == GB_NONE)
    return NULL;
  gb_tree_stream *fed = &run->stream[s->tree->feeds];
  fed->own_ready = s->ready;
  if (!fed->tree->combines)
    fed->ready = s->ready;
  return fed;
}

int gb_combine(gb_run *run, gb_tree_stream *s) {
  const bool in_place = s->own == s->result;
  const uint32_t own_at = s->tree->own_at > 0 ? s->tree->own_at : 1;
  uint32_t i = 0;
  size_t there = s->own_ready; /* so far, all are combined */
  int rc = MPI_SUCCESS;
  if (!in_place) { /* sender 0 is in the result */
    gb_cursor *first = &s->sender[i++];
    there = first->taken = first->prefix;
    rc = gb_receive_post(run, (uint32_t)(first - run->cursor));
  }
  for (; rc == MPI_SUCCESS && i <= s->tree->sender_count; i++) {
    if (i == own_at && !in_place)
      rc = combine_own(s, &there);
    if (rc == MPI_SUCCESS && i < s->tree->sender_count)
      rc = combine_sender(run, s, &s->sender[i], &there);
  }
  s->ready = there;
  gb_tree_stream *fed = rc == MPI_SUCCESS ? gb_feed(run, s) : NULL;
  return fed != NULL && fed->tree->combines ? gb_combine(run, fed) : rc;
}
