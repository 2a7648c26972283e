/* A block of bytes from rank 0 to all, before there is a plan. */
#include "mpi/spread.h"
#include "mpi/types.h"
#include <stdlib.h>

enum { spread_tag = 0 };

/* Receives a block of unknown length from `parent`. */
static int receive(int parent, char **bytes, size_t *length, MPI_Comm comm) {
  MPI_Status status;
  int count, rc = MPI_Probe(parent, spread_tag, comm, &status);
  if (rc != MPI_SUCCESS || (rc = MPI_Get_count(&status, MPI_BYTE, &count)) != MPI_SUCCESS)
    return rc;
  *length = (size_t)count;
  *bytes = malloc(*length);
  if (*bytes == NULL)
    return MPI_ERR_NO_MEM;
  return MPI_Recv(*bytes, count, MPI_BYTE, parent, spread_tag, comm, MPI_STATUS_IGNORE);
}

/* A binomial tree: rank r hears from r without its lowest set bit. */
int gb_spread(char **bytes, size_t *length, MPI_Comm comm) {
  int rank, size, rc;
  if ((rc = MPI_Comm_rank(comm, &rank)) != MPI_SUCCESS || (rc = MPI_Comm_size(comm, &size)) != MPI_SUCCESS)
    return rc;
  int bit = 1;
  while (bit < size && (rank & bit) == 0)
    bit <<= 1;
  if (rank != 0 && (rc = receive(rank - bit, bytes, length, comm)) != MPI_SUCCESS)
    return rc;
  if (*length > GB_MESSAGE_MAX) /* over a million hosts with very long names */
    return MPI_ERR_COUNT;
  for (bit >>= 1; rc == MPI_SUCCESS && bit > 0; bit >>= 1)
    if (rank + bit < size)
      rc = MPI_Send(*bytes, (int)*length, MPI_BYTE, rank + bit, spread_tag, comm);
  return rc;
}
