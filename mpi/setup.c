/* Setting a communicator up: rank 0 reads the settings and the hosts file, and every rank gets the same
 * inputs.
 *
 *   every rank  -- its name ------------------------------> rank 0   gather
 *   rank 0      reads settings and hosts file, places the ranks
 *   every rank <-- settings, platform, live values, hosts - rank 0   broadcast
 *
 * There is a second round for the shared-memory nodes without a hosts file, or where ranks of one name have
 * to be told apart (nodes.h). */
#include "mpi/setup.h"
#include "mpi/duplicate.h"
#include "mpi/early.h"
#include "mpi/engine.h"
#include "mpi/epoch.h"
#include "mpi/error.h"
#include "mpi/inputs.h"
#include "mpi/nodes.h"
#include "mpi/plans.h"
#include "mpi/read_inputs.h"
#include "mpi/registry.h"
#include "mpi/spread.h"
#include "mpi/watch.h"
#include <stdlib.h>
#include <string.h>

/* The ranks that all ranks of the communicator have in this one's MPI_COMM_WORLD. */
static int find_world_ranks(const gb_comm *c, gb_identity *all) {
  int *rank = malloc(2 * sizeof *rank * (size_t)c->size), *world_rank = rank + c->size;
  MPI_Group here, world;
  if (rank == NULL)
    return MPI_ERR_NO_MEM;
  int rc = MPI_Comm_group(c->user, &here);
  if (rc == MPI_SUCCESS && (rc = MPI_Comm_group(MPI_COMM_WORLD, &world)) == MPI_SUCCESS) {
    for (int r = 0; r < c->size; r++)
      rank[r] = r;
    rc = MPI_Group_translate_ranks(here, c->size, rank, world, world_rank);
    (void)MPI_Group_free(&world);
    for (int r = 0; rc == MPI_SUCCESS && r < c->size; r++)
      all[r].world_rank = world_rank[r];
    (void)MPI_Group_free(&here);
  }
  free(rank);
  return rc;
}

/* Every rank tells rank 0 who it is; *all is to be freed there. */
static int gather_identities(const gb_comm *c, gb_identity **all) {
  gb_identity mine;
  int length;
  memset(&mine, 0, sizeof mine);
  mine.code = MPI_Get_processor_name(mine.name, &length);
  mine.node = c->overrides.preload != NULL ? c->overrides.preload->leader : -1;
  *all = c->rank == 0 ? malloc(sizeof **all * (size_t)c->size) : NULL;
  if (c->rank == 0 && *all == NULL)
    return gb_give_up(c->user);
  return MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, *all, (int)sizeof mine, MPI_BYTE, 0, c->user);
}

/* Rank 0's inputs (`from` is only read there), decoded on every rank. */
static int share(const gb_comm *c, const gb_inputs *from, gb_inputs *to) {
  char *bytes = NULL;
  size_t length = 0;
  if (c->rank == 0 && gb_inputs_encode(from, &bytes, &length) != GBCAST_OK)
    length = 0;
  int rc = gb_spread(&bytes, &length, c->user);
  if (rc == MPI_SUCCESS && !gb_inputs_decode(bytes, length, to))
    rc = MPI_ERR_OTHER;
  free(bytes);
  return rc != MPI_SUCCESS ? rc : to->code;
}

/* Rank 0: it is told, and left to MPI where it may be. */
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

/* Rank 0, once every rank has its host. */
static void add_plans(const gb_comm *c, gb_inputs *in) {
  gbcast_error err = {{0}};
  if (in->code != MPI_SUCCESS || in->left != GB_LEFT_NOTHING)
    return;
  in->code = gb_class_of_status(gb_plans_read(&c->overrides, c->size, in, &err));
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
}

/* Rank 0, once it knows who all are. An error class. */
static int read_all(gb_comm *c, const gb_identity *all, gb_inputs *in, gbcast_error *err) {
  if (c->overrides.code != MPI_SUCCESS) {
    (void)gb_fail(err, GBCAST_EUSAGE, "the MPI_Info given to gbcast_setup() cannot be read");
    return c->overrides.code;
  }
  for (int r = 0; r < c->size; r++)
    if (all[r].code != MPI_SUCCESS) {
      (void)gb_fail(err, GBCAST_EINPUT, "MPI does not tell rank %d where it runs", r);
      return all[r].code;
    }
  return gb_class_of_status(gb_read_inputs(&c->overrides, all, c->size, in, err));
}

/* Rank 0. */
static void read_inputs(gb_comm *c, gb_identity *all, gb_inputs *in) {
  gbcast_error err = {"out of memory"};
  in->code = find_world_ranks(c, all);
  in->turn = (uint64_t)(uint32_t)all[0].world_rank << 32 | c->turn;
  if (in->code == MPI_SUCCESS)
    in->code = read_all(c, all, in, &err);
  if (in->code != MPI_SUCCESS)
    refuse(c, err.message, in);
}

/* The round in which ranks find their shared-memory nodes. Rank 0 builds a platform of them, or looks whether
 * those that were placed on one host are on one node. */
static int find_nodes(gb_comm *c, const gb_identity *all, gb_inputs *in) {
  gbcast_error err = {{0}};
  int *leader = NULL, rc = gb_nodes_gather(c, &leader);
  if (rc == MPI_SUCCESS && c->rank == 0) {
    bool open;
    in->code =
        gb_class_of_status(in->by_names ? gb_nodes_check(all, leader, c->size, in->rank_host, &open, &err)
                                        : gb_nodes_describe(all, leader, c->size, in, &err));
    if (in->code != MPI_SUCCESS)
      refuse(c, err.message, in);
    in->by_nodes = in->by_names = false;
  }
  free(leader);
  return rc;
}

static int fetch_inputs(gb_comm *c, gb_inputs *in) {
  gb_identity *all = NULL;
  gb_inputs mine = {0};
  int rc = gather_identities(c, &all);
  if (rc == MPI_SUCCESS && c->rank == 0)
    read_inputs(c, all, &mine);
  if (rc == MPI_SUCCESS && c->rank == 0 && !mine.by_nodes)
    add_plans(c, &mine);
  if (rc == MPI_SUCCESS)
    rc = share(c, mine.by_nodes ? &(gb_inputs){.by_nodes = true} : &mine, in);
  while (rc == MPI_SUCCESS && in->by_nodes) { /* once */
    gb_inputs_release(in);
    rc = find_nodes(c, all, &mine);
    if (rc == MPI_SUCCESS && c->rank == 0)
      add_plans(c, &mine);
    if (rc == MPI_SUCCESS)
      rc = share(c, &mine, in);
  }
  gb_inputs_release(&mine);
  free(all);
  return rc;
}

/* The ranks of each host, in the order of their numbers. */
static int index_ranks(gb_comm *c) {
  uint32_t hosts = c->platform->host_count, size = (uint32_t)c->size;
  c->rank_k = malloc(sizeof(uint32_t) * size);
  c->host_rank = malloc(sizeof(uint32_t) * size);
  c->host_ranks = calloc(hosts, sizeof(uint32_t));
  c->host_first = calloc((size_t)hosts + 1, sizeof(uint32_t));
  if (c->rank_k == NULL || c->host_rank == NULL || c->host_ranks == NULL || c->host_first == NULL)
    return MPI_ERR_NO_MEM;
  for (uint32_t r = 0; r < size; r++) {
    if (c->rank_host[r] >= hosts)
      return MPI_ERR_OTHER;
    c->rank_k[r] = c->host_ranks[c->rank_host[r]]++;
  }
  for (uint32_t h = 0; h < hosts; h++)
    c->host_first[h + 1] = c->host_first[h] + c->host_ranks[h];
  for (uint32_t r = 0; r < size; r++)
    c->host_rank[c->host_first[c->rank_host[r]] + c->rank_k[r]] = r;
  return MPI_SUCCESS;
}

/* Which ranks share memory with this one; c->near stays NULL where that is not known. */
static int find_near(gb_comm *c) {
  const gb_preload *preload = c->overrides.preload;
  MPI_Group all;
  if (preload == NULL || preload->node == MPI_GROUP_NULL)
    return MPI_SUCCESS;
  int *rank = malloc(2 * sizeof *rank * (size_t)c->size), *at = rank + c->size;
  c->near = calloc((size_t)c->size, sizeof *c->near);
  int rc = rank == NULL || c->near == NULL ? MPI_ERR_NO_MEM : MPI_Comm_group(c->user, &all);
  if (rc == MPI_SUCCESS) {
    for (int r = 0; r < c->size; r++)
      rank[r] = r;
    rc = MPI_Group_translate_ranks(all, c->size, rank, preload->node, at);
    for (int r = 0; rc == MPI_SUCCESS && r < c->size; r++)
      c->near[r] = at[r] != MPI_UNDEFINED;
    (void)MPI_Group_free(&all);
  }
  free(rank);
  return rc;
}

static int adopt_inputs(gb_comm *c, gb_inputs *in) {
  c->left = in->left;
  c->refused = in->left == GB_LEFT_REFUSED ? ~0u : 0;
  c->turn = in->turn;
  c->verbose = in->verbose;
  c->check = in->check;
  c->segment = in->segment;
  c->lanes = in->lanes;
  c->inter = in->inter; /* moved */
  c->intra = in->intra;
  c->sync = in->sync;
  c->rank_host = in->rank_host;
  in->inter = in->intra = in->sync = NULL;
  in->rank_host = NULL;
  if (c->left == GB_LEFT_WORLDS && c->rank == 0)
    gb_comm_tell_left(c);
  if (c->left != GB_LEFT_NOTHING)
    return MPI_SUCCESS;
  if (in->rank_count != (uint32_t)c->size || in->platform == NULL)
    return MPI_ERR_OTHER;
  gbcast_error err = {{0}};
  int rc = gb_inputs_platform(in, &c->base, &err);
  c->platform = c->base;
  if (rc == GBCAST_OK)
    rc = gb_plans_take(in, &c->plans, &err);
  if (rc != GBCAST_OK) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->rank, err.message);
    return gb_class_of_status(rc);
  }
  rc = index_ranks(c);
  return rc == MPI_SUCCESS ? find_near(c) : rc;
}

/* Nothing else is known. */
static void empty(gb_comm *c, MPI_Comm comm, gb_preload *preload, uint32_t number) {
  *c =
      (gb_comm){.user = comm, .dup = MPI_COMM_NULL, .offer = MPI_REQUEST_NULL, .sequence = 1, .turn = number};
  for (unsigned ear = 0; ear < GB_EARS; ear++)
    c->listen[ear] = MPI_REQUEST_NULL;
  c->overrides.preload = preload;
}

int gb_setup_new(MPI_Comm comm, gb_preload *preload, uint32_t number, gb_comm **out) {
  gb_comm *c = malloc(sizeof *c);
  if (c == NULL)
    return MPI_ERR_NO_MEM;
  empty(c, comm, preload, number);
  int rc = MPI_Comm_rank(comm, &c->rank);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_size(comm, &c->size);
  if (rc == MPI_SUCCESS)
    *out = c;
  else
    free(c);
  return rc;
}

/* Once in a job; the preloaded library has done so in MPI_Init(). */
static void tell_unknown(const gb_comm *c) {
  const gb_preload *preload = c->overrides.preload;
  int world_rank = -1;
  if ((preload == NULL || preload->parent == MPI_COMM_NULL) && !atomic_exchange(&c->registry->told, true) &&
      MPI_Comm_rank(MPI_COMM_WORLD, &world_rank) == MPI_SUCCESS && world_rank == 0)
    gb_settings_tell_unknown();
}

int gb_setup_make(gb_comm *c) {
  gb_inputs in = {0};
  tell_unknown(c);
  int rc = fetch_inputs(c, &in);
  if (rc == MPI_SUCCESS)
    rc = adopt_inputs(c, &in);
  if (rc == MPI_SUCCESS && c->rank == 0)
    gb_watch_make(c);
  gb_inputs_release(&in);
  return rc;
}

static void release(gb_comm *c) {
  gb_cache_release(&c->cache);
  if (c->dup != MPI_COMM_NULL)
    gb_engine_close(c);
  gb_duplicate_free(c);
  gb_early_release(c->early);
  gb_overrides_release(&c->overrides);
  gb_watch_free(c);
  gb_epoch_release(c);
  gb_plans_release(&c->plans);
  free(c->inter);
  free(c->intra);
  free(c->sync);
  free(c->rank_host);
  free(c->rank_k);
  free(c->near);
  free(c->host_ranks);
  free(c->host_first);
  free(c->host_rank);
}

void gb_setup_reset(gb_comm *c) {
  gb_comm old = *c;
  release(c);
  empty(c, old.user, old.overrides.preload, (uint32_t)old.turn);
  c->registry = old.registry;
  c->previous = old.previous;
  c->next = old.next;
  c->rank = old.rank;
  c->size = old.size;
}

void gb_setup_free(gb_comm *c) {
  if (c == NULL)
    return;
  release(c);
  free(c);
}
