/* Collecting the blocks that come up a tree. The senders send at the same time. What has come of one may be
 * sent on when all before it in the stream has come:
 *
 *   own       |========|
 *   sender 0            |====>    |
 *   sender 1                       |======>  |
 *   ready     |=============>                            the rest of sender 0 comes before sender 1
 *
 * At the root, a sender's blocks come to where the caller wants them or, if that is not one piece of memory,
 * to a ring, from which they are copied. */
#include "mpi/exec/collect.h"
#include "mpi/exec/combine.h"

/* Out of the ring, piece by piece up to its end. */
static int deliver(const gb_tree_stream *s, const gb_cursor *sender) {
  int rc = MPI_SUCCESS;
  for (size_t at = sender->taken; rc == MPI_SUCCESS && at < sender->prefix;) {
    const size_t length = gb_least(sender->prefix - at, sender->ring - at % sender->ring);
    rc = s->deliver(s->context, sender->offset + at, length, gb_cursor_at(sender, at));
    at += length;
  }
  return rc;
}

int gb_collect(gb_run *run, gb_tree_stream *s, const gb_cursor *sender) {
  while (s->first_unfinished < s->tree->sender_count) {
    const gb_cursor *first = &s->sender[s->first_unfinished];
    s->ready = first->offset + first->prefix;
    if (first->prefix < first->length)
      break;
    s->first_unfinished++;
  }
  (void)gb_feed(run, s);
  return sender->ring > 0 ? deliver(s, sender) : MPI_SUCCESS;
}
