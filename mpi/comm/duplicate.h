/* The duplicate of a communicator that carries all messages of plans. */
#ifndef GB_MPI_COMM_DUPLICATE_H
#define GB_MPI_COMM_DUPLICATE_H

#include "mpi/comm/comm.h"

/* Collective: makes c->dup, which returns errors. false on all ranks: it cannot be made, and c->left passes
 * all calls on to MPI. Rank 0 has printed why. */
bool gb_duplicate_make(gb_comm *c);

/* Collective: frees c->dup, if there is one. */
void gb_duplicate_free(gb_comm *c);

#endif
