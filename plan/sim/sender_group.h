/* Simulates a group of senders in the order of time. Most of the planner's time goes here. */
#ifndef GB_PLAN_SIM_SENDER_GROUP_H
#define GB_PLAN_SIM_SENDER_GROUP_H

#include "plan/sim/state.h"

/* Sets when a node has the segment that its next send needs. */
void gb_update_ready(const gb_simulator *sim, const gb_pipe *pipe, gb_progress *from);

/* Simulates all sends of a group of `count` senders; all senders that feed it must have been simulated. */
void gb_simulate_group(gb_simulator *sim, const uint32_t *sender, uint32_t count);

#endif
