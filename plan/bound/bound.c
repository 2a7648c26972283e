/* The lower bound of a plan.
 *
 * Broadcast: every byte must come to every host, so for each host h
 *     least latency (root, h) + bytes / smallest cut (root, h)
 * where the cut takes in the root's own link, h's own link, the cables between them, and for another site the
 * maximum flow over all links and relays with every wan-bandwidth. The bound is the largest over h.
 *
 * Scatter: what leaves a cut is the sum of the blocks beyond it: all other hosts' through the root's own
 * link, a site's through the flow to it, and those of all sites beyond the narrowest cut through that.
 *
 * plan/bound/links.c raises it to when the bytes can have come over links of unlike latency, and through slow
 * start; plan/bound/copies.c that of a broadcast to when they can have left the root's site as often as they
 * must.
 *
 * No overhead and no injection time is counted. Where there are measured gaps, a link carries at most the
 * best m / g(m), and the latency is the least L(m). */
#include "plan/bound/bound.h"
#include "plan/bound/allgather.h"
#include "plan/bound/copies.h"
#include "plan/bound/limits.h"
#include "plan/bound/links.h"
#include "plan/bound/maxflow.h"
#include "platform/cost/cost.h"
#include <math.h>
#include <stdlib.h>

/* Latency and cut to one host of the root's own site. */
static int near_host(const gbcast_platform *p, uint32_t root, uint32_t host, gb_route *route, double *latency,
                     double *cut, gbcast_error *err) {
  int status = gb_route_between(p, root, host, NULL, route, err);
  if (status != GBCAST_OK)
    return status;
  const gb_cluster *c = &p->cluster[p->host[root].cluster];
  *latency = c->plogp.count ? gb_smaller(route->latency, gb_plogp_least_latency(&c->plogp)) : route->latency;
  *cut = c->plogp.count ? gb_larger(route->narrowest, gb_plogp_bandwidth(&c->plogp)) : route->narrowest;
  return GBCAST_OK;
}

typedef struct gb_detour { /* out of the root's site and back in: a host there may be reached that way too */
  double latency, capacity;
} gb_detour;

static gb_detour detour_of(const gbcast_platform *p, uint32_t cluster) {
  if (p->assumed_mesh)
    return (gb_detour){2 * p->assumed.latency, p->assumed.bandwidth * (double)(p->cluster_count - 1)};
  double out = INFINITY, back = INFINITY, leaving = 0, coming = 0;
  for (uint32_t i = 0; i < p->link_count; i++) {
    const gb_link *l = &p->link[i];
    double latency = gb_bound_link_latency(l);
    if (l->from == cluster) {
      out = gb_smaller(out, latency);
      leaving += gb_bound_link_capacity(l);
    } else if (l->to == cluster) {
      back = gb_smaller(back, latency);
      coming += gb_bound_link_capacity(l);
    }
  }
  return (gb_detour){out + back, gb_smaller(gb_smaller(leaving, coming), gb_bound_site_capacity(p, cluster))};
}

typedef struct gb_bounding {
  const gbcast_plan *plan;
  double bytes, near_bytes; /* that are for other sites, and for other hosts of the root's */
  double *distance;         /* per cluster */
  double *blocks;           /* of a scatter: bytes per cluster */
  gb_flow_network *net;     /* NULL with an assumed mesh: every pair has a link of its own */
  double out;               /* the link of the root, or of all hosts that have what is for other sites */
} gb_bounding;

/* The most that can come into a site from the root's, at most `enough`. */
static double cut_to(const gb_bounding *b, uint32_t cluster, double enough) {
  const gbcast_platform *p = b->plan->platform;
  uint32_t root = p->host[b->plan->schedule.endpoint[b->plan->schedule.root].host].cluster;
  if (!b->net) /* relays over the other sites add up */
    return gb_smaller(enough, p->assumed.bandwidth * (double)(p->cluster_count - 1));
  return gb_max_flow(b->net, root, cluster, enough);
}

static uint32_t ranks_on_root(const gbcast_plan *plan) {
  const gb_site *site = &plan->site[plan->root_site];
  uint32_t ranks = 0;
  for (uint32_t i = 0; i < site->endpoint_count; i++)
    ranks += plan->schedule.endpoint[site->first_endpoint + i].host ==
             plan->schedule.endpoint[plan->schedule.root].host;
  return ranks;
}

static int bound_near(const gb_bounding *b, double *bound, gbcast_error *err) {
  const gbcast_plan *plan = b->plan;
  const gb_site *site = &plan->site[plan->root_site];
  double n = b->near_bytes, nearest = INFINITY;
  gb_route route = {0};
  gb_detour detour = detour_of(plan->platform, site->cluster);
  double host_link = gb_bound_host_capacity(plan->platform, site->cluster);
  int status = GBCAST_OK;
  for (uint32_t i = 0; status == GBCAST_OK && i < site->endpoint_count; i++) {
    gb_endpoint e = plan->schedule.endpoint[site->first_endpoint + i];
    if (e.k != 0 || e.host == plan->schedule.endpoint[plan->schedule.root].host)
      continue;
    double latency, cut;
    status = near_host(plan->platform, plan->schedule.endpoint[plan->schedule.root].host, e.host, &route,
                       &latency, &cut, err);
    if (status != GBCAST_OK)
      break;
    nearest = gb_smaller(nearest, latency);
    *bound = gb_larger(*bound, gb_smaller(latency, detour.latency) +
                                   n / gb_smaller(host_link, cut + detour.capacity));
  }
  gb_route_release(&route);
  for (uint32_t s = 0; s < plan->site_count; s++)
    if (s != plan->root_site)
      nearest = gb_smaller(nearest, b->distance[plan->site[s].cluster]);
  if (status == GBCAST_OK && gb_carries_blocks(plan->operation) && nearest < INFINITY) {
    const double others = (double)(plan->schedule.endpoint_count - ranks_on_root(plan));
    *bound = gb_larger(*bound, nearest + n * others / b->out);
  }
  return status;
}

static void bound_far(const gb_bounding *b, double *bound) {
  const gbcast_plan *plan = b->plan;
  double n = b->bytes;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    if (s == plan->root_site)
      continue;
    const gb_site *site = &plan->site[s];
    double latency = b->distance[site->cluster], in = gb_bound_host_capacity(plan->platform, site->cluster);
    double blocks = gb_carries_blocks(plan->operation) ? (double)site->endpoint_count : 1;
    double enough = gb_carries_blocks(plan->operation) ? b->out : gb_smaller(b->out, in);
    if (*bound > latency) /* a wider cut than this cannot raise the bound */
      enough = gb_smaller(enough, n * blocks / (*bound - latency) * 1.000001);
    double cut = cut_to(b, site->cluster, enough);
    *bound = gb_larger(*bound, latency + n * blocks / cut);
  }
  if (!gb_carries_blocks(plan->operation) || plan->site_count < 2)
    return;
  const double out = gb_bound_out_capacity(plan->platform, plan->site[plan->root_site].cluster);
  double nearest = INFINITY, far = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    if (s == plan->root_site)
      continue;
    const gb_site *site = &plan->site[s];
    nearest = gb_smaller(nearest, b->distance[site->cluster]);
    b->blocks[site->cluster] = n * site->endpoint_count;
    far += b->blocks[site->cluster];
  }
  *bound = gb_larger(*bound, nearest + far / out);
  if (b->net)
    *bound = gb_larger(
        *bound, gb_flow_time(b->net, plan->site[plan->root_site].cluster, b->blocks, b->distance, far / out));
}

/* relayed: other sites than the plan's may pass data on. Of an allgather `bytes` are the blocks of the root's
 * site, which each of its hosts has a part of. */
static int bound_down(const gbcast_plan *plan, uint64_t bytes, bool relayed, double *bound,
                      gbcast_error *err) {
  const gbcast_platform *p = plan->platform;
  uint32_t root = p->host[plan->schedule.endpoint[plan->schedule.root].host].cluster;
  gb_bounding b = {.plan = plan,
                   .bytes = (double)bytes,
                   .near_bytes = (double)bytes,
                   .distance = malloc(p->cluster_count * sizeof(double)),
                   .blocks = calloc(p->cluster_count, sizeof(double)),
                   .out = gb_bound_host_capacity(p, root)};
  if (gb_carries_parts(plan->operation)) {
    const gb_site *site = &plan->site[plan->root_site];
    b.near_bytes *= (double)ranks_on_root(plan) / site->endpoint_count;
    b.out *= site->hosts;
  }
  *bound = 0;
  int status = b.distance && b.blocks ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK && bytes > 0) {
    if (plan->site_count > 1)
      status = gb_bound_latencies(p, root, b.distance, err);
    if (status == GBCAST_OK && plan->site_count > 1 && !p->assumed_mesh)
      status = gb_flow_network_new(p, &b.net, err);
    if (status == GBCAST_OK)
      status = bound_near(&b, bound, err);
    if (status == GBCAST_OK)
      bound_far(&b, bound);
    if (status == GBCAST_OK && b.net)
      status = gb_bound_links(plan, b.distance, b.bytes, gb_carries_blocks(plan->operation), bound, err);
    if (status == GBCAST_OK && b.net && !gb_carries_blocks(plan->operation) && !relayed)
      status = gb_bound_copies(plan, b.distance, b.bytes, bound, err);
  }
  gb_flow_network_free(b.net);
  free(b.distance);
  free(b.blocks);
  return status;
}

/* The broadcasts from the leaders of up to SITES_MOST sites, because each bound takes time: the site with the
 * least bound, and the greatest bound. In an allgather each site has only its blocks to send. A
 * reduce-scatter is one over the links turned round. */
#define SITES_MOST 8u

static int bound_sites(const gbcast_plan *plan, uint64_t bytes, uint32_t *nearest, double *greatest,
                       gbcast_error *err) {
  gbcast_plan from = *plan; /* its arrays are shared */
  const uint32_t step = (plan->site_count - 1) / SITES_MOST + 1;
  double least = INFINITY;
  const bool parts = gb_carries_parts(plan->operation);
  gbcast_platform *turned = NULL;
  int status = GBCAST_OK;
  if (gb_scatters_result(plan->operation))
    status = gb_platform_turn(plan->given, GB_TURN_ROUND, &turned, err);
  from.platform = from.given = turned != NULL ? turned : plan->given;
  *greatest = status == GBCAST_OK && parts ? gb_bound_allgather_in(&from, bytes) : 0;
  for (uint32_t s = plan->root_site % step; status == GBCAST_OK && s < plan->site_count; s += step) {
    double bound = 0;
    const uint64_t ranks = plan->site[s].endpoint_count, all = plan->schedule.endpoint_count;
    from.root_site = s;
    from.schedule.root = plan->site[s].leader;
    status = bound_down(&from, parts ? bytes / all * ranks : bytes, false, &bound, err);
    *greatest = gb_larger(*greatest, bound);
    if (bound < least) {
      least = bound;
      *nearest = s;
    }
  }
  gb_platform_turned_free(turned);
  return status;
}

/* The plan without its relays. They are its last sites and need no data; the flows above may cross any site
 * in any case. */
static gbcast_plan without_relays(const gbcast_plan *plan) {
  gbcast_plan members = *plan; /* its arrays are shared */
  members.site_count = gb_plan_members(plan);
  members.schedule.endpoint_count -= plan->site_count - members.site_count;
  return members;
}

/* A reduction, turned round, is a broadcast over the links turned round: each byte of the result has a tree
 * of messages that led to it. An allreduce takes what every rank has to every other one: no less than the
 * broadcast from any rank. */
int gb_plan_bound(const gbcast_plan *plan, uint64_t bytes, double *bound, gbcast_error *err) {
  const gbcast_plan members = without_relays(plan);
  uint32_t nearest = 0;
  return gb_way_of(plan->operation) == GB_WAY_BOTH
             ? bound_sites(&members, bytes, &nearest, bound, err)
             : bound_down(&members, bytes, members.site_count < plan->site_count, bound, err);
}

int gb_plan_choose_root(gbcast_plan *plan, gbcast_error *err) {
  double greatest = 0;
  const int status = bound_sites(plan, plan->class_bytes, &plan->root_site, &greatest, err);
  plan->schedule.root = plan->site[plan->root_site].leader;
  return status;
}
