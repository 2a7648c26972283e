/* The tree behind intra/binary_shared_links.c, for any L and g. */
#ifndef GB_INTRA_SHARED_LINKS_H
#define GB_INTRA_SHARED_LINKS_H

#include "intra/fences.h"

/* Fills parent[walk->count] by places. L and g in seconds; 1 and 0 go by height. */
int gb_shared_links_build(const gb_switch_walk *walk, const gb_fences *fences, double latency, double gap,
                          uint32_t *parent, gbcast_error *err);

#endif
