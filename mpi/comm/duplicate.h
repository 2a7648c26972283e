/* The duplicate of a communicator that carries all messages of plans. */
#ifndef GB_MPI_COMM_DUPLICATE_H
#define GB_MPI_COMM_DUPLICATE_H

#include "mpi/comm/state.h"

/* Collective: frees c->wire.comm, if there is one. */
void gb_duplicate_free(gb_comm *c);

#endif
