/* Shared-memory nodes. */
#include "mpi/comm/setup.h"
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether processor names can be the nodes' names: they are plain, and no two are the same. */
static bool names_serve(const gb_identity *all, const uint32_t *first_rank, uint32_t nodes) {
  const char **name = malloc(sizeof *name * (nodes + (size_t)1));
  bool ok = name != NULL;
  for (uint32_t i = 0; ok && i < nodes; i++) {
    name[i] = all[first_rank[i]].name;
    ok = gb_is_plain_name(name[i]);
  }
  if (ok)
    qsort((void *)name, nodes, sizeof *name, compare_names);
  for (uint32_t i = 1; ok && i < nodes; i++)
    ok = strcmp(name[i - 1], name[i]) != 0;
  free((void *)name);
  return ok;
}

static int write_platform(const gb_identity *all, const uint32_t *first_rank, const uint32_t *ranks,
                          uint32_t nodes, gb_inputs *in) {
  FILE *out = open_memstream(&in->platform, &in->platform_length);
  if (out == NULL)
    return MPI_ERR_NO_MEM;
  bool named = names_serve(all, first_rank, nodes), failed = fprintf(out, "cluster local\n") < 0;
  for (uint32_t i = 0; !failed && i < nodes; i++)
    failed = (named ? fprintf(out, "%s slots=%u\n", all[first_rank[i]].name, ranks[i])
                    : fprintf(out, "node%u slots=%u\n", i, ranks[i])) < 0;
  return fclose(out) != 0 || failed ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

/* Numbers the nodes in the order of their lowest ranks. */
int gb_nodes_describe(const gb_identity *all, const int *leader, int ranks_in_all, gb_inputs *in,
                      gbcast_error *err) {
  uint32_t size = (uint32_t)ranks_in_all, nodes = 0;
  uint32_t *first_rank = malloc(sizeof *first_rank * size), *ranks = calloc(size, sizeof *ranks);
  in->rank_host = malloc(sizeof *in->rank_host * size);
  in->rank_count = size;
  bool ok = first_rank != NULL && ranks != NULL && in->rank_host != NULL;
  for (uint32_t r = 0; ok && r < size; r++) {
    if ((uint32_t)leader[r] == r) {
      first_rank[nodes] = r;
      in->rank_host[r] = nodes++;
    } else {
      in->rank_host[r] = in->rank_host[leader[r]]; /* known already: the leader is lower */
    }
    ranks[in->rank_host[r]]++;
  }
  ok = ok && write_platform(all, first_rank, ranks, nodes, in) == MPI_SUCCESS;
  free(first_rank);
  free(ranks);
  return ok ? GBCAST_OK : gb_no_memory(err);
}

int gb_nodes_gather(const gb_comm *c, int **leader) {
  int mine, rc = gb_nodes_leader(c->user, &mine);
  if (rc != MPI_SUCCESS)
    return rc;
  *leader = c->wire.rank == 0 ? malloc(sizeof **leader * (size_t)c->wire.size) : NULL;
  if (c->wire.rank == 0 && *leader == NULL)
    return gb_give_up(c->user);
  rc = PMPI_Gather(&mine, 1, MPI_INT, *leader, 1, MPI_INT, 0, c->user);
  if (rc != MPI_SUCCESS)
    *leader = NULL; /* they stay: MPI may still write there */
  return rc;
}

int gb_nodes_check(const gb_identity *all, const int *leader, int size, const uint32_t *rank_host, bool *open,
                   gbcast_error *err) {
  uint32_t hosts = 0;
  for (int r = 0; r < size; r++)
    hosts = rank_host[r] >= hosts ? rank_host[r] + 1 : hosts;
  /* the first rank on each host, + 1 */
  int *after = calloc(hosts + (size_t)1, sizeof *after), rc = GBCAST_OK;
  if (after == NULL)
    return gb_no_memory(err);
  *open = false;
  for (int r = 0; rc == GBCAST_OK && r < size; r++) {
    const int other = after[rank_host[r]] - 1;
    if (other < 0) {
      after[rank_host[r]] = r + 1;
      continue;
    }
    const bool apart = all[r].world_rank == MPI_UNDEFINED || all[other].world_rank == MPI_UNDEFINED;
    const int node = leader != NULL ? leader[r] : all[r].node;
    const int other_node = leader != NULL ? leader[other] : all[other].node;
    if (leader == NULL && (apart || node < 0 || other_node < 0))
      *open = true;
    else if (node != other_node)
      rc = gb_fail(err, GBCAST_EINPUT,
                   "ranks %d and %d both run on '%s' but share no memory, so that two nodes have this name: "
                   "name them differently, or set GBCAST_MAP=order",
                   other, r, all[r].name);
  }
  free(after);
  return rc;
}
