/* Flat tree: the root sends to everybody.  (P - 1) g(m) + L  (Table 1) */
#include "intra/algorithms.h"

int gb_intra_build_flat(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  (void)err;
  for (uint32_t i = 0; i < job->count; i++) {
    parent[i] = i == 0 ? GB_NONE : 0;
  }
  return GBCAST_OK;
}
