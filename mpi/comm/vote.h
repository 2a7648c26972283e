/* Whether something holds on all ranks. */
#ifndef GB_MPI_COMM_VOTE_H
#define GB_MPI_COMM_VOTE_H

#include "mpi/comm/state.h"

/* Collective over c->user, and synchronising: when it returns MPI_SUCCESS every rank has called it, and *all
 * says whether `mine` was true on every rank. Meanwhile other calls of this process get on, because another
 * rank may need one of them before it votes. An MPI error code. */
int gb_vote(const gb_comm *c, bool mine, bool *all);

#endif
