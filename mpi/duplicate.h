/* The duplicate of a communicator that all messages of plans go through. */
#ifndef GB_MPI_DUPLICATE_H
#define GB_MPI_DUPLICATE_H

#include "mpi/comm.h"

/* Collective: makes c->dup, which returns errors. false on all ranks: there can be none, so that all is left
 * to MPI (c->left); rank 0 has said why. */
bool gb_duplicate_make(gb_comm *c);

/* Collective. */
void gb_duplicate_free(gb_comm *c);

#endif
