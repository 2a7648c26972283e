/* What every rank plans from: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs.
 *
 *   every rank  -- its name ------------------------------> rank 0   gather
 *   rank 0      reads settings and hosts file, places the ranks
 *   every rank <-- settings, platform, live values, hosts - rank 0   broadcast
 *
 * A second round finds the shared-memory nodes, if there is no hosts file or if several ranks report one name
 * (nodes.h). */
#include "mpi/comm/fetch.h"
#include "mpi/comm/complain.h"
#include "mpi/comm/handle.h"
#include "mpi/comm/nodes.h"
#include "mpi/comm/plans.h"
#include "mpi/comm/read_inputs.h"
#include "mpi/comm/spread.h"
#include "mpi/job/job.h"
#include <stdlib.h>
#include <string.h>

/* Finds for each rank of the communicator its rank in this one's MPI_COMM_WORLD. */
static int find_world_ranks(const gb_comm *c, gb_identity *all) {
  int *world_rank, rc = gb_comm_ranks(c->user, c->wire.size, MPI_COMM_WORLD, &world_rank);
  for (int r = 0; rc == MPI_SUCCESS && r < c->wire.size; r++)
    all[r].world_rank = world_rank[r];
  free(world_rank);
  return rc;
}

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

/* Sends the inputs of rank 0, which keeps them, and decodes them on all other ranks; or just that these have
 * to find their nodes first. */
static int share(const gb_comm *c, gb_inputs *inputs) {
  char *bytes = NULL;
  size_t length = 0;
  const gb_inputs *sent = inputs->by_nodes ? &(gb_inputs){.by_nodes = true} : inputs;
  if (c->wire.rank == 0 && gb_inputs_encode(sent, &bytes, &length) != GBCAST_OK)
    length = 0;
  int rc = gb_spread(c, &bytes, &length);
  if (rc == MPI_SUCCESS && c->wire.rank != 0 && !gb_inputs_decode(bytes, length, inputs))
    rc = MPI_ERR_OTHER;
  free(bytes);
  return rc;
}

/* Rank 0: prints why the inputs cannot be used. For the preloaded library calls are passed on to MPI then. */
static void refuse(const gb_comm *c, const char *why, gb_inputs *in) {
  gb_comm_complain(c, why);
  in->rank_count = 0; /* nobody was placed */
  in->platform_length = in->plans_length = 0;
  gb_weather_release(&in->weather);
  in->by_nodes = in->by_names = false;
  if (c->overrides.preload != NULL) {
    in->left = GB_LEFT_REFUSED;
    in->code = MPI_SUCCESS;
  }
}

/* Rank 0: adds GBCAST_PLAN, when every rank has its host. */
static void add_plans(const gb_comm *c, gb_inputs *in) {
  gbcast_error err = {{0}};
  if (in->code != MPI_SUCCESS || in->left != GB_LEFT_NOTHING)
    return;
  in->code = gb_class_of_status(gb_plans_read(&c->overrides, c->wire.size, in, &err));
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
}

/* Rank 0: reads settings, hosts file and live values for these ranks. An error class. */
static int read_all(gb_comm *c, const gb_identity *all, gb_inputs *in, gbcast_error *err) {
  if (c->overrides.code != MPI_SUCCESS) {
    (void)gb_fail(err, GBCAST_EUSAGE, "the MPI_Info given to gbcast_setup() cannot be read");
    return c->overrides.code;
  }
  for (int r = 0; r < c->wire.size; r++)
    if (all[r].code != MPI_SUCCESS) {
      (void)gb_fail(err, GBCAST_EINPUT, "MPI does not tell rank %d where it runs", r);
      return all[r].code;
    }
  return gb_class_of_status(gb_read_inputs(c, all, in, err));
}

/* Rank 0: the same, with errors printed. */
static void read_inputs(gb_comm *c, gb_identity *all, gb_inputs *in) {
  gbcast_error err = {"MPI does not tell the ranks of MPI_COMM_WORLD, or there is no memory for them"};
  in->code = find_world_ranks(c, all);
  in->close_order = (uint64_t)(uint32_t)all[0].world_rank << 32 | c->close_order;
  if (in->code == MPI_SUCCESS)
    in->code = read_all(c, all, in, &err);
  in->code = gb_class_of_code(in->code); /* other ranks know classes alone */
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
  if (!in->by_nodes)
    add_plans(c, in);
}

/* The second round: ranks find their shared-memory nodes. Rank 0 makes a platform of them, or checks that the
 * ranks that were placed on one host are on one node. */
static int find_nodes(gb_comm *c, const gb_identity *all, gb_inputs *in) {
  gbcast_error err = {{0}};
  int *leader = NULL, rc = gb_nodes_gather(c, &leader);
  if (rc == MPI_SUCCESS && c->wire.rank == 0) {
    bool open;
    in->code = gb_class_of_status(in->by_names
                                      ? gb_nodes_check(all, leader, c->wire.size, in->rank_host, &open, &err)
                                      : gb_nodes_describe(all, leader, c->wire.size, in, &err));
    if (in->code != MPI_SUCCESS)
      refuse(c, err.message, in);
    in->by_nodes = in->by_names = false;
    add_plans(c, in);
  }
  free(leader);
  return rc;
}

int gb_fetch_inputs(gb_comm *c, gb_inputs *in) {
  gb_identity *all = NULL;
  int rc = gather_identities(c, &all);
  if (rc == MPI_SUCCESS && c->wire.rank == 0)
    read_inputs(c, all, in);
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
