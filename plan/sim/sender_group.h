/* What the walk spends its time with: senders that share links, in the order of time. */
#ifndef GB_PLAN_SIM_SENDER_GROUP_H
#define GB_PLAN_SIM_SENDER_GROUP_H

#include "plan/sim/state.h"

/* When a node has what its next send needs. */
void gb_update_ready(const gb_simulator *w, const gb_pipe *pipe, gb_progress *from);

/* All sends of a group of senders; all who feed it have been walked. */
void gb_simulate_group(gb_simulator *w, const uint32_t *sender, uint32_t count);

#endif
