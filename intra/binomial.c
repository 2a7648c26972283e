/* Binomial tree in the order given: i hangs off i with its lowest set bit cleared.
 *
 *   0 -> 4, 2, 1     4 -> 6, 5     2 -> 3     6 -> 7
 *
 * The child at distance 2^j leads a run of up to 2^j neighbours (fewer at the end of the order), so a subtree
 * stays on few switches when the order follows them. The send order (labels) puts the child with the most
 * below it first: half of the hosts when P is a power of two.  floor(log2 P) g(m) + ceil(log2 P) L  (Table 1)
 */
#include "intra/algorithms.h"

int gb_intra_build_binomial(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  (void)err;
  for (uint32_t i = 0; i < job->count; i++) {
    parent[i] = i == 0 ? GB_NONE : i & (i - 1);
  }
  return GBCAST_OK;
}
