/* The ranks of a communicator as they are numbered in a group, or in another communicator. */
#include "mpi/job/group_ranks.h"
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
