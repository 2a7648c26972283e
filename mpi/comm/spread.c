/* A block of bytes from rank 0 to all, before there is a plan: MPI's broadcast, of its length and its
 * beginning first, which is all of it for a few dozen hosts. */
#include "mpi/comm/spread.h"
#include "mpi/comm/handle.h"
#include "mpi/job/job.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct beginning {
  uint64_t length; /* of the whole block; 0: there is none */
  char bytes[4096 - sizeof(uint64_t)];
} beginning;

/* What all have of a block whose beginning is there. */
static int receive_rest(const gb_comm *c, const beginning *first, char **bytes, size_t *length) {
  if (first->length == 0)
    return MPI_ERR_NO_MEM;
  if (first->length > GB_MESSAGE_MAX) /* over a million hosts with very long names */
    return MPI_ERR_COUNT;
  *length = (size_t)first->length;
  if (c->wire.rank != 0 && (*bytes = malloc(*length)) == NULL)
    return gb_give_up(c->user);
  const size_t here = *length < sizeof first->bytes ? *length : sizeof first->bytes;
  if (c->wire.rank != 0)
    memcpy(*bytes, first->bytes, here);
  return *length == here ? MPI_SUCCESS
                         : PMPI_Bcast(*bytes + here, (int)(*length - here), MPI_BYTE, 0, c->user);
}

int gb_spread(const gb_comm *c, char **bytes, size_t *length) {
  beginning *first = calloc(1, sizeof *first);
  MPI_Request request;
  if (first == NULL)
    return gb_give_up(c->user);
  first->length = *length;
  if (c->wire.rank == 0 && *length > 0)
    memcpy(first->bytes, *bytes, *length < sizeof first->bytes ? *length : sizeof first->bytes);
  int rc = PMPI_Ibcast(first, sizeof *first, MPI_BYTE, 0, c->user, &request);
  if (rc == MPI_SUCCESS && (rc = gb_handle_wait_for(c->registry, &request)) != MPI_SUCCESS)
    return rc; /* the beginning stays: MPI may still write there */
  if (rc == MPI_SUCCESS)
    rc = receive_rest(c, first, bytes, length);
  free(first);
  return rc;
}
