/* What rank 0 reads when a communicator is set up: settings, hosts file, live values. */
#ifndef GB_MPI_COMM_READ_INPUTS_H
#define GB_MPI_COMM_READ_INPUTS_H

#include "mpi/comm/inputs.h"
#include "mpi/job/job.h"

struct gb_comm;

/* Reads everything into `in` and places the ranks, who are `rank`. A GBCAST_ status. */
int gb_read_inputs(struct gb_comm *c, const gb_identity *rank, gb_inputs *in, gbcast_error *err);

#endif
