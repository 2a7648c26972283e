#ifndef GB_PLAN_SEARCH_SEGMENTS_H
#define GB_PLAN_SEARCH_SEGMENTS_H

#include "plan/search/planner.h"

#define GB_SEGMENT_SIZES_MOST 64              /* sizes in a list */
#define GB_START_SEGMENT ((uint64_t)16 << 10) /* bytes: where the search starts */
#define GB_LEAST_SEGMENT 512u                 /* bytes; smaller ones are mostly overhead */
/* Bytes: the least segment between sites if the hosts file does not say what a message costs (`overhead=`).
 * With TCP a message also has some 100 bytes of headers, which no formula counts. Evidence: docs/planning.md,
 * "Where the numbers come from". */
#define GB_LEAST_SITE_SEGMENT 4096u

/* Fills list with the *out segment sizes to try, in increasing order, without the whole message. list:
 * GB_SEGMENT_SIZES_MOST. GBCAST_EMEMORY. */
int gb_segments_list(const gb_planner *pl, uint64_t *list, size_t *out, gbcast_error *err);

/* The size near `size` that cuts `total` bytes into nearly equal segments; total and size are at least 1. */
uint64_t gb_segment_even(const gb_planner *pl, uint64_t total, uint64_t size);

/* The segment that leaves the message whole, or the largest that MPI takes. */
uint64_t gb_segment_whole(const gb_planner *pl);

/* The index of the first size >= segment in the list, or of the last one. */
size_t gb_segment_at(const uint64_t *list, size_t count, uint64_t segment);

/* The segment size from which to go downhill: inside one site the one that is best for its pipeline by
 * formula (1). */
uint64_t gb_segment_guess(const gb_planner *pl);

#endif
