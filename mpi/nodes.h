/* Shared-memory nodes. Without a hosts file each is a host of one cluster; with one they tell whether ranks
 * that report one name are on one host. */
#ifndef GB_MPI_NODES_H
#define GB_MPI_NODES_H

#include "mpi/comm.h"
#include "mpi/inputs.h"
#include "mpi/mapping.h"

/* Collective. The ranks that share memory with this one, in the order of their numbers; to be freed. */
int gb_nodes_group(MPI_Comm comm, MPI_Group *group);

/* Collective. The lowest of them. */
int gb_nodes_leader(MPI_Comm comm, int *leader);

/* Local: the lowest of them as a rank of `comm`; MPI_UNDEFINED when it has none there. */
int gb_nodes_first(MPI_Group group, MPI_Comm comm, int *leader);

/* Collective. On rank 0 *leader is what gb_nodes_leader() said on each rank, to be freed. */
int gb_nodes_gather(const gb_comm *c, int **leader);

/* Rank 0: adds the platform and the placement to `in`. A gbcast_status. */
int gb_nodes_describe(const gb_identity *all, const int *leader, int size, gb_inputs *in, gbcast_error *err);

/* Rank 0: whether ranks that were placed on one host by its name share a node, by `leader` or, where that is
 * NULL, by their identities. *open: these do not say, so that the ranks have to find out. GBCAST_EINPUT: they
 * do not; GBCAST_EMEMORY. */
int gb_nodes_check(const gb_identity *all, const int *leader, int size, const uint32_t *rank_host, bool *open,
                   gbcast_error *err);

#endif
