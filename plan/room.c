#include "plan/room.h"
#include "plan/plan.h"

/* Trees over sites: those of a plan, or others over the same sites. */
typedef struct gb_streams {
  const gbcast_plan *plan;
  const gb_site_trees *sites; /* NULL: the plan's */
} gb_streams;

static uint32_t count(const gb_streams *s) {
  return s->sites ? s->sites->count : s->plan->tree_count;
}

static uint32_t weight(const gb_streams *s, uint32_t tree) {
  return s->sites ? s->sites->weight[tree] : s->plan->tree[tree].weight;
}

/* The cluster that a tree gets to a site from; not of the root's site. */
static uint32_t feeder(const gb_streams *s, uint32_t site, uint32_t tree) {
  const gbcast_plan *plan = s->plan;
  if (s->sites)
    return plan->site[s->sites->parent[(size_t)tree * plan->site_count + site]].cluster;
  const uint32_t parent = plan->tree[tree].parent[gb_plan_leader(plan, site, tree)];
  return plan->platform->host[plan->endpoint[parent].host].cluster;
}

static bool do_differ(const gb_streams *s) {
  for (uint32_t site = 0; site < s->plan->site_count; site++)
    for (uint32_t t = 1; site != s->plan->root_site && t < count(s); t++)
      if (feeder(s, site, t) != feeder(s, site, 0))
        return true;
  return false;
}

/* Whether so many bytes are all on their way before the first is answered. */
static bool is_short(const gbcast_platform *p, uint32_t from, uint32_t to, double bytes) {
  const gb_link *link = gb_platform_link(p, from, to);
  if (!link)
    return false;
  double rate = link->bandwidth < link->stream_bandwidth ? link->bandwidth : link->stream_bandwidth;
  rate = rate < p->cluster[from].bandwidth ? rate : p->cluster[from].bandwidth;
  return bytes <= 2 * link->latency * rate;
}

/* Whether all that goes from one site to another does, over all links. */
static bool are_short(const gb_streams *s) {
  const gbcast_plan *plan = s->plan;
  double total = 0;
  for (uint32_t t = 0; t < count(s); t++)
    total += weight(s, t);
  for (uint32_t site = 0; site < plan->site_count; site++)
    for (uint32_t t = 0; site != plan->root_site && t < count(s); t++) {
      const uint32_t from = feeder(s, site, t);
      if (t > 0 && feeder(s, site, t - 1) == from)
        continue; /* has been looked at; lanes come one after the other */
      double part = 0;
      for (uint32_t u = 0; u < count(s); u++)
        part += feeder(s, site, u) == from ? weight(s, u) : 0;
      if (!is_short(plan->platform, from, plan->site[site].cluster, part / total * (double)plan->class_bytes))
        return false;
    }
  return true;
}

static bool meet(const gb_streams *s, uint32_t lanes) {
  return (lanes > 1 || do_differ(s)) && !are_short(s);
}

bool gb_plan_streams_meet(const gbcast_plan *plan) {
  return meet(&(gb_streams){.plan = plan}, plan->lanes);
}

bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes) {
  return meet(&(gb_streams){.plan = plan, .sites = sites}, lanes);
}
