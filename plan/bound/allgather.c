/* The lower bound of an allgather of m bytes in all, of which each of P ranks has m / P at first:
 *
 *   from each site      the broadcast of its blocks to all (bound.c)
 *   into each host      (m - its own blocks) / its link
 *   into each site      latency of the nearest link + (m - its own blocks) / all links that lead there, or
 * its wan-bandwidth */
#include "plan/bound/allgather.h"
#include "plan/bound/limits.h"
#include <math.h>

/* What comes in over all links that lead to a site, bytes/s. */
static double in_capacity(const gbcast_platform *p, uint32_t cluster) {
  double in = 0;
  for (uint32_t i = 0; i < p->link_count; i++)
    if (p->link[i].to == cluster)
      in += gb_bound_link_capacity(&p->link[i]);
  if (p->assumed_mesh)
    in = p->assumed.bandwidth * (double)(p->cluster_count - 1);
  return gb_smaller(in, gb_bound_site_capacity(p, cluster));
}

static double nearest_site(const gbcast_platform *p, uint32_t cluster) {
  double latency = p->assumed_mesh ? p->assumed.latency : INFINITY;
  for (uint32_t i = 0; i < p->link_count; i++)
    if (p->link[i].to == cluster)
      latency = gb_smaller(latency, gb_bound_link_latency(&p->link[i]));
  return latency;
}

/* Ranks on the host of the site that has most of them. */
static uint32_t fullest(const gbcast_plan *plan, const gb_site *site) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < site->endpoint_count; i++) {
    const uint32_t k = plan->schedule.endpoint[site->first_endpoint + i].k + 1;
    most = k > most ? k : most;
  }
  return most;
}

double gb_bound_allgather_in(const gbcast_plan *plan, uint64_t bytes) {
  const gbcast_platform *p = plan->given;
  const double block = (double)bytes / plan->schedule.endpoint_count;
  double bound = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    const double to_host = (double)(plan->schedule.endpoint_count - fullest(plan, site)),
                 to_site = (double)(plan->schedule.endpoint_count - site->endpoint_count);
    if (to_host > 0)
      bound = gb_larger(bound, block * to_host / gb_bound_host_capacity(p, site->cluster));
    if (to_site > 0)
      bound =
          gb_larger(bound, nearest_site(p, site->cluster) + block * to_site / in_capacity(p, site->cluster));
  }
  return bound;
}
