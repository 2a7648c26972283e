/* Epochs: what ranks plan from changes between two calls, on all of them between the same two.
 *
 *      call      8     9    10    11    12
 *      news            2                            rank 0 found them, the root of call 9 told them
 *      plans     1     1  |  2     2     2          kept plans of epoch 1 are forgotten
 *
 * A call that has failed somewhere may have told its news to some ranks only. So news count only if no call
 * fails from theirs on: with the first that is known to have failed (c->doubt) a rank goes back to the inputs
 * of the set-up, which all have, until there are news again. Ranks hear of a failed call at different times,
 * and may differ for a call or two, as they may on whether plans are agreed on: then it fails too. */
#ifndef GB_MPI_COMM_EPOCH_H
#define GB_MPI_COMM_EPOCH_H

#include "mpi/comm/comm.h"

/* At the start of a call, before a plan is looked for. */
void gb_epoch_settle(gb_comm *c);

/* Back to the inputs of the set-up; false when these are in use. The same on all ranks where it is their plan
 * for a call that cannot be made. */
bool gb_epoch_back(gb_comm *c);

/* Reads news, and sets their epoch. An error class. */
int gb_epoch_read(const gb_comm *c, gb_news *news, gbcast_platform **out);

/* They are what the next call is planned from; takes the platform over. `told_in`: the number of the call. */
void gb_epoch_keep(gb_comm *c, uint32_t epoch, gbcast_platform *platform, uint64_t told_in);

/* Whether ranks that were placed on the hosts of one platform are so on the other's. */
bool gb_epoch_same_hosts(const gbcast_platform *a, const gbcast_platform *b);

void gb_epoch_release(gb_comm *c);

#endif
