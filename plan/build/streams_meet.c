#include "plan/build/streams_meet.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"

/* Trees over sites: those of a plan, or others over the same sites. */
typedef struct gb_streams {
  const gbcast_plan *plan;
  const gb_site_trees *sites; /* NULL: the plan's */
  uint32_t lanes;
} gb_streams;

static uint32_t count(const gb_streams *s) {
  return s->sites ? s->sites->count : s->plan->schedule.tree_count;
}

static uint32_t weight(const gb_streams *s, uint32_t tree) {
  return s->sites ? s->sites->weight[tree] : s->plan->schedule.tree[tree].weight;
}

static uint32_t stage_of(const gb_streams *s, uint32_t tree) {
  return s->sites ? s->sites->stage[tree] : s->plan->schedule.tree[tree].stage;
}

/* The cluster from which a tree reaches a site, which is not the root's; GB_NONE: it leaves out the site. */
static uint32_t feeder(const gb_streams *s, uint32_t site, uint32_t tree) {
  const gbcast_plan *plan = s->plan;
  const uint32_t parent = s->sites ? s->sites->parent[(size_t)tree * plan->site_count + site]
                                   : plan->schedule.tree[tree].parent[gb_plan_leader(plan, site, tree)];
  if (parent == GB_NONE)
    return GB_NONE;
  if (s->sites)
    return plan->site[parent].cluster;
  return plan->platform->host[plan->schedule.endpoint[parent].host].cluster;
}

/* Whether a site is reached from different clusters at the same time. */
static bool do_differ(const gb_streams *s) {
  for (uint32_t site = 0; site < s->plan->site_count; site++)
    for (uint32_t t = 1; site != s->plan->root_site && t < count(s); t++)
      if (stage_of(s, t) == stage_of(s, t - 1) && feeder(s, site, t) != feeder(s, site, t - 1))
        return true;
  return false;
}

/* The part of the message that goes from a cluster to one site; to all sites, if `site` is GB_NONE. */
static double part_of(const gb_streams *s, uint32_t from, uint32_t site) {
  double out = 0, all = 0;
  for (uint32_t t = 0; t < count(s); t++) {
    for (uint32_t to = 0; to < s->plan->site_count; to++)
      if (to != s->plan->root_site && (site == GB_NONE || site == to) && feeder(s, to, t) == from)
        out += weight(s, t);
    all += weight(s, t);
  }
  return out / all;
}

/* Whether all that goes over the link between two sites is in flight before its first byte is acknowledged.
 * If something else on the path is as narrow, such as a site's uplink or the leaders' links, all that crosses
 * it counts, to or from any site. */
static bool is_short(const gb_streams *s, uint32_t from, uint32_t site) {
  const gbcast_platform *p = s->plan->platform;
  const uint32_t to = s->plan->site[site].cluster;
  const gb_link *link = gb_platform_link(p, from, to), *back = gb_platform_link(p, to, from);
  if (!link || !back || link->plogp.count > 0)
    return false;
  const double streams = link->stream_bandwidth * s->lanes;
  const double rate = streams < link->bandwidth ? streams : link->bandwidth;
  const double leaves = part_of(s, from, GB_NONE);
  const struct {
    double rate, part;
  } narrow[] = {{rate, part_of(s, from, site)},
                {p->cluster[from].wan_bandwidth, leaves},
                {p->cluster[from].bandwidth * s->lanes, leaves},
                {p->cluster[to].wan_bandwidth, 1},
                {p->cluster[to].bandwidth * s->lanes, 1}};
  bool is = true;
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
    if (narrow[i].rate <= rate)
      is = is &&
           narrow[i].part * (double)s->plan->class_bytes <= (link->latency + back->latency) * narrow[i].rate;
  return is;
}

/* Whether that holds between all sites. */
static bool are_short(const gb_streams *s) {
  for (uint32_t site = 0; site < s->plan->site_count; site++)
    for (uint32_t t = 0; site != s->plan->root_site && t < count(s); t++) {
      const uint32_t from = feeder(s, site, t);
      if (from == GB_NONE || (t > 0 && feeder(s, site, t - 1) == from))
        continue; /* already checked; lanes follow each other */
      if (!is_short(s, from, site))
        return false;
    }
  return true;
}

static bool meet(const gb_streams *s) {
  return (s->lanes > 1 || do_differ(s)) && !are_short(s);
}

bool gb_plan_streams_meet(const gbcast_plan *plan) {
  return meet(&(gb_streams){.plan = plan, .lanes = plan->lanes});
}

bool gb_site_streams_meet(const gbcast_plan *plan, const gb_site_trees *sites, uint32_t lanes) {
  return meet(&(gb_streams){.plan = plan, .sites = sites, .lanes = lanes});
}

void gb_plan_set_efficiency(gbcast_plan *plan) {
  const bool several = !gb_carries_blocks(plan->operation) && plan->schedule.tree_count > 1;
  const bool meets = several && gb_plan_streams_meet(plan);
  for (int wan = 0; wan < 2; wan++)
    plan->schedule.efficiency[wan] = several ? gb_link_efficiency(meets, wan == 1) : 1;
}
