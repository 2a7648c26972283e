/* What the table in intra/table.c lists: the tree builders and the closed formulas, one name each. */
#ifndef GB_INTRA_ALGORITHMS_H
#define GB_INTRA_ALGORITHMS_H

#include "intra/intra.h"

gb_intra_build gb_intra_build_flat, gb_intra_build_chain, gb_intra_build_binary, gb_intra_build_binomial,
    gb_intra_build_linear_contention_free;

/* Tree 0 or 1 of the two-tree, each of which carries half of the message. Both calls must have the same hosts
 * in the same order. Fills parent[count] like gb_intra_build. GBCAST_EUSAGE: hosts of two clusters, another
 * tree; GBCAST_EMEMORY. */
int gb_intra_build_two_tree(const gbcast_platform *p, const uint32_t *host, uint32_t count, uint32_t tree,
                            uint32_t *parent, gbcast_error *err);

/* Table 1 */
gb_intra_model gb_intra_flat, gb_intra_flat_rendezvous, gb_intra_flat_segmented, gb_intra_chain,
    gb_intra_chain_rendezvous, gb_intra_chain_segmented, gb_intra_binary, gb_intra_binomial,
    gb_intra_binomial_rendezvous, gb_intra_binomial_segmented;
/* Formula (1) */
gb_intra_model gb_intra_linear_contention_free;
/* Table 2 */
gb_intra_model gb_intra_scatter_flat, gb_intra_scatter_chain, gb_intra_scatter_binomial;
/* What MPICH documents that it does */
gb_intra_model gb_intra_native_bcast, gb_intra_native_scatter;

/* Powers of two that fit into x (at least 1), and that x fits into. */
uint32_t gb_floor_log2(uint32_t x);
uint32_t gb_ceil_log2(uint32_t x);

/* a b, or UINT64_MAX when that does not fit. */
uint64_t gb_times(uint64_t a, uint64_t b);

#endif
