/* What a scatter takes inside one cluster, by closed formula: P processes, blocks of m bytes, g and L in
 * seconds. Source: Table 2 of Barchet-Estefanel and Mounié. Table 2 has one L for all sizes; here it is L of
 * the size that travels. */
#include "intra/algorithms.h"

static double hop(const gb_lan *lan, uint64_t bytes) {
  return gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes);
}

/* Flat tree, Table 2: (P - 1) g(m) + L */
double gb_intra_scatter_flat(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return hosts > 1 ? (double)(hosts - 1) * gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes) : 0;
}

/* Chain, Table 2: sum over j = 1 .. P - 1 of g(j m), + (P - 1) L */
double gb_intra_scatter_chain(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  double seconds = 0;
  for (uint32_t blocks = 1; blocks < hosts; blocks++) {
    seconds += hop(lan, gb_times(bytes, blocks));
  }
  return seconds;
}

/* Binomial tree, Table 2: sum over j = 0 .. ceil(log2 P) - 1 of g(2^j m), + ceil(log2 P) L */
double gb_intra_scatter_binomial(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  double seconds = 0;
  for (uint32_t j = 0; j < gb_ceil_log2(hosts); j++) {
    seconds += hop(lan, gb_times(bytes, (uint64_t)1 << j));
  }
  return seconds;
}
