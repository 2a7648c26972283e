#ifndef GB_PLAN_SIM_PERIODIC_H
#define GB_PLAN_SIM_PERIODIC_H

#include "plan/sim/sim.h"

/* What the walk knows of the share that goes down one tree. */
typedef struct gb_pipe {
  gb_flow flow; /* bytes: the share */
  const gb_tree *tree;
  const gb_edge *edge;
  uint64_t segments; /* that the root has */
  uint32_t limit;    /* how many of them are walked */
  uint32_t period;   /* segments of this tree in one round of all */
} gb_pipe;

/* Sets segments, limit and period of every tree, after gb_queues_find. */
void gb_periodic_limits(const gb_schedule *schedule, const gb_traffic *traffic, const gb_flow *flow,
                        gb_pipe *pipe);

/* When all of a share is there: at[0 .. known - 1] are the arrivals of the segments that were walked. */
double gb_periodic_end(const gb_pipe *pipe, const double *at, uint32_t known);

#endif
