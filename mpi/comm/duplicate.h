/* The duplicate of a communicator that carries all messages of plans. */
#ifndef GB_MPI_COMM_DUPLICATE_H
#define GB_MPI_COMM_DUPLICATE_H

#include "mpi/comm/state.h"

/* Collective: makes c->wire.comm, which returns errors; or, on all ranks, it cannot be made, and c->left
 * passes all calls on to MPI. Rank 0 has printed why. able: this rank has the memory to use it. An MPI error
 * code, of this rank alone. */
int gb_comm_duplicate(gb_comm *c, bool able);

/* Collective: frees c->wire.comm, if there is one and no call has failed here. */
void gb_comm_free_duplicate(gb_comm *c);

#endif
