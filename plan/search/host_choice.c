/* Chooses a LAN algorithm and a rank algorithm for each site by simulating the site alone, fed at the pace at
 * which segments can reach it.
 *
 * Not all pairs are simulated. Starting with the first rank algorithm, the search takes the best LAN
 * algorithm with it, then the best rank algorithm with that, and so on until neither changes:
 *
 *               rank algorithms
 *   algorithms  . . . .
 *               x o . .      first column, its best row, that row's best column, ...
 *               . . . .
 *
 * The root's leader also feeds other sites over the same link. The simulation lets what it sends inside its
 * site wait for what goes to other sites. A network does not: a leader that sends four copies into its LAN
 * slows its streams to other sites. So the root's site is taken to delay the slowest other site by the time
 * of its own copies:
 *
 *   max(alone, other + copies * m / link)     other: X g + L + o of the slowest other site, alone    [s]
 *
 * Equal values are compared by `alone`. */
#include "plan/search/host_choice.h"
#include "intra/intra.h"
#include "plan/search/host_trees.h"
#include "plan/search/label_order.h"
#include "plan/sim/sim.h"
#include <math.h>
#include <stdlib.h>

const gb_host_options gb_host_options_table[GB_HOST_OPTIONS] = {
    [GB_HOST_OPTIONS_ALL] = {.rank_trees = true},
    {.rank_trees = true, .one_tree = true},
    [GB_HOST_OPTIONS_PLAIN] = {.rank_trees = false},
    {.one_tree = true}};

/* When the root has the last segment of all trees (s). */
static double fed_by(const gb_schedule *schedule, const gb_flow *flow) {
  double last = 0;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    gb_flow share = gb_schedule_share(schedule, flow, t);
    double fed = share.bytes == 0 ? 0 : gb_schedule_fed(schedule, flow, t, (share.bytes - 1) / flow->segment);
    last = fed > last ? fed : last;
  }
  return last;
}

/* The price of a pair of algorithms for a site. */
typedef struct gb_alone {
  double time; /* s from the leader having the last segment until the whole site has it; NAN: not simulated */
  double holding; /* s: the same, or the time of the slowest other site if that is more */
} gb_alone;

/* other_sites: for the root's site, s until the slowest other site has all; otherwise 0. */
static int simulate_alone(gb_planner *pl, const gb_flow *flow, uint32_t s, double other_sites,
                          gb_host_choice choice, gb_alone *alone, gbcast_error *err) {
  const gb_site *site = &pl->plan->site[s];
  gb_schedule schedule;
  gb_traffic traffic = {0};
  int status =
      gb_schedule_new(pl->plan->schedule.endpoint + site->first_endpoint, site->endpoint_count,
                      site->leader - site->first_endpoint, gb_intra_trees(choice.intra), &schedule, err);
  if (status != GBCAST_OK)
    return status;
  uint32_t leader;
  status = gb_traffic_new(&schedule, &traffic, err);
  for (uint32_t t = 0; status == GBCAST_OK && t < schedule.tree_count; t++)
    status = gb_host_tree(pl, s, choice, t, 1, false, schedule.tree[t].parent, &leader, err);
  double end = 0;
  if (status == GBCAST_OK)
    status = gb_schedule_order(pl, &schedule, &traffic, flow, err);
  if (status == GBCAST_OK)
    status = gb_traffic_find(&pl->net, &schedule, flow, &traffic, err);
  if (status == GBCAST_OK)
    status = gb_simulate(&schedule, &traffic, flow, &end, err);
  alone->time = alone->holding = end - fed_by(&schedule, flow);
  if (status == GBCAST_OK && other_sites > 0)
    other_sites += gb_schedule_copies(&schedule, pl->net.p) * (double)flow->bytes /
                   pl->net.p->cluster[site->cluster].bandwidth;
  if (other_sites > alone->holding)
    alone->holding = other_sites;
  gb_schedule_free(&schedule);
  gb_traffic_free(&traffic);
  return status;
}

/* Seconds between the segments that reach a site from the root, if the path is used by nothing else. */
static int pace_of(gb_planner *pl, const gb_flow *flow, uint32_t s, double *pace, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  *pace = 0;
  if (s == plan->root_site || flow->segment >= flow->bytes || flow->operation == GBCAST_SCATTER)
    return GBCAST_OK;
  gb_cost cost = {0};
  int status = gb_edge_cost(&pl->net, plan->schedule.endpoint[plan->schedule.root],
                            plan->schedule.endpoint[plan->site[s].leader], flow->segment, 1, &cost, err);
  *pace = cost.gap;
  return status;
}

/* Seconds until the slowest other site has all, if the root's leader sends to nobody else. */
static int time_of_other_sites(gb_planner *pl, const gb_flow *flow, double *other_sites, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  uint64_t segment = flow->segment < flow->bytes ? flow->segment : flow->bytes;
  double segments = segment ? (double)flow->bytes / (double)segment : 1;
  *other_sites = 0;
  for (uint32_t s = 0; s < plan->site_count && flow->operation == GBCAST_BCAST; s++) {
    gb_cost cost;
    if (s == plan->root_site)
      continue;
    int status = gb_edge_cost(&pl->net, plan->schedule.endpoint[plan->schedule.root],
                              plan->schedule.endpoint[plan->site[s].leader], segment, 1, &cost, err);
    if (status != GBCAST_OK)
      return status;
    double end = segments * cost.gap + cost.tail;
    *other_sites = end > *other_sites ? end : *other_sites;
  }
  return GBCAST_OK;
}

/* Whether two sites have their ranks and their leader at the same positions. */
static bool same_ranks(const gbcast_plan *plan, const gb_site *x, const gb_site *y) {
  bool same = x->leader - x->first_endpoint == y->leader - y->first_endpoint;
  for (uint32_t i = 0; same && i < x->endpoint_count; i++)
    same =
        plan->schedule.endpoint[x->first_endpoint + i].k == plan->schedule.endpoint[y->first_endpoint + i].k;
  return same;
}

/* Whether two sites are the same to every algorithm, so that only one must be simulated. */
static bool alike(const gbcast_plan *plan, uint32_t a, uint32_t b) {
  const gb_site *x = &plan->site[a], *y = &plan->site[b];
  const gb_cluster *c = &plan->platform->cluster[x->cluster], *d = &plan->platform->cluster[y->cluster];
  return a != plan->root_site && b != plan->root_site && x->hosts == y->hosts &&
         x->endpoint_count == y->endpoint_count && c->switch_count <= 1 && d->switch_count <= 1 &&
         !c->has_loose_hosts == !d->has_loose_hosts && c->plogp.count == 0 && d->plogp.count == 0 &&
         c->latency == d->latency && c->bandwidth == d->bandwidth && c->overhead == d->overhead &&
         (c->switch_count == 0 || !c->has_loose_hosts) && (!gb_site_has_nodes(x) || same_ranks(plan, x, y));
}

/* The choice for one site. */
typedef struct gb_choice {
  gb_planner *pl;
  const gb_flow *flow;
  uint32_t site;
  size_t forced;      /* an algorithm, or GB_INTRA_MIXED */
  double other_sites; /* of simulate_alone */
  gb_alone *alone;    /* index algorithm * gb_node_count + rank algorithm */
} gb_choice;

/* Whether an algorithm may be used; on a single host all are the same, so one is enough. */
static bool may_use(const gb_choice *c, const gb_host_options *options, size_t intra,
                    const gb_host_choice *found) {
  if (c->forced != GB_INTRA_MIXED)
    return intra == c->forced;
  const gbcast_plan *plan = c->pl->plan;
  return gb_host_choice_fits(c->pl, &plan->site[c->site], c->flow, c->flow->segment < c->flow->bytes,
                             &gb_intra_table[intra]) &&
         (!options->one_tree || gb_intra_trees(intra) == 1) &&
         (found->intra == SIZE_MAX || plan->site[c->site].hosts > 1);
}

/* The price of a pair; simulates the site if that has not been done. */
static int cost_of(const gb_choice *c, gb_host_choice choice, gb_alone *alone, gbcast_error *err) {
  gb_alone *kept = &c->alone[choice.intra * gb_node_count + choice.node];
  int status = isnan(kept->time) ? simulate_alone(c->pl, c->flow, c->site, c->other_sites, choice, kept, err)
                                 : GBCAST_OK;
  if (status == GBCAST_EUSAGE) { /* too many segments; another algorithm may do */
    *kept = (gb_alone){INFINITY, INFINITY};
    status = GBCAST_OK;
  }
  *alone = *kept;
  return status;
}

/* Replaces *best if `other` is better; if there is no choice, nothing is simulated. */
static int compare(const gb_choice *c, gb_host_choice other, gb_host_choice *best, gbcast_error *err) {
  gb_alone x, y;
  if (best->intra == SIZE_MAX)
    *best = other;
  if (best->intra == other.intra && best->node == other.node)
    return GBCAST_OK;
  int status = cost_of(c, *best, &x, err);
  if (status == GBCAST_OK)
    status = cost_of(c, other, &y, err);
  if (status == GBCAST_OK && (y.holding < x.holding || (y.holding == x.holding && y.time < x.time)))
    *best = other;
  return status;
}

/* The best pair that the options allow. */
static int find_best(const gb_choice *c, const gb_host_options *options, gb_host_choice *best,
                     gbcast_error *err) {
  bool rank_trees = options->rank_trees && gb_site_has_nodes(&c->pl->plan->site[c->site]), moved = true;
  int status = GBCAST_OK;
  *best = (gb_host_choice){.intra = SIZE_MAX, .node = 0};
  while (moved) {
    for (size_t a = 0; status == GBCAST_OK && a < gb_intra_count; a++)
      if (may_use(c, options, a, best))
        status = compare(c, (gb_host_choice){.intra = a, .node = best->node}, best, err);
    if (status == GBCAST_OK && best->intra == SIZE_MAX)
      status = gb_fail(err, GBCAST_EUSAGE, "no algorithm for this operation");
    size_t before = best->node;
    for (size_t node = 0; status == GBCAST_OK && rank_trees && node < gb_node_count; node++)
      status = compare(c, (gb_host_choice){.intra = best->intra, .node = node}, best, err);
    moved = status == GBCAST_OK && best->node != before;
  }
  return status;
}

/* Chooses for one site, for each of the host options. */
static int choose_one(gb_planner *pl, const gb_flow *flow, uint32_t s, size_t forced, gb_host_choice *choice,
                      gbcast_error *err) {
  size_t pairs = gb_intra_count * gb_node_count;
  gb_choice c = {
      .pl = pl, .flow = flow, .site = s, .forced = forced, .alone = calloc(pairs, sizeof *c.alone)};
  if (!c.alone)
    return gb_no_memory(err);
  for (size_t i = 0; i < pairs; i++)
    c.alone[i].time = NAN;
  int status = s == pl->plan->root_site ? time_of_other_sites(pl, flow, &c.other_sites, err) : GBCAST_OK;
  for (size_t m = 0; status == GBCAST_OK && m < GB_HOST_OPTIONS; m++)
    status = find_best(&c, &gb_host_options_table[m], &choice[m * pl->plan->site_count + s], err);
  free(c.alone);
  return status;
}

int gb_host_choose(gb_planner *pl, const gb_flow *flow, size_t uniform, gb_host_choice *choice,
                   gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  double *pace = calloc(n, sizeof *pace);
  int status = pace ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t s = 0; status == GBCAST_OK && s < n; s++) {
    size_t forced = pl->forced_intra[s] == SIZE_MAX ? uniform : pl->forced_intra[s];
    if (forced == GB_INTRA_AUTO)
      forced = GB_INTRA_MIXED;
    if (forced == GB_INTRA_MIXED || gb_site_has_nodes(&pl->plan->site[s]))
      status = pace_of(pl, flow, s, &pace[s], err);
    uint32_t twin = 0;
    while (twin < s && !(pl->forced_intra[twin] == pl->forced_intra[s] && pace[twin] == pace[s] &&
                         alike(pl->plan, twin, s)))
      twin++;
    gb_flow alone = *flow;
    alone.feed_interval = pace[s];
    if (status == GBCAST_OK && twin == s)
      status = choose_one(pl, &alone, s, forced, choice, err);
    for (size_t m = 0; status == GBCAST_OK && m < GB_HOST_OPTIONS; m++)
      choice[m * n + s] = choice[m * n + twin];
  }
  free(pace);
  return status;
}
