/* What a platform can carry at most, and how soon at best. */
#ifndef GB_PLAN_BOUND_LIMITS_H
#define GB_PLAN_BOUND_LIMITS_H

#include "plan/core/core.h"

/* The most bytes a second of a link in its direction, of a host's own link in each direction, and of a
 * cluster's WAN traffic in each direction: as given, or as measured where that is more. */
double gb_bound_link_capacity(const gb_link *link);
double gb_bound_host_capacity(const gbcast_platform *p, uint32_t cluster);
double gb_bound_site_capacity(const gbcast_platform *p, uint32_t cluster);

/* The most bytes a second that can leave a cluster for others, over all its links together. */
double gb_bound_out_capacity(const gbcast_platform *p, uint32_t cluster);

/* The fewest seconds that a byte takes over a link: as given, or as measured where that is less. */
double gb_bound_link_latency(const gb_link *link);

/* distance (cluster_count): the least latency from a cluster to each (s), that of the route or lower where a
 * measured L is. GBCAST_EMEMORY. */
int gb_bound_latencies(const gbcast_platform *p, uint32_t from, double *distance, gbcast_error *err);

#endif
