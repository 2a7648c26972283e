#ifndef GB_PLAN_EDGES_H
#define GB_PLAN_EDGES_H

#include "plan/planner.h"

/* What one message of `bytes` from endpoint u to endpoint v costs. */
int gb_edge_cost(gb_planner *pl, gb_endpoint u, gb_endpoint v, uint64_t bytes, gb_cost *cost,
                 gbcast_error *err);

/* Fills edge[v].cost[0] for the edges of shape->parent, at `segment` bytes (bcast) or all of the edge's bytes
 * (scatter): what labels need. */
int gb_edges_for_labels(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, gb_edges *edges,
                        gbcast_error *err);

/* Adds what the walk needs: queues, last segments. shape->child must be in sending order. */
int gb_edges_for_walk(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, gb_edges *edges,
                      gbcast_error *err);

int gb_edges_new(uint32_t n, gb_edges *edges, gbcast_error *err);
void gb_edges_free(gb_edges *edges);

#endif
