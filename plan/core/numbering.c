/* The numbers of a job's ranks: which rank is on which host. */
#include "plan/core/core.h"
#include <stdlib.h>
#include <string.h>

static bool is_last_run(const gbcast_platform *p, uint32_t run) {
  const gb_slot_run *r = &p->run[run];
  return r->k + gb_slot_run_length(p, run) == p->host[r->host].slots;
}

static void by_slots(const gbcast_platform *p, const uint32_t *ranks, uint32_t *host) {
  for (uint32_t run = 0; run < p->run_count; run++) {
    const gb_slot_run *r = &p->run[run];
    const uint32_t end = r->k + gb_slot_run_length(p, run);
    for (uint32_t k = r->k; k < ranks[r->host] && (k < end || is_last_run(p, run)); k++)
      *host++ = r->host;
  }
}

/* Whether as many ranks are on each host as the job has there. */
static int check(const gbcast_platform *p, const uint32_t *ranks, const uint32_t *host, uint32_t count,
                 gbcast_error *err) {
  uint32_t *left = malloc((p->host_count + (size_t)1) * sizeof *left);
  if (!left)
    return gb_no_memory(err);
  memcpy(left, ranks, p->host_count * sizeof *left);
  uint32_t r = 0;
  while (r < count && host[r] < p->host_count && left[host[r]] > 0)
    left[host[r++]]--;
  free(left);
  return r == count
             ? GBCAST_OK
             : gb_fail(err, GBCAST_EUSAGE,
                       "found rank %u on host number %u, expected as many ranks on each host as it has", r,
                       host[r]);
}

int gb_numbering(const gbcast_platform *p, const uint32_t *ranks, const uint32_t *rank_host, uint32_t **host,
                 uint32_t *count, gbcast_error *err) {
  uint64_t total = 0;
  for (uint32_t h = 0; h < p->host_count; h++)
    total += ranks[h];
  *host = NULL;
  if (total > INT32_MAX)
    return gb_fail_at(err, &p->host[p->host_count - 1].where, "found %llu ranks, expected at most %d",
                      (unsigned long long)total, INT32_MAX);
  *count = (uint32_t)total;
  *host = malloc((total + 1) * sizeof **host);
  if (!*host)
    return gb_no_memory(err);
  if (!rank_host) {
    by_slots(p, ranks, *host);
    return GBCAST_OK;
  }
  memcpy(*host, rank_host, *count * sizeof **host);
  return check(p, ranks, *host, *count, err);
}
