/* What a plan that was made for one platform takes over another. */
#include "plan/bound/bound.h"
#include "plan/search/candidate.h"
#include "plan/search/compose.h"
#include "plan/search/native.h"
#include "plan/search/pacing.h"
#include "plan/search/search.h"
#include "plan/search/streams_meet.h"
#include "plan/sim/sim.h"
#include <string.h>

/* The plan's trees, with nothing known about their edges yet. */
static int copy_trees(const gbcast_plan *plan, gb_forest *forest, gbcast_error *err) {
  const size_t n = plan->endpoint_count;
  int status = gb_forest_new(plan->endpoint, plan->endpoint_count, plan->root, plan->tree_count, forest, err);
  if (status != GBCAST_OK)
    return status;
  forest->weight_total = plan->weight_total;
  for (uint32_t t = 0; t < plan->tree_count; t++) {
    const gb_tree *tree = &plan->tree[t];
    gb_part *part = &forest->part[t];
    part->weight = tree->weight;
    part->turn = tree->turn;
    memcpy(part->shape.parent, tree->parent, n * sizeof *tree->parent);
    memcpy(part->shape.child_start, tree->child_start, (n + 1) * sizeof *tree->child_start);
    memcpy(part->shape.child, tree->child, (n - 1) * sizeof *tree->child);
  }
  return GBCAST_OK;
}

/* `there`: the plan, moved to the other platform. times: its own are written anew. */
static int walk(gbcast_plan *there, bool times, double *seconds, gbcast_error *err) {
  gb_planner pl;
  gb_composed composed = {.site_trees = there->tree_count};
  int status = gb_planner_new(&pl, there, err);
  pl.rendezvous = there->rendezvous;
  gb_flow flow = gb_trial_flow(&pl, there->tree[0].segment, there->lanes);
  flow.bytes = there->bytes;
  flow.meet = gb_plan_streams_meet(there);
  if (status == GBCAST_OK)
    status = copy_trees(there, &composed.forest, err);
  if (status == GBCAST_OK)
    status = gb_queues_find(&pl.net, &composed.forest, &flow, err);
  for (uint32_t t = 0; status == GBCAST_OK && times && t < there->tree_count; t++) {
    composed.forest.part[t].start = there->tree[t].start;
    composed.forest.part[t].arrival = there->tree[t].arrival;
  }
  if (status == GBCAST_OK)
    status = gb_walk(&composed.forest, &flow, &composed.makespan, err);
  for (uint32_t t = 0; t < composed.forest.count; t++)
    composed.forest.part[t].start = composed.forest.part[t].arrival = NULL; /* they are the plan's */
  if (status == GBCAST_OK)
    *seconds = gb_composed_time(there, &composed);
  if (status == GBCAST_OK && times)
    status = gb_plan_set_pacing(&pl.net, there, err);
  gb_composed_free(&composed);
  gb_planner_release(&pl);
  return status;
}

int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err) {
  gbcast_plan there = *plan; /* its arrays are shared */
  there.platform = p;
  int status = gb_plan_bound(&there, there.bytes, &there.bound, err);
  if (status == GBCAST_OK)
    status = walk(&there, false, seconds, err);
  if (status == GBCAST_OK && plan->native)
    *seconds = gb_native_predict(&there, there.bytes, *seconds);
  return status;
}

void gb_plan_scale_times(gbcast_plan *plan, double factor) {
  for (uint32_t t = 0; t < plan->tree_count; t++)
    for (uint32_t e = 0; e < plan->endpoint_count; e++) {
      plan->tree[t].start[e] *= factor;
      plan->tree[t].arrival[e] *= factor;
    }
}

int gb_plan_retime(gbcast_plan *plan, gbcast_error *err) {
  double walked = 0;
  gb_plan_set_efficiency(plan);
  int status = gb_plan_bound(plan, plan->bytes, &plan->bound, err);
  if (status == GBCAST_OK)
    status = walk(plan, true, &walked, err);
  if (status != GBCAST_OK)
    return status;
  const double formula = plan->native ? gb_native_predict(plan, plan->bytes, walked) : -1;
  plan->predicted = formula < 0 ? walked : formula;
  if (formula >= 0 && walked > 0)
    gb_plan_scale_times(plan, formula / walked);
  return GBCAST_OK;
}
