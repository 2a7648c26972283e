/* Site after site:  T = sum over the sites of delta + weight [s]. For one message it is the slowest of all;
 * it pays off in segments, when every site forwards while it receives. */
#include "inter/trees.h"

static uint32_t above(uint32_t k) {
  return k - 1;
}

int gb_inter_chain(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  return gb_site_rotated(g, above, parent, err);
}
