/* What is sent from whom to whom, over all trees. */
#include "plan/show/edges.h"

#include <inttypes.h>
#include <stdlib.h>

static int by_ends(const void *left, const void *right) {
  const gb_drawn_edge *a = left, *b = right;
  const uint32_t x[] = {a->from, a->to, a->bar.tree, a->bar.to};
  const uint32_t y[] = {b->from, b->to, b->bar.tree, b->bar.to};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void fold(gb_drawn_edges *edges) {
  size_t folded = 0;
  uint32_t tree = GB_NONE; /* of the send before */
  for (size_t i = 0; i < edges->count; i++) {
    const gb_drawn_edge *e = &edges->edge[i];
    gb_drawn_edge *last = folded > 0 ? &edges->edge[folded - 1] : NULL;
    const uint32_t mine = e->bar.tree;
    if (last != NULL && last->from == e->from && last->to == e->to) {
      last->trees += mine != tree;
      gb_bar_join(&last->bar, &e->bar);
    } else {
      edges->edge[folded++] = *e;
    }
    tree = mine;
  }
  edges->count = folded;
}

int gb_edges_new(const gbcast_plan *plan, const uint32_t *of, const bool *critical, gb_drawn_edges *edges) {
  const uint32_t endpoints = plan->schedule.endpoint_count;
  *edges =
      (gb_drawn_edges){.edge = malloc((size_t)plan->schedule.tree_count * endpoints * sizeof *edges->edge)};
  if (edges->edge == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const gb_tree *tree = &plan->schedule.tree[t];
    for (uint32_t e = 0; e < endpoints; e++) {
      if (tree->parent[e] != GB_NONE) {
        const uint32_t from = gb_plan_goes_up(plan) ? e : tree->parent[e];
        const uint32_t to = gb_plan_goes_up(plan) ? tree->parent[e] : e;
        edges->edge[edges->count++] =
            (gb_drawn_edge){of == NULL ? from : of[from], of == NULL ? to : of[to], 1,
                            gb_plan_level(plan, from, to), gb_bar_of(plan, critical, t, e)};
      }
    }
  }
  qsort(edges->edge, edges->count, sizeof *edges->edge, by_ends);
  fold(edges);
  return GBCAST_OK;
}

int gb_edges_keep_main(gb_drawn_edges *edges, uint32_t rows) {
  size_t *best = malloc(rows * sizeof *best), kept = 0;
  if (best == NULL)
    return GBCAST_EMEMORY;
  for (uint32_t row = 0; row < rows; row++)
    best[row] = SIZE_MAX;
  for (size_t i = 0; i < edges->count; i++) {
    const gb_drawn_edge *e = &edges->edge[i];
    const gb_drawn_edge *old = best[e->to] == SIZE_MAX ? NULL : &edges->edge[best[e->to]];
    const bool better = old == NULL || e->bar.sends > old->bar.sends ||
                        (e->bar.sends == old->bar.sends && e->bar.start < old->bar.start);
    best[e->to] = e->from != e->to && better ? i : best[e->to];
  }
  for (size_t i = 0; i < edges->count; i++)
    if (best[edges->edge[i].to] == i)
      edges->edge[kept++] = edges->edge[i];
  edges->count = kept;
  free(best);
  return GBCAST_OK;
}

void gb_edges_free(gb_drawn_edges *edges) {
  free(edges->edge);
  *edges = (gb_drawn_edges){0};
}

gb_text gb_edge_trees(const gbcast_plan *plan, const gb_drawn_edge *edge) {
  const uint32_t all = plan->schedule.tree_count;
  return all == 1           ? (gb_text){""}
         : edge->trees == 1 ? gb_text_of("tree %" PRIu32, edge->bar.tree + 1)
                            : gb_text_of("%" PRIu32 " of %" PRIu32 " trees", edge->trees, all);
}
