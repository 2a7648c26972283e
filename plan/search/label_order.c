/* A leader's WAN children, LAN children and ranks on its own host are sorted together: whoever leaves most to
 * do after the send goes first. */
#include "plan/search/label_order.h"
#include "labeling/labeling.h"
#include "plan/search/due_order.h"
#include "plan/sim/sim.h"
#include <stdlib.h>

int gb_order_children(gb_planner *pl, gb_shape *shape, const gb_flow *flow, gb_edge *edge, double *label,
                      gbcast_error *err) {
  gb_shape_link(shape);
  int status = gb_edges_for_labels(&pl->net, shape, flow, edge, err);
  if (status != GBCAST_OK)
    return status;
  double *delta = malloc(shape->n * sizeof *delta), *weight = malloc(shape->n * sizeof *weight);
  if (delta && weight) {
    for (uint32_t v = 0; v < shape->n; v++) {
      gb_cost cost = edge[v].cost[0];
      delta[v] = cost.delta;
      weight[v] = cost.gap - cost.delta + cost.tail;
    }
    gb_label_tree tree = {
        .n = shape->n, .root = shape->root, .parent = shape->parent, .delta = delta, .weight = weight};
    status = gb_label(&tree, label, shape->child_start, shape->child, err);
    if (status == GBCAST_OK && flow->operation == GBCAST_SCATTER)
      status = gb_due_order(pl, shape, flow->turns > 0 ? flow->turns : 1, edge, err);
  } else
    status = gb_no_memory(err);
  free(delta);
  free(weight);
  return status;
}

int gb_forest_order(gb_planner *pl, gb_forest *forest, const gb_flow *flow, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t t = 0; status == GBCAST_OK && t < forest->count; t++) {
    gb_part *part = &forest->part[t];
    gb_flow share = gb_forest_flow(forest, flow, t);
    status = gb_order_children(pl, &part->shape, &share, part->edge, part->label, err);
  }
  return status;
}
