/* What every rank plans from, sent by rank 0. */
#ifndef GB_MPI_COMM_FETCH_H
#define GB_MPI_COMM_FETCH_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/state.h"

/* Collective. Rank 0 says on stderr what is wrong. An error class, the same on every rank. */
int gb_fetch_inputs(gb_comm *c, gb_inputs *in);

#endif
