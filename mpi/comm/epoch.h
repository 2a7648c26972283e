/* Epochs: what ranks plan from changes between two calls, on all of them between the same two.
 *
 *      call      8     9    10    11    12
 *      news            2                            rank 0 found them, the root of call 9 told them
 *      plans     1     1  |  2     2     2          kept plans of epoch 1 are forgotten
 *
 * A call that has failed somewhere may have told its news to some ranks only. So news count only if no call
 * fails from theirs on: with the first that is known to have failed (c->wire.doubt) a rank goes back to the
 * inputs of the set-up, which all have, until there are news again. Ranks hear of a failed call at different
 * times, and may differ for a call or two, as they may on whether plans are agreed on: then it fails too. */
#ifndef GB_MPI_COMM_EPOCH_H
#define GB_MPI_COMM_EPOCH_H

#include "mpi/comm/state.h"

/* How the executor hands news over. */
extern const gb_news_reader gb_epoch_reader;

/* At the start of a call, before a plan is looked for: takes what the last call has told into use. Whether
 * other inputs than those of the set-up are in use: then it matters which calls have failed. */
bool gb_epoch_take(gb_comm *c);

/* Behind that, when it is known which calls have failed. */
void gb_epoch_check(gb_comm *c);

/* Back to the inputs of the set-up; false when these are in use. The same on all ranks where it is their plan
 * for a call that cannot be made. */
bool gb_epoch_back(gb_comm *c);

void gb_epoch_release(gb_comm *c);

#endif
