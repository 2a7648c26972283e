/* The predicted time of a plan over another platform than its own. */
#include "plan/bound/bound.h"
#include "plan/build/build.h"
#include "plan/search/native.h"
#include "plan/search/search.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

/* How long the planner's plan takes over its platform, and one way of it. */
static int simulate(gb_planner *pl, double *seconds, double *one_way, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  gb_composed composed = {
      .schedule = plan->schedule, .site_trees = plan->schedule.tree_count, .leaders = plan->leaders};
  const gb_flow flow = {.operation = plan->operation,
                        .bytes = plan->bytes,
                        .segment = plan->schedule.tree[0].segment,
                        .rendezvous = plan->rendezvous,
                        .simulated = gb_spec_effort_most(pl, plan->lanes),
                        .lanes = plan->lanes,
                        .meet = gb_plan_streams_meet(plan)};
  int status = gb_traffic_new(&composed.schedule, &composed.traffic, err);
  if (status == GBCAST_OK)
    status = gb_traffic_find(&pl->net, &composed.schedule, &flow, &composed.traffic, err);
  if (status == GBCAST_OK)
    status = gb_simulate(&composed.schedule, &composed.traffic, &flow, &composed.makespan, err);
  if (status == GBCAST_OK)
    status = gb_composed_predict(&pl->net, plan, &composed, plan->bytes, seconds, err);
  *one_way = gb_composed_time(plan, &composed);
  gb_traffic_free(&composed.traffic);
  return status;
}

/* A copy of the plan's trees without start and arrival, which are not wanted. */
static gb_tree *without_times(const gbcast_plan *plan, gbcast_error *err) {
  gb_tree *tree = malloc(plan->schedule.tree_count * sizeof *tree);
  if (!tree)
    (void)gb_no_memory(err);
  for (uint32_t t = 0; tree && t < plan->schedule.tree_count; t++) {
    tree[t] = plan->schedule.tree[t];
    tree[t].start = tree[t].arrival = NULL;
  }
  return tree;
}

int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err) {
  gbcast_plan there = *plan; /* its arrays are shared */
  there.turned = NULL;
  there.schedule.tree = without_times(plan, err);
  gb_planner pl;
  int status = there.schedule.tree ? gb_plan_set_platform(&there, p, err) : GBCAST_EMEMORY;
  if (status == GBCAST_OK)
    status = gb_plan_bound(&there, there.bytes, &there.bound, err);
  if (status == GBCAST_OK) {
    status = gb_planner_new(&pl, &there, err);
    if (status == GBCAST_OK)
      status = simulate(&pl, seconds, &(double){0}, err);
    if (status == GBCAST_OK && plan->native)
      status = gb_native_predict(&pl.net, &there, there.bytes, *seconds, seconds, err);
    gb_planner_release(&pl);
  }
  free(there.schedule.tree);
  gb_platform_turned_free(there.turned);
  return status;
}

void gb_plan_scale_times(gbcast_plan *plan, double factor) {
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++) {
      plan->schedule.tree[t].start[e] *= factor;
      plan->schedule.tree[t].arrival[e] *= factor;
    }
}

int gb_plan_retime(gbcast_plan *plan, gbcast_error *err) {
  double simulated = 0, one_way = 0, formula = -1;
  gb_plan_set_efficiency(plan);
  int status = gb_plan_bound(plan, plan->bytes, &plan->bound, err);
  if (status != GBCAST_OK)
    return status;
  gb_planner pl;
  status = gb_planner_new(&pl, plan, err);
  if (status == GBCAST_OK)
    status = simulate(&pl, &simulated, &one_way, err);
  if (status == GBCAST_OK)
    status = gb_plan_set_pacing(&pl.net, plan, err);
  if (status == GBCAST_OK && plan->native)
    status = gb_native_predict(&pl.net, plan, plan->bytes, simulated, &formula, err);
  gb_planner_release(&pl);
  if (status != GBCAST_OK)
    return status;
  plan->predicted = formula < 0 ? simulated : formula;
  if (formula >= 0 && one_way > 0)
    gb_plan_scale_times(plan, formula / one_way);
  gb_plan_turn_times(plan, formula >= 0 ? formula : one_way);
  return gb_plan_set_cost(plan, err);
}
