/* No hosts file: every shared-memory node is a host of one cluster. */
#ifndef GB_MPI_NODES_H
#define GB_MPI_NODES_H

#include "mpi/comm.h"
#include "mpi/inputs.h"
#include "mpi/mapping.h"

/* Collective. The lowest of the ranks that share memory with this one. */
int gb_nodes_leader(MPI_Comm comm, int rank, int *leader);

/* Collective. Rank 0 (where `all` holds the ranks' names) adds the platform and the placement to `in`. */
int gb_nodes_find(const gb_comm *c, const gb_identity *all, gb_inputs *in);

#endif
