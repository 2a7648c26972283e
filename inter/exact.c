/* The tree of least label over all trees and orders, any pair of finite cost being an edge.
 *
 *   T* = min over trees of label(root),  label as in labeling/label.c, local children included      [s]
 *
 * The problem is NP-hard (Mateescu and Taylor, section 1), so the optimum is found for up to GB_SUBSET_SITES
 * sites (subset.c); of more sites the best of all the other trees is taken. The optimum is held against these
 * by gb_inter_makespan, the same arithmetic that callers use, so that no rounding can make `exact` the slower
 * one. */
#include "inter/trees.h"
#include <stdlib.h>
#include <string.h>

typedef struct best_tree {
  uint32_t *parent;
  double makespan; /* INFINITY: none yet */
} best_tree;

/* Keeps `candidate` if it is strictly faster. */
static int offer(const gb_site_graph *g, const uint32_t *candidate, best_tree *best, gbcast_error *err) {
  double makespan = 0;
  const int status = gb_inter_makespan(g, candidate, &makespan, NULL, err);
  if (status == GBCAST_OK && makespan < best->makespan) {
    best->makespan = makespan;
    memcpy(best->parent, candidate, g->n * sizeof *candidate);
  }
  return status;
}

/* Offers what every simple algorithm builds; one that cannot reach all sites is skipped. */
static int offer_others(const gb_site_graph *g, uint32_t *scratch, best_tree *best, gbcast_error *err) {
  for (size_t i = 0; i < gb_inter_count; i++) {
    gb_inter_build *build = gb_inter_table[i].build;
    if (!build || build == gb_inter_exact)
      continue;
    int status = build(g, scratch, err);
    if (status == GBCAST_EINPUT)
      continue;
    if (status == GBCAST_OK)
      status = offer(g, scratch, best, err);
    if (status != GBCAST_OK)
      return status;
  }
  return GBCAST_OK;
}

/* Offers the optimum. */
static int offer_optimum(const gb_site_graph *g, uint32_t *scratch, best_tree *best, gbcast_error *err) {
  gb_local_runs runs = {0};
  int status = gb_local_runs_make(g, &runs, err);
  if (status == GBCAST_OK)
    status = gb_inter_subset(g, &runs, scratch, err);
  gb_local_runs_release(&runs);
  if (status == GBCAST_OK)
    return offer(g, scratch, best, err);
  return status == GBCAST_EINPUT ? GBCAST_OK : status; /* some site is out of reach */
}

int gb_inter_exact(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  uint32_t *scratch = calloc((size_t)g->n + 1, sizeof *scratch);
  best_tree best = {.parent = calloc((size_t)g->n + 1, sizeof *best.parent), .makespan = INFINITY};
  int status = GBCAST_OK;
  if (!scratch || !best.parent) {
    status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the best tree of %u sites", g->n);
    goto free_all;
  }
  status = offer_others(g, scratch, &best, err);
  if (status == GBCAST_OK && g->n <= GB_SUBSET_SITES)
    status = offer_optimum(g, scratch, &best, err);
  if (status == GBCAST_OK && !(best.makespan < INFINITY))
    status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", g->n);
  if (status == GBCAST_OK)
    memcpy(parent, best.parent, g->n * sizeof *parent);
free_all:
  free(scratch);
  free(best.parent);
  return status;
}
