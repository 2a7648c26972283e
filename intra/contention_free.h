/* What the builders of trees over positions share (see gb_switch_walk): which edges meet on a link, and the
 * contention-free trees that dynamic programming finds. */
#ifndef GB_INTRA_CONTENTION_FREE_H
#define GB_INTRA_CONTENTION_FREE_H

#include "intra/intra.h"

/* ---- Which edges of a tree over positions would meet on a directed link: two numbers for each position ----
 */

typedef struct gb_fences {
  uint32_t *meet; /* count: the node at which a place and the next one meet; GB_NONE for the last place */
  uint32_t *left; /* count: first place below the node at which a place and the one before it meet; 0 for 0 */
  uint32_t *right; /* count: last place below `meet`; the place itself for the last one */
  uint32_t *words; /* owns the three above */
} gb_fences;

int gb_fences_new(const gb_switch_walk *walk, gb_fences *fences, gbcast_error *err);
void gb_fences_free(gb_fences *fences);

/* ---- Builders ---- */

/* Fills parent[walk->count] by places; at least one host. */
typedef int gb_place_builder(const gb_switch_walk *walk, const gb_fences *fences, const void *context,
                             uint32_t *parent, gbcast_error *err);

/* Has the builder make the tree, and turns positions into indices of job->host. */
int gb_build_by_places(const gb_intra_job *job, gb_place_builder *builder, const void *context,
                       uint32_t *parent, gbcast_error *err);

/* ---- Trees by how far each host reaches in a given time ---- */

#define GB_MOST_CHILDREN 8u

/* The tree whose last host has the first segment soonest, at most `degree` (2 to 8) children a host. cost[u],
 * from 1 up and not falling: units of time from a host having a segment to its child number u, in the order
 * of service, having it; all 1 for the least height. Fills parent[walk->count] by places, GB_NONE for place
 * 0. Where the table would be too large it is the chain. */
int gb_reach_build(const gb_switch_walk *walk, const gb_fences *fences, uint32_t degree, const uint32_t *cost,
                   uint32_t *parent, gbcast_error *err);

/* Such costs, cost[1 .. degree], from L and g in seconds: L + u g, rounded, `units` of them in L + g. All the
 * same where L and g say nothing. */
void gb_reach_costs(double latency, double gap, uint32_t units, uint32_t degree, uint32_t *cost);

#endif
