/* How a message travels, and what it costs (design, "What a message costs").
 *
 * Inside a cluster:  u up, switch cables up to the lowest common switch, cables down, v down. Loose hosts and
 * the cables of switches without uplink meet at the cluster's core. Between clusters:  u up, [WAN out], link,
 * [WAN in, WAN out of a site in between, link, ...] [WAN in], v down. The cables inside the sites do not
 * count: a link's latency is the whole latency from any host of one site to any of the other. WAN out and in
 * exist where wan-bandwidth is given. */
#include "platform/cost/cost.h"

#include <math.h>
#include <stdlib.h>

static uint64_t first_wan(const gbcast_platform *p) {
  return 2 * ((uint64_t)p->host_count + p->switch_count);
}

static uint64_t first_link(const gbcast_platform *p) {
  return first_wan(p) + 2 * (uint64_t)p->cluster_count;
}

uint64_t gb_resource_count(const gbcast_platform *p) {
  uint64_t clusters = p->cluster_count;
  return first_link(p) + (p->assumed_mesh ? clusters * clusters : p->link_count);
}

static int reserve(gb_route *r, uint32_t hops, gbcast_error *err) {
  if (hops > r->hop_capacity) {
    uint32_t capacity = hops < 8 ? 8 : hops;
    gb_hop *hop = realloc(r->hop, capacity * sizeof *hop);
    if (hop == NULL) {
      return gb_fail(err, GBCAST_EMEMORY, "out of memory for a path of %lu links", (unsigned long)hops);
    }
    r->hop = hop;
    r->hop_capacity = capacity;
  }
  return GBCAST_OK;
}

static void set_hop(gb_route *r, uint32_t at, uint64_t resource, double bandwidth) {
  r->hop[at] = (gb_hop){.resource = resource, .bandwidth = bandwidth};
  r->narrowest = bandwidth < r->narrowest ? bandwidth : r->narrowest;
}

/* Cables from a switch to the core; the core itself (GB_NONE) has none. */
static uint32_t cables_to_core(const gbcast_platform *p, uint32_t sw) {
  return sw == GB_NONE ? 0 : p->sw[sw].depth + 1;
}

static uint32_t lowest_common(const gbcast_platform *p, uint32_t a, uint32_t b) {
  while (a != b) {
    if (cables_to_core(p, a) >= cables_to_core(p, b)) {
      a = p->sw[a].uplink;
    } else {
      b = p->sw[b].uplink;
    }
  }
  return a;
}

static int route_inside(const gbcast_platform *p, uint32_t u, uint32_t v, gb_route *r, gbcast_error *err) {
  const gb_cluster *cluster = &p->cluster[p->host[u].cluster];
  uint32_t from = p->host[u].sw, to = p->host[v].sw;
  uint32_t meet = lowest_common(p, from, to);
  uint32_t above = cables_to_core(p, meet);
  uint32_t hops = 2 + (cables_to_core(p, from) - above) + (cables_to_core(p, to) - above);
  int status = reserve(r, hops, err);
  if (status != GBCAST_OK) {
    return status;
  }
  r->latency = cluster->latency;
  r->overhead = cluster->overhead;
  r->own_link = r->narrowest = cluster->bandwidth;
  r->injection = -1;
  r->egress = 0;
  r->initial_window = INFINITY;
  r->plogp = cluster->plogp.count > 0 ? &cluster->plogp : NULL;
  r->wan = false;
  r->hop_count = hops;
  uint32_t at = 0;
  set_hop(r, at++, 2 * (uint64_t)u, cluster->bandwidth);
  for (uint32_t s = from; s != meet; s = p->sw[s].uplink) {
    set_hop(r, at++, 2 * ((uint64_t)p->host_count + s), p->sw[s].bandwidth);
    r->latency += p->sw[s].latency;
  }
  at = hops - 1; /* the path down is found from its end */
  set_hop(r, at, 2 * (uint64_t)v + 1, cluster->bandwidth);
  for (uint32_t s = to; s != meet; s = p->sw[s].uplink) {
    set_hop(r, --at, 2 * ((uint64_t)p->host_count + s) + 1, p->sw[s].bandwidth);
    r->latency += p->sw[s].latency;
  }
  return GBCAST_OK;
}

/* The direct link and its place among the directed links, or NULL. */
static const gb_link *direct_link(const gbcast_platform *p, uint32_t from, uint32_t to, uint64_t *place) {
  if (p->assumed_mesh) {
    *place = (uint64_t)from * p->cluster_count + to;
    return &p->assumed;
  }
  uint32_t low = p->link_start[from], high = p->link_start[from + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->link[middle].to < to) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  *place = low;
  return low < p->link_start[from + 1] && p->link[low].to == to ? &p->link[low] : NULL;
}

/* WAN in (1) or out (0) of a site where wan-bandwidth is given. */
static uint32_t set_wan(const gbcast_platform *p, gb_route *r, uint32_t at, uint32_t site, uint32_t in) {
  double bandwidth = p->cluster[site].wan_bandwidth;
  if (isinf(bandwidth)) {
    return at;
  }
  set_hop(r, --at, first_wan(p) + 2 * (uint64_t)site + in, bandwidth);
  return at;
}

static int route_over(const gbcast_platform *p, uint32_t u, uint32_t v, const uint32_t *prev, gb_route *r,
                      gbcast_error *err) {
  uint32_t start = p->host[u].cluster, end = p->host[v].cluster;
  uint32_t hops = 2;
  for (uint32_t to = end; to != start; to = prev != NULL ? prev[to] : start) {
    uint32_t from = prev != NULL ? prev[to] : start;
    if (from == GB_NONE) {
      return gb_fail_at(err, &p->cluster[end].where,
                        "no links lead from '%s' to '%s'; expected a path of link lines",
                        p->cluster[start].name, p->cluster[end].name);
    }
    hops += 1u + !isinf(p->cluster[from].wan_bandwidth) + !isinf(p->cluster[to].wan_bandwidth);
  }
  int status = reserve(r, hops, err);
  if (status != GBCAST_OK) {
    return status;
  }
  r->latency = r->overhead = r->egress = 0;
  r->initial_window = INFINITY;
  r->own_link = r->narrowest = p->cluster[start].bandwidth;
  r->wan = true;
  r->plogp = NULL;
  uint32_t at = hops; /* from v back to u */
  set_hop(r, --at, 2 * (uint64_t)v + 1, p->cluster[end].bandwidth);
  for (uint32_t to = end, from; to != start; to = from) {
    from = prev != NULL ? prev[to] : start;
    uint64_t place = 0;
    const gb_link *link = direct_link(p, from, to, &place);
    at = set_wan(p, r, at, to, 1);
    r->latency += link->latency;
    r->egress += link->egress;
    set_hop(r, --at, first_link(p) + place, link->bandwidth);
    at = set_wan(p, r, at, from, 0);
    r->narrowest = link->stream_bandwidth < r->narrowest ? link->stream_bandwidth : r->narrowest;
    r->initial_window = link->initial_window < r->initial_window ? link->initial_window : r->initial_window;
    r->overhead = link->overhead > r->overhead ? link->overhead : r->overhead;
    r->injection = link->injection; /* the first link's is the last one seen */
    if (from == start && to == end && link->plogp.count > 0) {
      r->plogp = &link->plogp;
    }
  }
  set_hop(r, --at, 2 * (uint64_t)u, p->cluster[start].bandwidth);
  r->hop_count = hops;
  return GBCAST_OK;
}

int gb_route_between(const gbcast_platform *p, uint32_t u, uint32_t v, const uint32_t *prev, gb_route *r,
                     gbcast_error *err) {
  uint32_t start = p->host[u].cluster, end = p->host[v].cluster;
  if (start == end) {
    return route_inside(p, u, v, r, err);
  }
  uint64_t place = 0;
  bool direct = direct_link(p, start, end, &place) != NULL; /* is used even where a detour has less latency */
  if (direct || prev != NULL) {
    return route_over(p, u, v, direct ? NULL : prev, r, err);
  }
  uint32_t *row = malloc(p->cluster_count * sizeof *row);
  if (row == NULL) {
    return gb_fail(err, GBCAST_EMEMORY, "out of memory for paths between %lu sites",
                   (unsigned long)p->cluster_count);
  }
  int status = gb_route_row(p, start, row, NULL, err);
  if (status == GBCAST_OK) {
    status = route_over(p, u, v, row, r, err);
  }
  free(row);
  return status;
}

void gb_route_release(gb_route *r) {
  free(r->hop);
  *r = (gb_route){0};
}

double gb_route_shared(const gb_route *r) {
  double least = INFINITY;
  for (uint32_t i = 0; i + 1 < r->hop_count; i++)
    least = r->hop[i].bandwidth < least ? r->hop[i].bandwidth : least;
  return least;
}
