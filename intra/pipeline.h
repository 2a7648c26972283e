/* The time of a message cut in segments that go down one tree: formula (2), with the segment left open. */
#ifndef GB_INTRA_PIPELINE_H
#define GB_INTRA_PIPELINE_H

#include "intra/intra.h"

/* The best segment of those tried, on the complete tree of k children. */
uint64_t gb_pipeline_segment(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint32_t k);

/* Seconds on the tree parent[count] with the best segment of those tried. */
int gb_pipeline_time(const uint32_t *parent, uint32_t count, const gb_lan *lan, uint64_t bytes,
                     double *seconds, gbcast_error *err);

#endif
