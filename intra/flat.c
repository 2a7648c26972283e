/* Flat tree: the root sends to everybody.  (P - 1) g(m) + L  (Table 1) */
#include "intra/algorithms.h"

int gb_intra_build_flat(const gbcast_platform *p, const uint32_t *host, uint32_t count, uint32_t *parent,
                        gbcast_error *err) {
  (void)p;
  (void)host;
  (void)err;
  for (uint32_t i = 0; i < count; i++) {
    parent[i] = i == 0 ? GB_NONE : 0;
  }
  return GBCAST_OK;
}
