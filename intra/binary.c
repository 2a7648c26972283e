/* Complete binary tree in the order given: i -> 2 i + 1, 2 i + 2.  At most ceil(log2 P) (2 g(m) + L)  (Table
 * 1) */
#include "intra/algorithms.h"

int gb_intra_build_binary(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  (void)err;
  for (uint32_t i = 0; i < job->count; i++) {
    parent[i] = i == 0 ? GB_NONE : (i - 1) / 2;
  }
  return GBCAST_OK;
}
