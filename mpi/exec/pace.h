/* When a sender sends: no faster than its links are said to be.
 *
 * Segments that start together share the link and arrive together, and so do all that start when these are
 * done: bursts with nothing in between. So they start one by one, as fast as this sender's link and the way
 * to the child take them.
 *
 *   all at once   |0 1 2 3        |4 5 6 7        a round trip from burst to burst
 *   paced         |0   1   2   3   4   5   6      the link is never idle, nor shared
 *
 * In a cluster segments go through many hosts and gather at any that is held up: there every hop is paced, so
 * that a segment is handed on after the time of one, not of a burst.
 *
 * A message that goes to each child as a whole is paced on its own switch, for the same reason: all at once
 * every child has it when the last one has, and sends on that late. Short ones are left to the network card,
 * which does so by itself.
 *
 * When the hosts file says less than the links can do, this costs two windows' time once a call: a stream is
 * not paced any more once a segment of it was there too soon. A whole message gives no such sign, so those go
 * as slowly as the file says. */
#ifndef GB_MPI_EXEC_PACE_H
#define GB_MPI_EXEC_PACE_H

#include "mpi/exec/run.h"

/* Whether what was sent to a child so far is less than this many windows. */
static inline bool gb_pace_in_window(const gb_tree_stream *s, uint32_t child, unsigned windows) {
  return s->cursor[child].posted < s->tree->segment * s->tree->child[child].pacing.window * windows;
}

/* Whether the next segment may go to a child; run->wake when not. */
bool gb_pace_is_time(gb_run *run, const gb_tree_stream *s, uint32_t child);

/* Whether the links to a child are free; run->wake when not. */
bool gb_pace_is_through(gb_run *run, const gb_rank_edge *edge);

/* A segment has been posted. */
void gb_pace_keep(gb_run *run, gb_request *send);

/* A send is complete. */
void gb_pace_look(gb_run *run, const gb_request *sent);

#endif
