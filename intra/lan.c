/* A homogeneous cluster as pLogP sees it: g(m) and L(m), measured or from latency, bandwidth and overhead:
 *   g(m) = o + m / B [s]     L(m) = L + o [s]     so that g + L is what a lone message takes (design). */
#include "intra/algorithms.h"

gb_lan gb_lan_of(const gbcast_platform *p, uint32_t cluster) {
  const gb_cluster *c = &p->cluster[cluster];
  return (gb_lan){.plogp = c->plogp.count > 0 ? &c->plogp : NULL,
                  .latency = c->latency,
                  .bandwidth = c->bandwidth,
                  .overhead = c->overhead};
}

double gb_lan_gap(const gb_lan *lan, uint64_t bytes) {
  return lan->plogp != NULL ? gb_plogp_gap(lan->plogp, bytes)
                            : lan->overhead + (double)bytes / lan->bandwidth;
}

double gb_lan_latency(const gb_lan *lan, uint64_t bytes) {
  return lan->plogp != NULL ? gb_plogp_latency(lan->plogp, bytes) : lan->latency + lan->overhead;
}

uint64_t gb_lan_known_size(const gb_lan *lan, uint64_t bytes) {
  return lan->plogp != NULL && lan->plogp->point[0].bytes > bytes ? lan->plogp->point[0].bytes : bytes;
}

uint32_t gb_floor_log2(uint32_t x) {
  uint32_t power = 0;
  while (x > 1) {
    x /= 2;
    power++;
  }
  return power;
}

uint32_t gb_ceil_log2(uint32_t x) {
  return x <= 1 ? 0 : gb_floor_log2(x - 1) + 1;
}

uint64_t gb_times(uint64_t a, uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}
