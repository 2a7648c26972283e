/* Trees over the places of the walk, for hosts in any order. */
#include "intra/contention_free.h"

#include <stdlib.h>

int gb_build_by_places(const gb_intra_job *job, gb_place_builder *builder, const void *context,
                       uint32_t *parent, gbcast_error *err) {
  gb_switch_walk walk;
  gb_fences fences = {0};
  if (job->count == 0) {
    return GBCAST_OK;
  }
  int status = gb_switch_walk_new(job->p, job->host, job->count, &walk, err);
  if (status != GBCAST_OK) {
    return status;
  }
  status = gb_fences_new(&walk, &fences, err);
  uint32_t *up = malloc(job->count * sizeof *up);
  if (status == GBCAST_OK && up == NULL) {
    status = gb_no_memory(err);
  }
  if (status == GBCAST_OK) {
    status = builder(&walk, &fences, context, up, err);
  }
  for (uint32_t place = 0; status == GBCAST_OK && place < job->count; place++) {
    parent[walk.host[place]] = up[place] == GB_NONE ? GB_NONE : walk.host[up[place]];
  }
  free(up);
  gb_fences_free(&fences);
  gb_switch_walk_free(&walk);
  return status;
}
