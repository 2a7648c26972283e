/* The ranks of a communicator as others number them, and those that share memory. */
#include "mpi/job/job.h"
#include <stdlib.h>

int gb_group_ranks(MPI_Comm comm, int size, MPI_Group group, int **in) {
  MPI_Group own;
  int *rank = malloc(sizeof *rank * (size_t)size), rc = MPI_ERR_NO_MEM;
  *in = malloc(sizeof **in * (size_t)size);
  if (rank != NULL && *in != NULL && (rc = MPI_Comm_group(comm, &own)) == MPI_SUCCESS) {
    for (int r = 0; r < size; r++)
      rank[r] = r;
    rc = MPI_Group_translate_ranks(own, size, rank, group, *in);
    (void)MPI_Group_free(&own);
  }
  free(rank);
  if (rc != MPI_SUCCESS) {
    free(*in);
    *in = NULL;
  }
  return rc;
}

int gb_comm_ranks(MPI_Comm comm, int size, MPI_Comm other, int **in) {
  MPI_Group group;
  int rc = MPI_Comm_group(other, &group);
  *in = NULL;
  if (rc == MPI_SUCCESS) {
    rc = gb_group_ranks(comm, size, group, in);
    (void)MPI_Group_free(&group);
  }
  return rc;
}

int gb_nodes_group(MPI_Comm comm, MPI_Group *group) {
  MPI_Comm node;
  int rank, rc = MPI_Comm_rank(comm, &rank);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = MPI_Comm_group(node, group);
  (void)MPI_Comm_free(&node);
  return rc;
}

/* Not every MPI orders a node's ranks by the key (SimGrid). */
int gb_nodes_first(MPI_Group group, MPI_Comm comm, int *leader) {
  int size, *at = NULL, first = 0, rc = MPI_Comm_size(comm, &size);
  if (rc == MPI_SUCCESS)
    rc = gb_group_ranks(comm, size, group, &at);
  while (rc == MPI_SUCCESS && first < size && at[first] == MPI_UNDEFINED)
    first++;
  free(at);
  *leader = first < size ? first : MPI_UNDEFINED;
  return rc;
}

int gb_nodes_leader(MPI_Comm comm, int *leader) {
  MPI_Group group;
  int rc = gb_nodes_group(comm, &group);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = gb_nodes_first(group, comm, leader);
  (void)MPI_Group_free(&group);
  return rc;
}
