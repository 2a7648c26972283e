/* What every rank plans from, sent by rank 0. */
#ifndef GB_MPI_COMM_FETCH_H
#define GB_MPI_COMM_FETCH_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/state.h"

/* Collective. in->code says what is wrong with the inputs, which rank 0 has printed. An MPI error code, of
 * this rank alone: it has no inputs. */
int gb_fetch_inputs(gb_comm *c, gb_inputs *in);

#endif
