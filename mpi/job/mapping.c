/* Which host of the platform each rank runs on. Rank 0 only. */
#include "mpi/job/mapping.h"
#include "platform/platform.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Names that are not those of the processors, such as addresses, never match. */
static void add_hint(gbcast_error *err) {
  const size_t length = strlen(err->message);
  (void)snprintf(
      err->message + length, sizeof err->message - length,
      "; expected the names that MPI gives its processors, or GBCAST_MAP=order, which takes the ranks to "
      "be on the slots in the order of the file");
}

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
    if (rc == GBCAST_EINPUT)
      add_hint(err);
    if (rc == GBCAST_OK && assumed && verbose > 0)
      fprintf(stderr, "gbcast: '%s' is taken to be the host '%s'\n", rank[r].name,
              p->host[rank_host[r]].name);
  }
  gb_matcher_close(&m);
  return rc;
}

/* Fills host (slot_count) with those of the slots that may take ranks; relays take none. */
static uint32_t list_slots(const gbcast_platform *p, uint32_t *host) {
  uint32_t count = 0;
  for (uint32_t run = 0; run < p->run_count; run++) {
    const uint32_t h = p->run[run].host, slots = gb_takes_ranks(p, h) ? gb_slot_run_length(p, run) : 0;
    for (uint32_t i = 0; i < slots; i++)
      host[count++] = h;
  }
  return count;
}

int gb_map_by_order(const gbcast_platform *p, const gb_identity *rank, int size, uint32_t *rank_host,
                    gbcast_error *err) {
  uint32_t *slot = malloc((size_t)p->slot_count * sizeof *slot);
  if (slot == NULL)
    return gb_no_memory(err);
  const uint32_t slots = list_slots(p, slot);
  int status = slots > 0 ? GBCAST_OK
                         : gb_fail_at(err, &p->cluster[0].where,
                                      "found relays alone, expected a cluster whose hosts have ranks");
  for (int r = 0; status == GBCAST_OK && r < size; r++) {
    const int world = rank[r].world_rank;
    if (world == MPI_UNDEFINED || world < 0)
      status =
          gb_fail(err, GBCAST_EINPUT,
                  "%s: rank %d is not in MPI_COMM_WORLD, so GBCAST_MAP=order cannot place it", p->file, r);
    else
      rank_host[r] = slot[(uint32_t)world % slots]; // NOLINT(clang-analyzer-core.DivideZero): checked above
  }
  free(slot);
  return status;
}

bool gb_is_plain_name(const char *name) {
  if (gb_is_keyword(name) || !isalnum((unsigned char)name[0]))
    return false;
  for (const char *at = name; *at != '\0'; at++)
    if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_' && *at != '.')
      return false;
  return true;
}
