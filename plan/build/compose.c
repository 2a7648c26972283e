/* Composes trees of three levels: WAN edges join the leaders, LAN edges the hosts of a site, node edges the
 * ranks of a host. */
#include "plan/build/compose.h"
#include "plan/build/host_trees.h"
#include "plan/build/label_order.h"
#include "plan/build/streams_meet.h"
#include "plan/sim/sim.h"
#include "platform/text/text.h"
#include <stdlib.h>

/* Moves the hosts that the leader's host feeds below the feeder. */
static void lift(const gbcast_plan *plan, const gb_site *site, uint32_t feeder, uint32_t *parent) {
  const uint32_t host = plan->schedule.endpoint[site->leader].host;
  for (uint32_t e = site->first_endpoint; e < site->first_endpoint + site->endpoint_count; e++)
    if (plan->schedule.endpoint[e].host != host && plan->schedule.endpoint[parent[e]].host == host)
      parent[e] = feeder;
}

/* feeder: by site, for sites whose algorithm has no leader. */
static int join(gb_planner *pl, const uint32_t *site_parent, const uint32_t *feeder,
                const gb_host_choice *choice, uint32_t tree, uint32_t lanes, uint32_t *parent,
                uint32_t *leader, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  int status = gb_host_trees_join(pl, choice, tree, lanes, parent, leader, err);
  for (uint32_t s = 0; status == GBCAST_OK && s < plan->site_count; s++)
    if (site_parent[s] != GB_NONE) {
      parent[leader[s]] = leader[site_parent[s]];
      if (gb_intra_table[choice[s].intra].leaderless)
        lift(plan, &plan->site[s], plan->site[feeder[s]].leader, parent);
    }
  return status;
}

/* Allocates the arrays for what the plan reports. */
static int want_times(gb_schedule *schedule, gbcast_error *err) {
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    gb_tree *tree = &schedule->tree[t];
    tree->label = malloc(schedule->endpoint_count * sizeof(double));
    tree->start = malloc(schedule->endpoint_count * sizeof(double));
    tree->arrival = malloc(schedule->endpoint_count * sizeof(double));
    if (!tree->label || !tree->start || !tree->arrival)
      return gb_no_memory(err);
  }
  return GBCAST_OK;
}

/* Which trees the trees of one lane are made of. */
typedef struct gb_numbers {
  uint32_t count;
  struct gb_number {
    uint32_t site, choice, weight; /* site: tree over sites; choice: tree inside each site */
  } tree[GB_TREES_MOST];           /* count, but at most GB_TREES_MOST */
} gb_numbers;

/* The trees over sites of one stage; each is used `times` times, so that there are enough for the trees
 * inside the sites. */
typedef struct gb_stage_trees {
  uint32_t count, times;
} gb_stage_trees;

static gb_stage_trees stage_from(const gb_site_trees *sites, uint32_t first, uint32_t most) {
  gb_stage_trees stage = {.count = 1};
  while (first + stage.count < sites->count && sites->stage[first + stage.count] == sites->stage[first])
    stage.count++;
  stage.times = (most - 1) / stage.count + 1;
  return stage;
}

static gb_numbers number_trees(const gbcast_plan *plan, const gb_site_trees *sites,
                               const gb_host_choice *choice) {
  const uint32_t most = gb_host_trees_most(plan, choice);
  gb_numbers numbers = {0};
  gb_stage_trees stage;
  uint32_t times = 1; /* a common multiple of all stages' `times` */
  for (uint32_t t = 0; t < sites->count; t += stage.count) {
    stage = stage_from(sites, t, most);
    times *= stage.times / gb_common_divisor(times, stage.times); // NOLINT(clang-analyzer-core.DivideZero)
  }
  for (uint32_t t = 0; t < sites->count; t += stage.count) {
    stage = stage_from(sites, t, most);
    for (uint32_t i = 0; i < stage.times; i++)
      for (uint32_t k = 0; k < stage.count; k++, numbers.count++)
        if (numbers.count < GB_TREES_MOST)
          numbers.tree[numbers.count] =
              (struct gb_number){.site = t + k,
                                 .choice = i * stage.count + k,
                                 .weight = sites->weight[t + k] * times / stage.times};
  }
  return numbers;
}

/* Allocates all trees, without edges. */
static int reserve(const gbcast_plan *plan, uint32_t trees, uint32_t most, uint32_t lanes, gb_composed *out,
                   gbcast_error *err) {
  if (trees > most)
    return gb_fail(err, GBCAST_EUSAGE, "%u lanes make %u trees, expected at most %u", lanes, trees, most);
  int status = gb_schedule_new(plan->schedule.endpoint, plan->schedule.endpoint_count, plan->schedule.root,
                               trees, &out->schedule, err);
  if (status == GBCAST_OK)
    status = gb_traffic_new(&out->schedule, &out->traffic, err);
  out->leaders = malloc((size_t)lanes * plan->site_count * sizeof *out->leaders);
  if (status == GBCAST_OK)
    status = out->leaders ? want_times(&out->schedule, err) : gb_no_memory(err);
  out->schedule.weight_total = 0;
  return status;
}

int gb_compose_join(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice,
                    const gb_flow *decided, gb_composed *out, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const gb_numbers numbers = number_trees(plan, sites, choice);
  const uint32_t lanes = gb_flow_lanes(decided), trees = lanes * numbers.count;
  *out = (gb_composed){.site_trees = sites->count, .meet = gb_site_streams_meet(plan, sites, lanes)};
  int status = reserve(plan, trees, pl->most_trees, lanes, out, err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    const struct gb_number *number = &numbers.tree[t / lanes];
    const size_t first = (size_t)number->site * plan->site_count;
    const uint32_t *site_parent = sites->parent + first;
    const uint32_t *feeder = sites->feeder ? sites->feeder + first : site_parent;
    gb_tree *tree = &out->schedule.tree[t];
    tree->weight = number->weight;
    tree->stage = sites->stage[number->site];
    tree->segment = decided->segment;
    out->schedule.weight_total += tree->weight;
    status = join(pl, site_parent, feeder, choice, number->choice * lanes + t % lanes, lanes, tree->parent,
                  out->leaders + (size_t)(t % lanes) * plan->site_count, err);
  }
  if (status != GBCAST_OK)
    gb_composed_free(out);
  return status;
}

int gb_compose(gb_planner *pl, const gb_site_trees *sites, const gb_host_choice *choice, const gb_flow *flow,
               gb_composed *out, gbcast_error *err) {
  int status = gb_compose_join(pl, sites, choice, flow, out, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_schedule_order(pl, &out->schedule, &out->traffic, flow, err);
  if (status != GBCAST_OK)
    gb_composed_free(out);
  return status;
}

int gb_composed_load(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err) {
  gb_flow meeting = *flow;
  meeting.meet = composed->meet;
  return gb_traffic_find(&pl->net, &composed->schedule, &meeting, &composed->traffic, err);
}

int gb_composed_simulate(gb_planner *pl, const gb_flow *flow, gb_composed *composed, gbcast_error *err) {
  int status = gb_composed_load(pl, flow, composed, err);
  return status == GBCAST_OK
             ? gb_simulate(&composed->schedule, &composed->traffic, flow, &composed->makespan, err)
             : status;
}

void gb_composed_free(gb_composed *c) {
  gb_schedule_free(&c->schedule);
  gb_traffic_free(&c->traffic);
  free(c->leaders);
  c->leaders = NULL;
}
