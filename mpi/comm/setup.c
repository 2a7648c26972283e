/* Setting a communicator up: every rank makes of the inputs what its plans are made from. */
#include "mpi/comm/setup.h"
#include "mpi/comm/handle.h"
#include "mpi/comm/inputs.h"
#include "mpi/comm/registry.h"
#include "mpi/comm/reporting.h"
#include "mpi/comm/verbose.h"
#include "mpi/comm/version.h"
#include "mpi/exec/exec.h"
#include "mpi/job/job.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Lists the ranks of each host in ascending order. */
static int index_ranks(gb_comm *c) {
  uint32_t hosts = c->platform->host_count, size = (uint32_t)c->wire.size;
  c->wire.rank_k = calloc(2 * ((size_t)size + hosts) + 1, sizeof(uint32_t)); /* all four arrays */
  if (c->wire.rank_k == NULL)
    return MPI_ERR_NO_MEM;
  c->wire.host_rank = c->wire.rank_k + size;
  c->wire.host_ranks = c->wire.host_rank + size;
  c->wire.host_first = c->wire.host_ranks + hosts;
  for (uint32_t r = 0; r < size; r++) {
    if (c->wire.rank_host[r] >= hosts)
      return MPI_ERR_OTHER;
    c->wire.rank_k[r] = c->wire.host_ranks[c->wire.rank_host[r]]++;
  }
  for (uint32_t h = 0; h < hosts; h++)
    c->wire.host_first[h + 1] = c->wire.host_first[h] + c->wire.host_ranks[h];
  for (uint32_t r = 0; r < size; r++)
    c->wire.host_rank[c->wire.host_first[c->wire.rank_host[r]] + c->wire.rank_k[r]] = r;
  return MPI_SUCCESS;
}

/* Finds the ranks that share memory with this one. c->wire.near stays NULL if that is not known. */
static int find_near(gb_comm *c) {
  const gb_preload *preload = c->overrides.preload;
  if (preload == NULL || preload->node == MPI_GROUP_NULL)
    return MPI_SUCCESS;
  int *at, rc = gb_group_ranks(c->user, c->wire.size, preload->node, &at);
  c->wire.near = calloc((size_t)c->wire.size, sizeof *c->wire.near);
  if (rc == MPI_SUCCESS && c->wire.near == NULL)
    rc = MPI_ERR_NO_MEM;
  for (int r = 0; rc == MPI_SUCCESS && r < c->wire.size; r++)
    c->wire.near[r] = at[r] != MPI_UNDEFINED;
  free(at);
  return rc;
}

static int adopt_inputs(gb_comm *c, gb_inputs *in) {
  c->left = in->left;
  c->refused = in->left == GB_PASSED_REFUSED ? ~0u : 0;
  gb_registry_move(c, in->close_order);
  c->settings = in->settings; /* moved */
  c->wire.rank_host = in->rank_host;
  in->settings = (gb_settings){0};
  in->rank_host = NULL;
  if (c->settings.progress_thread && !gb_progress_thread_start(c->registry) && c->wire.rank == 0)
    fprintf(stderr,
            "gbcast: GBCAST_PROGRESS=thread does nothing: the program has not asked MPI_Init_thread() for "
            "MPI_THREAD_MULTIPLE, or no thread can be made\n");
  if (c->left == GB_PASSED_WORLDS && c->wire.rank == 0)
    gb_comm_tell_left(c);
  if (c->left != GB_PASSED_NOT)
    return gb_reporting_begin(c, in);
  if (in->rank_count != (uint32_t)c->wire.size || in->platform == NULL)
    return MPI_ERR_OTHER;
  gbcast_error err = {{0}};
  int rc = gb_inputs_platform(in, &c->base, &err);
  c->platform = c->base;
  if (rc == GBCAST_OK)
    rc = gb_plans_take(in, &c->plans, &err);
  if (rc != GBCAST_OK) {
    fprintf(stderr, "gbcast: rank %d cannot read what rank 0 sent: %s\n", c->wire.rank, err.message);
    return gb_class_of_status(rc);
  }
  rc = index_ranks(c);
  if (rc == MPI_SUCCESS)
    rc = find_near(c);
  return rc == MPI_SUCCESS ? gb_reporting_begin(c, in) : rc;
}

/* Nothing is known of the communicator but itself. */
static void empty(gb_comm *c, gb_preload *preload) {
  memset((char *)c + offsetof(gb_comm, wire), 0, sizeof *c - offsetof(gb_comm, wire));
  c->wire.comm = MPI_COMM_NULL;
  c->wire.staging = &gb_host_staging;
  c->overrides.preload = preload;
}

int gb_setup_new(MPI_Comm comm, gb_preload *preload, uint32_t number, gb_comm **out) {
  gb_comm *c = calloc(1, sizeof *c);
  if (c == NULL)
    return MPI_ERR_NO_MEM;
  c->user = comm;
  atomic_init(&c->references, 1);
  empty(c, preload);
  c->close_order = number;
  int rc = MPI_Comm_rank(comm, &c->wire.rank);
  if (rc == MPI_SUCCESS)
    rc = MPI_Comm_size(comm, &c->wire.size);
  if (rc == MPI_SUCCESS)
    *out = c;
  else
    free(c);
  return rc;
}

/* Prints unknown GBCAST_ variables once in a job. The preloaded library does so in MPI_Init(). */
static void tell_unknown(const gb_comm *c) {
  const gb_preload *preload = c->overrides.preload;
  int world_rank = -1;
  if ((preload == NULL || preload->parent == MPI_COMM_NULL) &&
      !atomic_exchange(&c->registry->printed, true) &&
      MPI_Comm_rank(MPI_COMM_WORLD, &world_rank) == MPI_SUCCESS && world_rank == 0)
    gb_settings_tell_unknown();
}

int gb_setup_make(gb_comm *c, bool *alike) {
  gb_inputs in = {0};
  tell_unknown(c);
  int rc = gb_fetch_inputs(c, &in);
  *alike = rc == MPI_SUCCESS && in.code != MPI_SUCCESS;
  if (rc == MPI_SUCCESS)
    rc = *alike ? in.code : adopt_inputs(c, &in);
  if (rc == MPI_SUCCESS && c->wire.rank == 0)
    gb_refresh_make(c);
  gb_inputs_release(&in);
  return rc;
}

static void release(gb_comm *c) {
  gb_cache_release(&c->cache);
  gb_versions_end(c);
  while (!gb_exec_is_settled(&c->wire)) { /* other ranks may wait for other calls first */
    gb_handle_progress_all(c->registry);
    gb_machine_pause();
  }
  gb_exec_free(&c->wire);
  gb_reporting_end(c);
  gb_comm_free_duplicate(c);
  gb_overrides_release(&c->overrides);
  gb_refresh_free(c);
  gbcast_platform_free(c->next_platform);
  if (c->platform != c->base)
    gbcast_platform_free(c->platform);
  gbcast_platform_free(c->base);
  gb_plans_release(&c->plans);
  gb_settings_release(&c->settings);
  free(c->wire.rank_host);
  free(c->wire.rank_k);
  free(c->wire.near);
}

void gb_setup_reset(gb_comm *c) {
  gb_preload *preload = c->overrides.preload;
  const int rank = c->wire.rank, size = c->wire.size;
  release(c);
  empty(c, preload);
  c->wire.local = c->registry->local;
  c->wire.rank = rank;
  c->wire.size = size;
  gb_registry_move(c, (uint32_t)c->close_order);
}

void gb_setup_free(gb_comm *c) {
  if (c == NULL)
    return;
  release(c);
  free(c);
}
