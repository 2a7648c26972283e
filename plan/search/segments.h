#ifndef GB_PLAN_SEARCH_SEGMENTS_H
#define GB_PLAN_SEARCH_SEGMENTS_H

#include "plan/build/build.h"

#define GB_START_SEGMENT ((uint64_t)16 << 10) /* bytes: where the search starts */
#define GB_LEAST_SEGMENT 512u /* bytes; without measured values smaller ones are mostly overhead */
/* Bytes: the least segment between sites if the hosts file does not say what a message costs (`overhead=`).
 * With TCP a message also has some 100 bytes of headers, which no formula counts. Evidence: docs/planning.md,
 * "Where the numbers come from". */
#define GB_LEAST_SITE_SEGMENT 4096u

/* Sets *least to the least segment that is tried (bytes). GBCAST_EMEMORY. */
int gb_segment_least(const gb_planner *pl, uint64_t *least, gbcast_error *err);

/* The size near `size`, and not below `least`, that cuts what the root sends into nearly equal segments. */
uint64_t gb_segment_near(const gb_planner *pl, uint64_t least, uint64_t size);

/* The size near `size` that cuts `total` bytes into nearly equal segments; total and size are at least 1. */
uint64_t gb_segment_even(const gb_planner *pl, uint64_t total, uint64_t size);

/* The segment that leaves the message whole, or the largest that MPI takes. */
uint64_t gb_segment_whole(const gb_planner *pl);

/* The segment size from which to go downhill: inside one site the one that is best for its pipeline by
 * formula (1). */
uint64_t gb_segment_guess(const gb_planner *pl);

#endif
