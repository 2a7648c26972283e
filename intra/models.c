/* What a broadcast takes inside one cluster, by closed formula. P processes, a message of m bytes, k = ceil(m
 * / s) segments of s bytes; g and L in seconds. Sources: Table 1 of Barchet-Estefanel and Mounié (ten
 * formulas) and formula (1) of Patarasuk, Yuan and Faraj. Table 1 has one L for all sizes; here it is L of
 * the size that travels, as in the second paper, so a rendezvous pays 2 L(1) for its announcement and
 * the answer, and L(m) for the message. */
#include "intra/algorithms.h"

static double edges(uint32_t hosts) { /* P - 1, and 0 when nobody is there */
  return hosts > 1 ? (double)(hosts - 1) : 0;
}

/* 2 g(1) + 2 L(1): the announcement and its answer. */
static double handshake(const gb_lan *lan) {
  return 2 * gb_lan_gap(lan, 1) + 2 * gb_lan_latency(lan, 1);
}

static uint64_t piece_of(uint64_t bytes, uint64_t segment) { /* s; 0 stands for the whole message */
  return segment == 0 || segment > bytes ? bytes : segment;
}

static double pieces_of(uint64_t bytes, uint64_t segment) { /* k; an empty message is still one */
  uint64_t piece = piece_of(bytes, segment);
  uint64_t count = piece == 0 ? 1 : bytes / piece + (bytes % piece != 0);
  return (double)count;
}

/* Flat tree, Table 1: (P - 1) g(m) + L */
double gb_intra_flat(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return hosts > 1 ? edges(hosts) * gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes) : 0;
}

/* Flat tree rendezvous, Table 1: (P - 1) g(m) + 2 g(1) + 3 L */
double gb_intra_flat_rendezvous(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  return hosts > 1 ? gb_intra_flat(lan, hosts, bytes, segment) + handshake(lan) : 0;
}

/* Segmented flat tree, Table 1: (P - 1) (g(s) k) + L */
double gb_intra_flat_segmented(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  if (hosts <= 1) {
    return 0;
  }
  uint64_t piece = piece_of(bytes, segment);
  return edges(hosts) * (gb_lan_gap(lan, piece) * pieces_of(bytes, segment)) + gb_lan_latency(lan, piece);
}

/* Chain, Table 1: (P - 1) (g(m) + L) */
double gb_intra_chain(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return edges(hosts) * (gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes));
}

/* Chain rendezvous, Table 1: (P - 1) (g(m) + 2 g(1) + 3 L) */
double gb_intra_chain_rendezvous(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  return gb_intra_chain(lan, hosts, bytes, segment) + edges(hosts) * handshake(lan);
}

/* Segmented chain, Table 1: (P - 1) (g(s) + L) + g(s) (k - 1) */
double gb_intra_chain_segmented(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  if (hosts <= 1) {
    return 0;
  }
  uint64_t piece = piece_of(bytes, segment);
  double gap = gb_lan_gap(lan, piece);
  return edges(hosts) * (gap + gb_lan_latency(lan, piece)) + gap * (pieces_of(bytes, segment) - 1);
}

/* Binary tree, Table 1 (a bound): ceil(log2 P) (2 g(m) + L) */
double gb_intra_binary(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return (double)gb_ceil_log2(hosts) * (2 * gb_lan_gap(lan, bytes) + gb_lan_latency(lan, bytes));
}

/* Binomial tree, Table 1: floor(log2 P) g(m) + ceil(log2 P) L */
double gb_intra_binomial(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  (void)segment;
  return (double)gb_floor_log2(hosts) * gb_lan_gap(lan, bytes) +
         (double)gb_ceil_log2(hosts) * gb_lan_latency(lan, bytes);
}

/* Binomial tree rendezvous, Table 1: floor(log2 P) g(m) + ceil(log2 P) (2 g(1) + 3 L) */
double gb_intra_binomial_rendezvous(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  return gb_intra_binomial(lan, hosts, bytes, segment) + (double)gb_ceil_log2(hosts) * handshake(lan);
}

/* Segmented binomial tree, Table 1: floor(log2 P) g(s) k + ceil(log2 P) L */
double gb_intra_binomial_segmented(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  uint64_t piece = piece_of(bytes, segment);
  return (double)gb_floor_log2(hosts) * gb_lan_gap(lan, piece) * pieces_of(bytes, segment) +
         (double)gb_ceil_log2(hosts) * gb_lan_latency(lan, piece);
}

/* Contention-free linear tree, formula (1), X = k segments: (P - 1) (L(s) + g(s)) + (k - 1) g(s). The same
 * formula as the segmented chain's; what differs is that here no two hops share a link on any switch tree, so
 * that it holds. */
double gb_intra_linear_contention_free(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  return gb_intra_chain_segmented(lan, hosts, bytes, segment);
}

/* Formula (2) for a complete tree of k children, X segments: A L(s) + B g(s) + (X - 1) k g(s). It has A
 * levels, as few as a tree can have, and B = k A, as if the last host were the last child all the way. */
double gb_complete_tree(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment, uint32_t k) {
  if (hosts <= 1) {
    return 0;
  }
  uint32_t levels = 0;
  for (uint64_t below = 1, level = 1; below < hosts; levels++) {
    level *= k;
    below += level;
  }
  uint64_t piece = piece_of(bytes, segment);
  double gap = k * gb_lan_gap(lan, piece);
  return levels * (gb_lan_latency(lan, piece) + gap) + (pieces_of(bytes, segment) - 1) * gap;
}

/* Contention-free binary tree, formula (2). */
double gb_intra_binary_contention_free(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  return gb_complete_tree(lan, hosts, bytes, segment, 2);
}

/* Contention-free k-ary tree, formula (2) with the best k of 2 .. 8. */
double gb_intra_kary_contention_free(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  double best = gb_complete_tree(lan, hosts, bytes, segment, 2);
  for (uint32_t k = 3; k <= 8; k++) {
    double seconds = gb_complete_tree(lan, hosts, bytes, segment, k);
    best = seconds < best ? seconds : best;
  }
  return best;
}

/* Two trees on one switch: ceil(log2 P) (2 g(s) + L(s)) + 2 (k - 1) g(s), with k segments of s bytes in a
 * half: a host with two children passes a segment on every 2 g(s), and is done when the other half's are
 * through. */
double gb_intra_two_tree(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment) {
  if (hosts <= 1)
    return 0;
  uint64_t half = bytes / 2 + bytes % 2, piece = piece_of(half, segment);
  double gap = gb_lan_gap(lan, piece);
  return (double)gb_ceil_log2(hosts) * (2 * gap + gb_lan_latency(lan, piece)) +
         2 * (pieces_of(half, segment) - 1) * gap;
}
