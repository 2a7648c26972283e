/* Chain in the order given: 0 -> 1 -> 2 -> ...  (P - 1) (g(m) + L), with k segments (P - 1) (g(s) + L) + g(s)
 * (k - 1) (Table 1) */
#include "intra/algorithms.h"

int gb_intra_build_chain(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  (void)err;
  for (uint32_t i = 0; i < job->count; i++) {
    parent[i] = i == 0 ? GB_NONE : i - 1;
  }
  return GBCAST_OK;
}
