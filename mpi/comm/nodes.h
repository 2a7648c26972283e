/* Shared-memory nodes. Without a hosts file each node is a host of one cluster. With one, they tell whether
 * ranks that report the same name are on the same host. */
#ifndef GB_MPI_COMM_NODES_H
#define GB_MPI_COMM_NODES_H

#include "mpi/comm/inputs.h"
#include "mpi/comm/state.h"
#include "mpi/job/job.h"

/* Collective: on rank 0 *leader[r] is what gb_nodes_leader() gives on rank r. It is to be freed. */
int gb_nodes_gather(const gb_comm *c, int **leader);

/* Rank 0: adds the platform of the nodes and the host of each rank to `in`. A gbcast_status. */
int gb_nodes_describe(const gb_identity *all, const int *leader, int size, gb_inputs *in, gbcast_error *err);

/* Rank 0: checks that ranks which were placed on one host by its name share a node. `leader` says so or, if
 * it is NULL, their identities. *open: the identities do not say, so the ranks have to find their nodes.
 * GBCAST_EINPUT: they share no node; GBCAST_EMEMORY. */
int gb_nodes_check(const gb_identity *all, const int *leader, int size, const uint32_t *rank_host, bool *open,
                   gbcast_error *err);

#endif
