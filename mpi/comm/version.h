/* Versions of the inputs, with GBCAST_REFRESH: what ranks plan from changes between two calls, on all of them
 * between the same two. Every blocking call that runs a schedule takes part, with one small non-blocking
 * broadcast from rank 0 beside its data. Nobody waits for that before GB_LAG calls later:
 *
 *      call of rank 0      5            5 + GB_LAG                 5 + 2 GB_LAG
 *      announces           "900 bytes"      all have heard it          all have the 900 bytes, and plan
 *                                           and begin their broadcast  from them from the next call on
 *
 * So a rank is at most GB_LAG calls ahead of rank 0. Where its calls are far apart, rank 0 announces a
 * shorter lag, with which an update is in use three calls after it was found. */
#ifndef GB_MPI_COMM_VERSION_H
#define GB_MPI_COMM_VERSION_H

#include "mpi/comm/state.h"

enum { GB_LAG = 8 };

/* In a blocking call that runs a schedule, where GBCAST_REFRESH is set: takes part. An error class. */
int gb_versions_step(gb_comm *c);

/* At the start of a call, before a plan is looked for: plans from what the last call has brought. */
void gb_version_take(gb_comm *c);

/* Back to the inputs of the set-up; false when these are in use. The same on all ranks where it is their plan
 * for a call that cannot be made. */
bool gb_version_back(gb_comm *c);

/* Collective, before a communicator is set up anew: where a call has failed on some rank, no rank waits for
 * what is under way, as others may not have begun it. An MPI error code. */
int gb_versions_meet(gb_comm *c);

/* Collective: waits for what is under way, and frees it. */
void gb_versions_end(gb_comm *c);

/* GBCAST_REFRESH: rank 0 checks from time to time whether what it planned from still holds, in a call that
 * runs a schedule. New values become an update when the plans in use would be so much slower than new ones
 * that it pays, or have become impossible.
 *
 * A check costs rank 0, and with it who waits for its data, the time to plan what was used since the last
 * one, and at most a twentieth of its time: after a long check the next is the later. It waits for nobody;
 * where there is nothing to be read, or nothing to be made of it, all stays as it is. */

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
