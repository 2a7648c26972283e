/* The MPI library's own collective, as far as it can be known from outside: what MPICH documents that it
 * does, with g and L [s] of one switch and without its topology. P processes, m bytes, b = ceil(m / P),
 * r = ceil(log2 P).
 *
 *   bcast, m < 12 KiB or P < 8          binomial tree: r (g(m) + L(m))
 *   bcast, else                         binomial scatter: sum over j < r of g(2^j b) + L(2^j b),
 *                                       then an all-gather:
 *     m < 512 KiB, P a power of 2       recursive doubling: the same sum again
 *     else                              ring: (P - 1) (g(b) + L(b))
 *   scatter of blocks of m              binomial tree: sum over j < r of g(2^j m) + L(2^j m)
 *
 * Sources: MPICH's notes on its bcast algorithms; Thakur, Rabenseifner and Gropp (2005). A measurement
 * replaces it. */
#include "intra/algorithms.h"

#define SHORT_BYTES 12288u
#define LONG_BYTES 524288u
#define FEW_HOSTS 8u

/* r steps of doubling size, none above `most` bytes. */
static double doubling(const gb_lan *lan, uint32_t hosts, uint64_t block, uint64_t most) {
  double seconds = 0;
  for (uint32_t j = 0; j < gb_ceil_log2(hosts); j++) {
    uint64_t bytes = gb_times(block, (uint64_t)1 << j);
    bytes = bytes < most ? bytes : most;
    seconds += gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes);
  }
  return seconds;
}

bool gb_intra_native_is_tree(uint32_t hosts, uint64_t bytes) {
  return bytes < SHORT_BYTES || hosts < FEW_HOSTS;
}

double gb_intra_native_bcast(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  if (hosts <= 1) {
    return 0;
  }
  if (gb_intra_native_is_tree(hosts, bytes)) {
    return (double)gb_ceil_log2(hosts) * (gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes));
  }
  uint64_t block = bytes / hosts + (bytes % hosts != 0);
  double scatter = doubling(lan, hosts, block, bytes);
  if (bytes < LONG_BYTES && (hosts & (hosts - 1)) == 0) {
    return scatter + doubling(lan, hosts, block, bytes);
  }
  return scatter + (double)(hosts - 1) * (gb_lan_gap(lan, block) + gb_lan_latency(lan, block));
}

double gb_intra_native_scatter(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return doubling(lan, hosts, bytes, UINT64_MAX);
}
