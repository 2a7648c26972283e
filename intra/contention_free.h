/* What the builders of trees over positions share (see gb_switch_order): which edges meet on a link, and the
 * contention-free trees that dynamic programming finds. */
#ifndef GB_INTRA_CONTENTION_FREE_H
#define GB_INTRA_CONTENTION_FREE_H

#include "intra/intra.h"

/* ---- Which edges of a tree over positions would meet on a directed link (intra/conflicts.c) ---- */

typedef struct gb_conflicts { /* all by position; "ancestor" is the lowest common one, a node */
  uint32_t *ancestor;         /* count: of the position and the next one; GB_NONE for the last position */
  uint32_t *left;  /* count: first position below the ancestor of the one before; 0 for position 0 */
  uint32_t *right; /* count: last position below `ancestor`; the position itself for the last one */
  uint32_t *words; /* owns the three above */
} gb_conflicts;

int gb_conflicts_new(const gb_switch_order *order, gb_conflicts *conflicts, gbcast_error *err);
void gb_conflicts_free(gb_conflicts *conflicts);

/* ---- Builders ---- */

/* Fills parent[order->count] by positions; at least one host. */
typedef int gb_position_builder(const gb_switch_order *order, const gb_conflicts *conflicts,
                                const void *context, uint32_t *parent, gbcast_error *err);

/* Has the builder make the tree, and turns positions into indices of job->host. */
int gb_build_by_position(const gb_intra_job *job, gb_position_builder *builder, const void *context,
                         uint32_t *parent, gbcast_error *err);

/* ---- Trees by how far each host reaches in a given time ---- */

#define GB_MOST_CHILDREN 8u

/* The tree whose last host has the first segment soonest, with at most `degree` (2 to 8) children for each
 * host. cost[u], from 1 up and not falling, is the time from a host having a segment to its child number u,
 * in the order of service, having it, in any unit; all 1 give the least height. Fills parent[order->count] by
 * positions, GB_NONE for position 0. Where the table would be too large the tree is the chain. */
int gb_coverage_build(const gb_switch_order *order, const gb_conflicts *conflicts, uint32_t degree,
                      const uint32_t *cost, uint32_t *parent, gbcast_error *err);

/* Such costs, cost[1 .. degree], from L and g in seconds: L + u g, rounded to units of which L + g has
 * `units`. They are all the same where L and g are 0. */
void gb_coverage_costs(double latency, double gap, uint32_t units, uint32_t degree, uint32_t *cost);

#endif
