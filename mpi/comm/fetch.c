/* What every rank plans from: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs.
 *
 *   every rank  -- its name ------------------------------> rank 0   gather
 *   rank 0      reads settings and hosts file, places the ranks
 *   every rank <-- settings, platform, live values, hosts - rank 0   broadcast
 *
 * A second round finds the shared-memory nodes, if there is no hosts file or if several ranks report one name
 * (nodes.c). */
#include "mpi/comm/handle.h"
#include "mpi/comm/setup.h"
#include <stdlib.h>
#include <string.h>

/* Every rank tells rank 0 who it is. *all is to be freed: one for each rank on rank 0, elsewhere its own. */
static int gather_identities(const gb_comm *c, gb_identity **all) {
  const size_t count = c->wire.rank == 0 ? (size_t)c->wire.size : 1;
  const int bytes = (int)sizeof **all;
  gb_identity *mine = *all = calloc(count, sizeof **all);
  MPI_Request request;
  int length;
  if (mine == NULL)
    return gb_give_up(c->user);
  mine->code = gb_class_of_code(MPI_Get_processor_name(mine->name, &length));
  mine->node = c->overrides.preload != NULL ? c->overrides.preload->leader : -1;
  int rc = PMPI_Igather(c->wire.rank == 0 ? MPI_IN_PLACE : mine, bytes, MPI_BYTE, *all, bytes, MPI_BYTE, 0,
                        c->user, &request);
  if (rc == MPI_SUCCESS && (rc = gb_handle_wait_for(c->registry, &request)) != MPI_SUCCESS)
    *all = NULL; /* they stay: MPI may still use them */
  return rc;
}

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

/* A block of bytes from rank 0, which comes last, to all: MPI's broadcast, of its length and its beginning
 * first, which is all of it for a few dozen hosts. Calls under way get on meanwhile. On the other ranks the
 * block is allocated. A length of 0 on rank 0 is an MPI_ERR_NO_MEM on all. */
static int spread(const gb_comm *c, char **bytes, size_t *length) {
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

/* Sends the inputs of rank 0, which keeps them, and decodes them on all other ranks; or just that these have
 * to find their nodes first. */
static int share(const gb_comm *c, gb_inputs *inputs) {
  char *bytes = NULL;
  size_t length = 0;
  const gb_inputs *sent = inputs->by_nodes ? &(gb_inputs){.by_nodes = true} : inputs;
  if (c->wire.rank == 0 && gb_inputs_encode(sent, &bytes, &length) != GBCAST_OK)
    length = 0;
  int rc = spread(c, &bytes, &length);
  if (rc == MPI_SUCCESS && c->wire.rank != 0 && !gb_inputs_decode(bytes, length, inputs))
    rc = MPI_ERR_OTHER;
  free(bytes);
  return rc;
}

/* The second round: ranks find their shared-memory nodes. */
static int find_nodes(gb_comm *c, const gb_identity *all, gb_inputs *in) {
  int *leader = NULL, rc = gb_nodes_gather(c, &leader);
  if (rc == MPI_SUCCESS && c->wire.rank == 0)
    gb_read_nodes(c, all, leader, in);
  free(leader);
  return rc;
}

int gb_fetch_inputs(gb_comm *c, gb_inputs *in) {
  gb_identity *all = NULL;
  int rc = gather_identities(c, &all);
  if (rc == MPI_SUCCESS && c->wire.rank == 0)
    gb_read_inputs(c, all, in);
  if (rc == MPI_SUCCESS)
    rc = share(c, in);
  const bool again = rc == MPI_SUCCESS && in->by_nodes;
  if (again && c->wire.rank != 0)
    gb_inputs_release(in);
  if (again && (rc = find_nodes(c, all, in)) == MPI_SUCCESS)
    rc = share(c, in);
  free(all);
  return rc;
}

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
