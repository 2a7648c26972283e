/* Whether something holds on all ranks. */
#include "mpi/comm/vote.h"
#include "mpi/comm/handle.h"
#include "mpi/job/job.h"
#include <stdlib.h>

int gb_vote(const gb_comm *c, bool mine, bool *all) {
  int *vote = malloc(2 * sizeof *vote); /* of this rank; the least of all */
  MPI_Request request;
  *all = false;
  if (vote == NULL)
    return gb_give_up(c->user);
  vote[0] = mine;
  int rc = PMPI_Iallreduce(&vote[0], &vote[1], 1, MPI_INT, MPI_MIN, c->user, &request);
  if (rc == MPI_SUCCESS && (rc = gb_handle_wait_for(c->registry, &request)) != MPI_SUCCESS)
    return rc; /* the votes stay: MPI may still write there */
  *all = rc == MPI_SUCCESS && vote[1] != 0;
  free(vote);
  return rc;
}
