/* Whether something holds on all ranks. */
#ifndef GB_MPI_COMM_VOTE_H
#define GB_MPI_COMM_VOTE_H

#include "mpi/comm/state.h"

/* Collective: *all is set where `mine` is true on every rank; all ranks are here then. Calls under way get on
 * meanwhile, as another rank may wait for one of them before it comes here. An MPI error code. */
int gb_vote(const gb_comm *c, bool mine, bool *all);

#endif
