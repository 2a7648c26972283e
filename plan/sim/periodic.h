#ifndef GB_PLAN_SIM_PERIODIC_H
#define GB_PLAN_SIM_PERIODIC_H

#include "plan/sim/sim.h"

/* What the simulation needs to know of the share that goes down one tree. */
typedef struct gb_pipe {
  gb_flow flow; /* flow.bytes is the share */
  const gb_tree *tree;
  const gb_edge *edge;
  uint64_t segments; /* that the root has */
  uint32_t limit;    /* segments that are simulated */
  uint32_t period;   /* segments of this tree in a round of all trees */
} gb_pipe;

/* Sets segments, limit and period of every tree, after gb_traffic_find. */
void gb_periodic_limits(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                        gb_pipe *pipe);

/* When all of a share has arrived (s). at[0] .. at[known - 1]: the arrivals of the simulated segments. */
double gb_periodic_end(const gb_pipe *pipe, const double *at, uint32_t known);

#endif
