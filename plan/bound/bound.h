#ifndef GB_PLAN_BOUND_BOUND_H
#define GB_PLAN_BOUND_BOUND_H

#include "plan/core/core.h"

/* Seconds that no schedule of a message or block of so many bytes can beat. */
int gb_plan_bound(const gbcast_plan *plan, uint64_t bytes, double *bound, gbcast_error *err);

/* Bytes a second that a link, and the WAN traffic of a cluster in one direction, can be at most: as given, or
 * as measured where that is more. */
double gb_bound_link_capacity(const gb_link *link);
double gb_bound_site_capacity(const gbcast_platform *p, uint32_t cluster);

/* Bytes a second that can leave a cluster for others, over all its links together. */
double gb_bound_out_capacity(const gbcast_platform *p, uint32_t cluster);

/* Seconds that a byte takes over a link at least: as given, or as measured where that is less. */
double gb_bound_link_latency(const gb_link *link);

/* The least latency from a cluster to each (s): the routed distance, lower where a measured L is. Statuses:
 * GBCAST_OK, GBCAST_EMEMORY. */
int gb_bound_latencies(const gbcast_platform *p, uint32_t from, double *distance, gbcast_error *err);

/* Seconds that no all-to-all of blocks of so many bytes between sites of a plan can beat, whatever ways they
 * take: see cuts.c. 0 with one site. GBCAST_EMEMORY. */
int gb_bound_cuts(const gbcast_plan *plan, uint64_t block, double *bound, gbcast_error *err);

#endif
