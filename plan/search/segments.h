#ifndef GB_PLAN_SEARCH_SEGMENTS_H
#define GB_PLAN_SEARCH_SEGMENTS_H

#include "plan/search/planner.h"

#define GB_MAX_SEGMENTS 64
#define GB_START_SEGMENT ((uint64_t)16 << 10)
#define GB_LEAST_SEGMENT 512u /* bytes; smaller ones are all overhead */
/* Between sites where nobody has told what a message costs: with TCP that is some 100 bytes of headers, too,
 * which no formula counts. 1 MiB over the three sites of examples/rehearsal.txt, with real TCP, took 899 ms
 * in segments of 512 B, 713 in those of 2 KiB, 687 of 4 KiB, 709 of 8 KiB; 580 to 594 are predicted. */
#define GB_LEAST_SITE_SEGMENT 4096u

/* Segment sizes worth a try, increasing, without the whole message: at most GB_MAX_SEGMENTS. */
int gb_segments_list(const gb_planner *pl, uint64_t *list, size_t *out, gbcast_error *err);

/* The size nearest to `size` that cuts `total` bytes in equal parts. */
uint64_t gb_segment_even(const gb_planner *pl, uint64_t total, uint64_t size);

/* The segment that leaves the message whole, or nearly. */
uint64_t gb_segment_whole(const gb_planner *pl);

/* Where in the list the first size >= segment is, or the last place. */
size_t gb_segment_at(const uint64_t *list, size_t count, uint64_t segment);

/* Where the walk downhill begins: inside one site, at the segment that is best for its pipeline by formula
 * (1). */
uint64_t gb_segment_guess(const gb_planner *pl);

#endif
