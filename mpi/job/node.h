/* The ranks that share memory with each other: those of one node. */
#ifndef GB_MPI_JOB_NODE_H
#define GB_MPI_JOB_NODE_H

#include <mpi.h>

/* Collective: the ranks that share memory with this one, in ascending order. The group is to be freed. */
int gb_nodes_group(MPI_Comm comm, MPI_Group *group);

/* Collective: the lowest of these ranks. */
int gb_nodes_leader(MPI_Comm comm, int *leader);

/* Local: the lowest rank of `comm` that is in the group; MPI_UNDEFINED if none is. */
int gb_nodes_first(MPI_Group group, MPI_Comm comm, int *leader);

#endif
