/* No hosts file: every shared-memory node is a host of one cluster. */
#include "mpi/nodes.h"
#include "mpi/error.h"
#include <stdlib.h>
#include <string.h>

int gb_nodes_leader(MPI_Comm comm, int rank, int *leader) {
  MPI_Comm node;
  int rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  if (rc != MPI_SUCCESS)
    return rc;
  rc = MPI_Allreduce(&rank, leader, 1, MPI_INT, MPI_MIN, node);
  (void)MPI_Comm_free(&node);
  return rc;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether the nodes can go by their processor names: plain, and no two the same. */
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

/* Nodes are numbered in the order of their lowest ranks. */
static int describe(const gb_comm *c, const int *leader, const gb_identity *all, gb_inputs *in) {
  uint32_t size = (uint32_t)c->size, nodes = 0;
  uint32_t *first_rank = malloc(sizeof *first_rank * size), *ranks = calloc(size, sizeof *ranks);
  in->rank_host = malloc(sizeof *in->rank_host * size);
  in->rank_count = size;
  int rc = MPI_SUCCESS;
  if (first_rank == NULL || ranks == NULL || in->rank_host == NULL)
    rc = MPI_ERR_NO_MEM;
  for (uint32_t r = 0; rc == MPI_SUCCESS && r < size; r++) {
    if ((uint32_t)leader[r] == r) {
      first_rank[nodes] = r;
      in->rank_host[r] = nodes++;
    } else {
      in->rank_host[r] = in->rank_host[leader[r]]; /* its leader comes before it */
    }
    ranks[in->rank_host[r]]++;
  }
  if (rc == MPI_SUCCESS)
    rc = write_platform(all, first_rank, ranks, nodes, in);
  free(first_rank);
  free(ranks);
  return rc;
}

int gb_nodes_find(const gb_comm *c, const gb_identity *all, gb_inputs *in) {
  int mine, *leader = NULL, rc = gb_nodes_leader(c->dup, c->rank, &mine);
  if (rc != MPI_SUCCESS)
    return rc;
  if (c->rank == 0 && (leader = malloc(sizeof *leader * (size_t)c->size)) == NULL)
    return MPI_ERR_NO_MEM;
  rc = MPI_Gather(&mine, 1, MPI_INT, leader, 1, MPI_INT, 0, c->dup);
  if (rc == MPI_SUCCESS && c->rank == 0) {
    in->code = describe(c, leader, all, in);
    if (in->code != MPI_SUCCESS) {
      in->rank_count = 0;
      in->platform_length = 0;
      fprintf(stderr, "gbcast: out of memory\n");
    }
  }
  free(leader);
  return rc;
}
