/* Trees that only look at the position of a site: numbered from the root in the order of mention, wrapping
 * around. */
#include "inter/trees.h"

int gb_site_rotated(const gb_site_graph *g, uint32_t (*above)(uint32_t k), uint32_t *parent,
                    gbcast_error *err) {
  for (int pass = 0; pass < 2; pass++) { /* checks first: outputs stay untouched on failure */
    for (uint32_t k = 1; k < g->n; k++) {
      const uint32_t v = (uint32_t)(((uint64_t)g->root + k) % g->n);
      const uint32_t u = (uint32_t)(((uint64_t)g->root + above(k)) % g->n);
      if (pass == 1)
        parent[v] = u;
      else if (!gb_site_usable(g, u, v))
        return gb_site_unreached(v, err);
    }
  }
  parent[g->root] = UINT32_MAX;
  return GBCAST_OK;
}
