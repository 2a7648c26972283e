/* Versions of the inputs: what ranks plan from changes between two calls, on all of them between the same
 * two.
 *
 *      call      8     9    10    11    12
 *      update          2                            rank 0 found it, the root of call 9 announced it
 *      plans     1     1  |  2     2     2          kept plans of version 1 are forgotten
 *
 * A call that has failed on some rank may have announced its update to some ranks only. So an update counts
 * only as long as no call fails from the one that announced it on: with the first that is known to have
 * failed (w->doubt) a rank goes back to the inputs of the set-up, which all have, until the next update.
 * Ranks hear of a failed call at different times, and may differ for a call or two, as they may on whether
 * plans are agreed on: then that call fails, too. */
#ifndef GB_MPI_COMM_VERSION_H
#define GB_MPI_COMM_VERSION_H

#include "mpi/comm/state.h"

/* How the executor hands updates over. */
extern const gb_update_reader gb_version_reader;

/* At the start of a call, before a plan is looked for: takes the update that the last call has announced into
 * use. Whether other inputs than those of the set-up are in use: then it matters which calls have failed. */
bool gb_version_take(gb_comm *c);

/* Behind that, when it is known which calls have failed. */
void gb_version_check(gb_comm *c);

/* Back to the inputs of the set-up; false when these are in use. The same on all ranks where it is their plan
 * for a call that cannot be made. */
bool gb_version_back(gb_comm *c);

void gb_version_release(gb_comm *c);

#endif
