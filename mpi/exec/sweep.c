/* Receives what a failed call has left between the ranks before the communicator is freed: headers to ranks
 * that had left when these arrived, and segments of streams that their receivers had given up. Nobody knows
 * how much there is. But for a receive that matches everything, messages from one rank stay in order, so
 * nothing follows its last message:
 *
 *      every other rank  -- ABORT, segment, ..., LAST -->  receives anything, until all LASTs have arrived
 *
 * That is one empty message between any two ranks, as many as the failed call took to tell all ranks. */
#include "mpi/exec/sweep.h"
#include "mpi/exec/header.h"
#include <stdlib.h>

/* Receives a message, of whatever kind, and drops it. */
static int take_in(gb_wire *w, MPI_Status *found) {
  int length = 0, rc = MPI_Get_count(found, MPI_BYTE, &length);
  char *bytes = malloc((size_t)length + 1);
  if (bytes == NULL)
    return MPI_ERR_NO_MEM;
  if (rc == MPI_SUCCESS)
    rc = MPI_Recv(bytes, length, MPI_BYTE, found->MPI_SOURCE, found->MPI_TAG, w->comm, MPI_STATUS_IGNORE);
  free(bytes);
  return rc;
}

int gb_sweep(gb_wire *w) {
  int rc = MPI_SUCCESS;
  for (int r = 0; rc == MPI_SUCCESS && r < w->size; r++) {
    MPI_Request last;
    if (r == w->rank)
      continue;
    rc = MPI_Isend(NULL, 0, MPI_BYTE, r, GB_LAST_TAG, w->comm, &last);
    if (rc == MPI_SUCCESS)
      rc = MPI_Request_free(&last); /* there is no buffer to wait for */
  }
  for (int open = w->size - 1; rc == MPI_SUCCESS && open > 0;) {
    MPI_Status found;
    rc = MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &found);
    if (rc == MPI_SUCCESS)
      rc = take_in(w, &found);
    if (rc == MPI_SUCCESS && found.MPI_TAG == GB_LAST_TAG)
      open--;
  }
  return rc;
}
