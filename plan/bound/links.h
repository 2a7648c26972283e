#ifndef GB_PLAN_BOUND_LINKS_H
#define GB_PLAN_BOUND_LINKS_H

#include "plan/core/core.h"

/* Raises *bound (s) to when so many bytes can have come into each site but the root's over its links: see
 * plan/bound/links.c. An assumed mesh has no links; each host's own link is as narrow there. distance: per
 * cluster of the platform, the least latency from the root's; blocks: there are so many for each rank of a
 * site, not for all of them. GBCAST_EMEMORY. */
int gb_bound_links(const gbcast_plan *plan, const double *distance, double bytes, bool blocks, double *bound,
                   gbcast_error *err);

#endif
