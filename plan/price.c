/* What a plan that was made for one platform takes over another. */
#include "plan/price.h"
#include "plan/bound.h"
#include "plan/compose.h"
#include "plan/forest.h"
#include "plan/native.h"
#include "plan/queues.h"
#include "plan/trial.h"
#include "plan/walk.h"
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
    memcpy(part->shape.parent, tree->parent, n * sizeof *tree->parent);
    memcpy(part->shape.child_start, tree->child_start, (n + 1) * sizeof *tree->child_start);
    memcpy(part->shape.child, tree->child, (n - 1) * sizeof *tree->child);
  }
  return GBCAST_OK;
}

/* `there`: the plan, moved to the other platform. */
static int walk(gbcast_plan *there, double *seconds, gbcast_error *err) {
  gb_planner pl;
  gb_composed composed = {.site_trees = there->tree_count};
  int status = gb_planner_new(&pl, there, err);
  pl.rendezvous = there->rendezvous;
  gb_flow flow = gb_trial_flow(&pl, there->tree[0].segment, there->lanes);
  flow.bytes = there->bytes;
  if (status == GBCAST_OK)
    status = copy_trees(there, &composed.forest, err);
  if (status == GBCAST_OK)
    status = gb_queues_find(&pl, &composed.forest, &flow, err);
  if (status == GBCAST_OK)
    status = gb_walk(&composed.forest, &flow, &composed.makespan, err);
  if (status == GBCAST_OK)
    *seconds = gb_composed_time(there, &composed);
  gb_composed_free(&composed);
  gb_planner_release(&pl);
  return status;
}

int gb_plan_price(const gbcast_plan *plan, const gbcast_platform *p, double *seconds, gbcast_error *err) {
  gbcast_plan there = *plan; /* its arrays are shared */
  there.platform = p;
  if (plan->native) {
    *seconds = gb_native_predict(&there, there.bytes);
    return GBCAST_OK;
  }
  int status = gb_plan_bound(&there, there.bytes, &there.bound, err);
  return status == GBCAST_OK ? walk(&there, seconds, err) : status;
}
