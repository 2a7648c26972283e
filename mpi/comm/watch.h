/* GBCAST_REFRESH: rank 0 looks from time to time whether what it planned from still holds, at the start of a
 * broadcast. New values become news (news.h) when the plans in use would be so much slower than new ones that
 * it pays (gain.h), or have become impossible.
 *
 * A look costs rank 0, and with it who waits for its data, the time to plan what was used since the last one,
 * and at most a twentieth of its time: after a long look the next is the later. It waits for nobody; where
 * there is nothing to be read, or nothing to be made of it, all stays as it is. */
#ifndef GB_MPI_COMM_WATCH_H
#define GB_MPI_COMM_WATCH_H

#include "mpi/comm/state.h"

/* Rank 0, once it is set up. c->watch stays NULL where nothing is to be watched. */
void gb_watch_make(gb_comm *c);
void gb_watch_free(gb_comm *c);

/* Rank 0, which others need not know: before a broadcast that can carry news. Whether they are to be offered
 * to `root`. */
bool gb_watch_look(gb_comm *c, int root);

/* News have come to be planned from. */
void gb_watch_moved(gb_comm *c);

#endif
