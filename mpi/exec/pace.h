/* When a sender sends: no faster than its links are said to be.
 *
 * Segments that start together share the link and arrive together, and so do all that start when these are
 * done: bursts with idle time between them. So segments start one by one, as fast as this sender's link and
 * the path to the receiver take them.
 *
 *   all at once   |0 1 2 3        |4 5 6 7        a round trip from burst to burst
 *   paced         |0   1   2   3   4   5   6      the link is never idle, nor shared
 *
 * In a cluster, segments cross many hosts and pile up at any host that is delayed. There every hop is paced,
 * so that a segment is passed on after the time of one segment, not of a burst.
 *
 * For the same reason, a message that goes to each receiver as a whole is paced on the sender's own switch:
 * sent all at once, every receiver would have it when the last one has, and would pass it on late. Short
 * messages are left to the network card, which sends them in order by itself.
 *
 * If the links are faster than the hosts file says, this costs the time of two windows in each call: a stream
 * is no longer paced once a segment of it has arrived too soon. A whole message gives no such sign, so whole
 * messages go as slowly as the file says.
 *
 * Hosts of an all-to-all send one after the other at the pace of the link or the path. If more were sent than
 * a link carries, the streams would share it by round-trip time, so that the farthest one, for which all wait
 * in the end, got least. And some time passes between the end of a message and the start of the next one that
 * waits for it: a synchronisation message and, for long messages, MPI's own handshake. So that links do not
 * idle for so long, a step with a pace synchronises when it begins, and whoever waits for it then waits for
 * as long as the message takes:
 *
 *   this host   |============|           |=====
 *   who waits   `-> sync ... |============|                                                                */
#ifndef GB_MPI_EXEC_PACE_H
#define GB_MPI_EXEC_PACE_H

#include "mpi/exec/run.h"

/* Whether less than `windows` windows have been sent to a receiver so far. */
static inline bool gb_pace_in_window(const gb_tree_stream *s, uint32_t receiver, unsigned windows) {
  const gb_channel *edge = &s->tree->receiver[receiver];
  return s->receiver[receiver].posted < edge->segment * edge->pacing.window * windows;
}

/* Whether the next segment may go to a receiver; if not, lowers run->wake to the time when it may. */
bool gb_pace_is_time(gb_run *run, const gb_tree_stream *s, uint32_t receiver);

/* Whether the links to a receiver are free; if not, lowers run->wake. */
bool gb_pace_link_is_free(gb_run *run, const gb_channel *edge);

/* A segment for a receiver has been posted: sets when the links are free again. */
void gb_pace_sent(gb_run *run, const gb_tree_stream *s, uint32_t receiver, gb_request *send);

/* A send whose time is taken is complete: notes whether it was faster than the links should be. */
void gb_pace_completed(gb_run *run, const gb_request *sent);

/* Steps of an all-to-all: a channel can begin; and whether one with a pace may. If not, lowers run->wake. */
void gb_pace_step_is_ready(gb_run *run, uint32_t channel);
bool gb_pace_is_step_time(gb_run *run, uint32_t channel);

#endif
