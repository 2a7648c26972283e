/* Binomial tree: the k-th site hangs off the one with k's lowest set bit cleared, as in MPICH; each round
 * doubles the sites that have the message.  T = ceil(log2 n) (delta + weight) when all are alike and delta >=
 * weight [s]; with delta < weight deeper subtrees wait less than a round. */
#include "inter/trees.h"

static uint32_t above(uint32_t k) {
  return k & (k - 1);
}

int gb_inter_binomial(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  return gb_site_rotated(g, above, parent, err);
}
