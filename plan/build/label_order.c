/* Orders a leader's WAN children, LAN children and ranks on its own host together: the child with the most
 * left to do after the send comes first. */
#include "plan/build/label_order.h"
#include "labeling/labeling.h"
#include "plan/build/due_order.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

int gb_order_children(gb_planner *pl, gb_schedule *schedule, gb_tree *tree, const gb_flow *flow,
                      gb_edge *edge, gbcast_error *err) {
  gb_tree_link(tree, schedule->endpoint_count);
  int status = gb_edges_for_labels(&pl->net, schedule, tree, flow, edge, err);
  if (status != GBCAST_OK)
    return status;
  double *delta = malloc(schedule->endpoint_count * sizeof *delta),
         *weight = malloc(schedule->endpoint_count * sizeof *weight);
  if (delta && weight) {
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      gb_cost cost = edge[v].cost[0];
      delta[v] = cost.delta;
      weight[v] = cost.gap - cost.delta + cost.tail;
    }
    gb_label_tree costs = {.n = schedule->endpoint_count,
                           .root = schedule->root,
                           .parent = tree->parent,
                           .delta = delta,
                           .weight = weight};
    status = gb_label(&costs, tree->label, tree->child_start, tree->child, err);
    if (status == GBCAST_OK && gb_carries_blocks(flow->operation))
      status = gb_due_order(pl, schedule, tree, flow->interleave > 0 ? flow->interleave : 1, edge, err);
  } else
    status = gb_no_memory(err);
  free(delta);
  free(weight);
  return status;
}

int gb_schedule_order(gb_planner *pl, gb_schedule *schedule, gb_traffic *traffic, const gb_flow *flow,
                      gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t t = 0; status == GBCAST_OK && t < schedule->tree_count; t++) {
    gb_flow share = gb_schedule_share(schedule, flow, t);
    status = gb_order_children(pl, schedule, &schedule->tree[t], &share, traffic->edge[t], err);
  }
  return status;
}
