/* Which edges of a tree over the walk's places would meet on a directed link: by two numbers a place. */
#ifndef GB_INTRA_FENCES_H
#define GB_INTRA_FENCES_H

#include "intra/switch_walk.h"

typedef struct gb_fences {
  uint32_t *meet; /* count: the node at which a place and the next one meet; GB_NONE for the last place */
  uint32_t *left; /* count: first place below the node at which a place and the one before it meet; 0 for 0 */
  uint32_t *right; /* count: last place below `meet`; the place itself for the last one */
  uint32_t *words; /* owns the three above */
} gb_fences;

int gb_fences_new(const gb_switch_walk *walk, gb_fences *fences, gbcast_error *err);
void gb_fences_free(gb_fences *fences);

#endif
