/* The endpoints of a plan, grouped by site and host, and each site's leader. */
#include "plan/core/core.h"
#include <stdlib.h>

#define MAX_RANKS 2097152u

/* Whether the cluster passes data on without ranks of its own. */
static bool is_relay(const gbcast_platform *p, const gb_job *job, uint32_t cluster) {
  const gb_cluster *c = &p->cluster[cluster];
  bool relay = job->relays && c->relay;
  for (uint32_t i = 0; relay && i < c->host_count; i++)
    relay = job->ranks[p->host_of_cluster[c->host_start + i]] == 0;
  return relay;
}

/* Ranks of the job on a host; one on the leader of a relay. */
static uint32_t ranks_on(const gbcast_platform *p, const gb_job *job, uint32_t host) {
  const uint32_t cluster = p->host[host].cluster;
  const bool passes_on = host == gb_platform_leader(p, cluster) && is_relay(p, job, cluster);
  return passes_on ? 1 : job->ranks[host];
}

static int count(gbcast_plan *plan, const gb_job *job, gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  uint64_t endpoints = 0;
  for (uint32_t c = 0; c < p->cluster_count; c++) {
    uint64_t before = endpoints;
    for (uint32_t i = 0; i < p->cluster[c].host_count; i++)
      endpoints += ranks_on(p, job, p->host_of_cluster[p->cluster[c].host_start + i]);
    plan->site_count += endpoints > before;
  }
  if (endpoints == 0 || endpoints > MAX_RANKS)
    return gb_fail_at(err, &p->host[p->host_count - 1].where, "found %llu ranks, expected 1 to %u",
                      (unsigned long long)endpoints, MAX_RANKS);
  plan->schedule.endpoint_count = (uint32_t)endpoints;
  plan->schedule.endpoint = calloc(plan->schedule.endpoint_count, sizeof *plan->schedule.endpoint);
  plan->site = calloc(plan->site_count, sizeof *plan->site);
  return plan->schedule.endpoint && plan->site ? GBCAST_OK : gb_no_memory(err);
}

static void add_host(gbcast_plan *plan, const gb_job *job, gb_site *site, uint32_t host) {
  const uint32_t ranks = ranks_on(plan->platform, job, host);
  if (ranks == 0)
    return;
  uint32_t first = site->first_endpoint + site->endpoint_count;
  for (uint32_t k = 0; k < ranks; k++)
    plan->schedule.endpoint[first + k] = (gb_endpoint){host, k};
  site->endpoint_count += ranks;
  if (site->hosts++ == 0 || host == gb_platform_leader(plan->platform, site->cluster))
    site->leader = first;
}

int gb_layout(gbcast_plan *plan, const gb_job *job, gbcast_error *err) {
  int status = count(plan, job, err);
  if (status != GBCAST_OK)
    return status;
  const gbcast_platform *p = plan->platform;
  uint32_t s = 0, next = 0;
  plan->schedule.root = GB_NONE;
  for (uint32_t i = 0; i < 2 * p->cluster_count; i++) { /* relays come last */
    const uint32_t c = i % p->cluster_count;
    gb_site site = {.cluster = c, .first_endpoint = next, .relay = i >= p->cluster_count};
    if (is_relay(p, job, c) != site.relay)
      continue;
    for (uint32_t h = 0; h < p->cluster[c].host_count; h++)
      add_host(plan, job, &site, p->host_of_cluster[p->cluster[c].host_start + h]);
    if (site.hosts == 0)
      continue;
    for (uint32_t e = next; e < next + site.endpoint_count; e++)
      if (plan->schedule.endpoint[e].host == job->root_host && plan->schedule.endpoint[e].k == job->root_k) {
        plan->schedule.root = site.leader = e;
        plan->root_site = s;
      }
    next += site.endpoint_count;
    plan->site[s++] = site;
  }
  if (job->root_host == GB_NONE)
    plan->schedule.root = plan->site[0].leader;
  if (plan->schedule.root == GB_NONE)
    return gb_fail_at(err, &p->host[job->root_host].where, "the root '%s' is not a rank of the job",
                      p->host[job->root_host].name);
  return GBCAST_OK;
}
