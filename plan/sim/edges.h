#ifndef GB_PLAN_SIM_EDGES_H
#define GB_PLAN_SIM_EDGES_H

#include "plan/search/planner.h"

/* What one message of `bytes` from endpoint u to endpoint v costs where it gets that part
 * (plan/sim/link_efficiency.h) of the links. */
int gb_edge_cost(gb_planner *pl, gb_endpoint u, gb_endpoint v, uint64_t bytes, double room, gb_cost *cost,
                 gbcast_error *err);

/* Fills edge[v].bytes (n): the flow's message, or the blocks of the subtree. */
int gb_edges_set_bytes(const gb_shape *shape, const gb_flow *flow, gb_edge *edge, gbcast_error *err);

/* Fills edge[v].cost[0] for the edges of shape->parent, at `segment` bytes (bcast) or all of the edge's bytes
 * (scatter): what labels need. */
int gb_edges_for_labels(gb_planner *pl, const gb_shape *shape, const gb_flow *flow, gb_edge *edge,
                        gbcast_error *err);

/* Fills all but the queues of the edge to v in one of so many trees; edge->bytes is set. The route, as wide
 * as the edge has room, is in pl->route; *apart says whether there is one, that is, whether both ends are on
 * different hosts. */
int gb_edge_measure(gb_planner *pl, const gb_shape *shape, uint32_t trees, const gb_flow *flow, uint32_t v,
                    gb_edge *edge, bool *apart, gbcast_error *err);

#endif
