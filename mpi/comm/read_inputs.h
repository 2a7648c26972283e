/* What rank 0 reads when a communicator is set up: settings, hosts file, live values. */
#ifndef GB_MPI_COMM_READ_INPUTS_H
#define GB_MPI_COMM_READ_INPUTS_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/settings.h"
#include "mpi/job/job.h"

/* Reads everything into `in` and places the `size` ranks. A GBCAST_ status. */
int gb_read_inputs(gb_overrides *overrides, const gb_identity *rank, int size, gb_inputs *in,
                   gbcast_error *err);

#endif
