/* What the builders of contention-free trees share: the walk, the fences, and the way back to indices. */
#ifndef GB_INTRA_BY_PLACES_H
#define GB_INTRA_BY_PLACES_H

#include "intra/fences.h"
#include "intra/intra.h"

/* Fills parent[walk->count] by places; at least one host. */
typedef int gb_place_builder(const gb_switch_walk *walk, const gb_fences *fences, const gb_intra_job *job,
                             uint32_t *parent, gbcast_error *err);

/* A gb_intra_build that has the work done by places. */
int gb_build_by_places(const gb_intra_job *job, gb_place_builder *builder, uint32_t *parent,
                       gbcast_error *err);

#endif
