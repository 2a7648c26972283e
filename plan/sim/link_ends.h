#ifndef GB_PLAN_SIM_LINK_ENDS_H
#define GB_PLAN_SIM_LINK_ENDS_H

#include "plan/sim/state.h"

/* When v's own link has taken in all that comes over it, from the first segment on. The walk lets what comes
 * from far away pass there too early, so that it may not meet what comes from near by. */
double gb_receiver_end(const gb_simulator *w, uint32_t v);

/* When every shared link has let all through that crosses it in a broadcast, and the last of that has come
 * on: the pace of the first segments may be less. The queues are no longer needed. */
double gb_shared_links_end(gb_simulator *w);

#endif
