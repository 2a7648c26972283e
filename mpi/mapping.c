/* Which host of the platform each rank runs on. Rank 0 only. */
#include "mpi/mapping.h"
#include "platform/match.h"
#include <ctype.h>
#include <stdlib.h>

bool gb_identities_apart(const gb_identity *rank, int size) {
  for (int r = 0; r < size; r++)
    if (rank[r].world_rank == MPI_UNDEFINED)
      return true;
  return false;
}

int gb_map_by_name(const gbcast_platform *p, const gb_identity *rank, int size, int verbose,
                   uint32_t *rank_host, gbcast_error *err) {
  gb_matcher m;
  int rc = gb_matcher_open(&m, p, err);
  for (int r = 0; rc == GBCAST_OK && r < size; r++) {
    char who[32];
    bool assumed;
    (void)snprintf(who, sizeof who, "rank %d runs on", r);
    rc = gb_match(&m, who, rank[r].name, &rank_host[r], &assumed, err);
    if (rc == GBCAST_OK && assumed && verbose > 0)
      fprintf(stderr, "gbcast: '%s' is taken to be the host '%s'\n", rank[r].name,
              p->host[rank_host[r]].name);
  }
  gb_matcher_close(&m);
  return rc;
}

int gb_map_by_order(const gbcast_platform *p, const gb_identity *rank, int size, uint32_t *rank_host,
                    gbcast_error *err) {
  /* slot_end[h]: slots of the hosts up to h; the host of a slot is the first whose end lies beyond it */
  uint64_t *slot_end = malloc(sizeof *slot_end * p->host_count), slots = 0;
  if (slot_end == NULL)
    return gb_no_memory(err);
  for (uint32_t h = 0; h < p->host_count; h++)
    slot_end[h] = slots += p->host[h].slots;
  int rc = GBCAST_OK;
  for (int r = 0; rc == GBCAST_OK && r < size; r++) {
    int world = rank[r].world_rank;
    if (world == MPI_UNDEFINED || world < 0) {
      rc = gb_fail(err, GBCAST_EINPUT,
                   "%s: rank %d is not in MPI_COMM_WORLD, so GBCAST_MAP=order cannot place it", p->file, r);
    } else if ((uint64_t)world >= slots) {
      rc = gb_fail(err, GBCAST_EINPUT, "%s: rank %d of MPI_COMM_WORLD has no slot: the file has %llu",
                   p->file, world, (unsigned long long)slots);
    } else {
      uint32_t low = 0, high = p->host_count - 1;
      while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slot_end[middle] > (uint64_t)world)
          high = middle;
        else
          low = middle + 1;
      }
      rank_host[r] = low;
    }
  }
  free(slot_end);
  return rc;
}

bool gb_is_plain_name(const char *name) {
  if (gb_is_keyword(name) || !isalnum((unsigned char)name[0]))
    return false;
  for (const char *at = name; *at != '\0'; at++)
    if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_' && *at != '.')
      return false;
  return true;
}
