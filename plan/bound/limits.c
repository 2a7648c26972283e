/* What links, hosts and clusters can carry at most, and the least latencies between clusters. */
#include "plan/bound/limits.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

double gb_bound_link_capacity(const gb_link *link) {
  return link->plogp.count ? gb_larger(link->bandwidth, gb_plogp_bandwidth(&link->plogp)) : link->bandwidth;
}

double gb_bound_link_latency(const gb_link *link) {
  return link->plogp.count ? gb_smaller(link->latency, gb_plogp_least_latency(&link->plogp)) : link->latency;
}

/* A measured gap between two sites replaces what their hosts' links and wan-bandwidth would allow. */
static double raised(const gbcast_platform *p, uint32_t cluster, double capacity) {
  for (uint32_t i = 0; i < p->link_count; i++)
    if (p->link[i].plogp.count && (p->link[i].from == cluster || p->link[i].to == cluster))
      capacity = gb_larger(capacity, gb_plogp_bandwidth(&p->link[i].plogp));
  return capacity;
}

double gb_bound_host_capacity(const gbcast_platform *p, uint32_t cluster) {
  const gb_cluster *c = &p->cluster[cluster];
  return raised(p, cluster,
                c->plogp.count ? gb_larger(c->bandwidth, gb_plogp_bandwidth(&c->plogp)) : c->bandwidth);
}

double gb_bound_site_capacity(const gbcast_platform *p, uint32_t cluster) {
  return raised(p, cluster, p->cluster[cluster].wan_bandwidth);
}

double gb_bound_out_capacity(const gbcast_platform *p, uint32_t cluster) {
  double out = 0;
  for (uint32_t i = 0; i < p->link_count; i++)
    if (p->link[i].from == cluster)
      out += gb_bound_link_capacity(&p->link[i]);
  if (p->assumed_mesh)
    out = p->assumed.bandwidth * (double)(p->cluster_count - 1);
  return gb_smaller(out, gb_bound_site_capacity(p, cluster));
}

int gb_bound_latencies(const gbcast_platform *p, uint32_t from, double *distance, gbcast_error *err) {
  for (uint32_t i = 0; i < p->link_count; i++)
    if (p->link[i].plogp.count) {
      /* a measured latency may undercut the given one anywhere: Bellman and Ford over the lesser of both */
      for (uint32_t c = 0; c < p->cluster_count; c++)
        distance[c] = c == from ? 0 : INFINITY;
      bool changed = true;
      while (changed) {
        changed = false;
        for (uint32_t k = 0; k < p->link_count; k++) {
          const gb_link *l = &p->link[k];
          double hop = gb_bound_link_latency(l);
          if (distance[l->from] + hop < distance[l->to]) {
            distance[l->to] = distance[l->from] + hop;
            changed = true;
          }
        }
      }
      return GBCAST_OK;
    }
  uint32_t *prev = malloc(p->cluster_count * sizeof *prev);
  if (!prev)
    return gb_no_memory(err);
  int status = gb_route_row(p, from, prev, distance, err);
  free(prev);
  return status;
}
