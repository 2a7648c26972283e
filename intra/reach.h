/* Contention-free k-ary trees along the walk, by how far each host reaches in a given time. */
#ifndef GB_INTRA_REACH_H
#define GB_INTRA_REACH_H

#include "intra/fences.h"

#define GB_MOST_CHILDREN 8u

/* The tree whose last host has the first segment soonest, at most `degree` (2 to 8) children a host. cost[u],
 * from 1 up and not falling: units of time from a host having a segment to its child number u, in the order
 * of service, having it; all 1 for the least height. Fills parent[walk->count] by places, GB_NONE for place
 * 0. Where the table would be too large it is the chain. */
int gb_reach_build(const gb_switch_walk *walk, const gb_fences *fences, uint32_t degree, const uint32_t *cost,
                   uint32_t *parent, gbcast_error *err);

/* Such costs, cost[1 .. degree], from L and g in seconds: L + u g, rounded, `units` of them in L + g. All the
 * same where L and g say nothing. */
void gb_reach_costs(double latency, double gap, uint32_t units, uint32_t degree, uint32_t *cost);

#endif
