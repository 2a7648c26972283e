/* The numbers of a job's ranks: which is where. */
#ifndef GB_PLAN_CORE_NUMBERING_H
#define GB_PLAN_CORE_NUMBERING_H

#include "plan/core/core.h"

/* The host of each rank of a job with so many on each host, by number; to be freed. Ranks are numbered as
 * `rank_host` says, a copy of which this is, or without it as the slots of the file are, a host's ranks
 * beyond its slots after the last of those. GBCAST_EUSAGE: `ranks` and `rank_host` are of different jobs. */
int gb_numbering(const gbcast_platform *p, const uint32_t *ranks, const uint32_t *rank_host, uint32_t **host,
                 uint32_t *count, gbcast_error *err);

#endif
