#ifndef GB_PLAN_SIM_LINK_ENDS_H
#define GB_PLAN_SIM_LINK_ENDS_H

#include "plan/sim/state.h"

/* When v's own link has received all that crosses it, counted from the arrival of the first segment, in s.
 * The simulation lets bytes from far away pass this link too early, where they may miss those from nearby. 0
 * for a single tree. */
double gb_receiver_end(const gb_simulator *sim, uint32_t v);

/* When every shared link has carried all that crosses it in a broadcast and the last of it has arrived, in s.
 * The pace of the first segments may be faster than that. Overwrites sim->link_free. */
double gb_shared_links_end(gb_simulator *sim);

#endif
