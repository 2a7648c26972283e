/* What the table in intra/table.c lists, the tree builders and the closed formulas, one name each; and the
 * arithmetic that they share. */
#ifndef GB_INTRA_ALGORITHMS_H
#define GB_INTRA_ALGORITHMS_H

#include "intra/intra.h"

gb_intra_build gb_intra_build_flat, gb_intra_build_chain, gb_intra_build_binary, gb_intra_build_binomial,
    gb_intra_build_linear_contention_free, gb_intra_build_binary_contention_free,
    gb_intra_build_kary_contention_free, gb_intra_build_binary_shared_links, gb_intra_build_two_tree,
    gb_intra_build_earliest, gb_intra_build_scatter_allgather;

/* Table 1 */
gb_intra_model gb_intra_flat, gb_intra_flat_rendezvous, gb_intra_flat_segmented, gb_intra_chain,
    gb_intra_chain_rendezvous, gb_intra_chain_segmented, gb_intra_binary, gb_intra_binomial,
    gb_intra_binomial_rendezvous, gb_intra_binomial_segmented;
/* Formulas (1) and (2) */
gb_intra_model gb_intra_linear_contention_free, gb_intra_binary_contention_free,
    gb_intra_kary_contention_free;
/* Two trees of half the message each */
gb_intra_model gb_intra_two_tree;
/* Shares of the message round a ring */
#define GB_SCATTER_ALLGATHER_SHARES 16u
gb_intra_model gb_intra_scatter_allgather;
/* LogP's least time for a message as a whole */
gb_intra_model gb_intra_earliest;
/* Table 2 */
gb_intra_model gb_intra_scatter_flat, gb_intra_scatter_chain, gb_intra_scatter_binomial;
/* What MPICH documents that it does */
gb_intra_model gb_intra_native_bcast, gb_intra_native_scatter;

/* Formula (2) for the complete tree of k children */
double gb_complete_tree(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint64_t segment, uint32_t k);

/* The largest k with 2^k <= x, for x at least 1. */
uint32_t gb_floor_log2(uint32_t x);

/* a b, or UINT64_MAX when that does not fit. */
uint64_t gb_times(uint64_t a, uint64_t b);

/* The time of a message cut into segments that go down one tree: formula (2), with the segment left open. */

/* The best segment of those tried, on the complete tree of k children. */
uint64_t gb_pipeline_segment(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint32_t k);

/* Seconds on the tree parent[count] with the best segment of those tried. */
int gb_pipeline_time(const uint32_t *parent, uint32_t count, const gb_lan *lan, uint64_t bytes,
                     double *seconds, gbcast_error *err);

#endif
