/* GBCAST_REFRESH: rank 0 checks from time to time whether what it planned from still holds, in a call
 * that runs a schedule. New values become an update (comm/version.h) when the plans in use would be so much
 * slower than new ones that it pays (gain.h), or have become impossible.
 *
 * A check costs rank 0, and with it who waits for its data, the time to plan what was used since the last
 * one, and at most a twentieth of its time: after a long check the next is the later. It waits for nobody;
 * where there is nothing to be read, or nothing to be made of it, all stays as it is. */
#ifndef GB_MPI_COMM_REFRESH_H
#define GB_MPI_COMM_REFRESH_H

#include "mpi/comm/state.h"

/* Rank 0, once it is set up. c->refresh stays NULL where nothing is to be refreshed. */
void gb_refresh_make(gb_comm *c);
void gb_refresh_free(gb_comm *c);

typedef struct gb_update { /* a block of gb_inputs */
  size_t length;
  char *bytes; /* NULL: none */
} gb_update;

/* Rank 0: looks, if it is time to. Whether there is an update. */
bool gb_refresh_look(gb_comm *c);
const gb_update *gb_refresh_found(const gb_comm *c);

/* An update has come into use. */
void gb_refresh_moved(gb_comm *c);

#endif
