/* Senders that meet on their way up share a link as their bytes do, so all of them are done at the same time:
 *
 *   child a, 1 block    |==|                                   |==      ==      ==      |
 *   child b, 3 blocks      |==|==|==|     paced by these parts:   |==|==  ==|==  ==|==  |
 *   parent's link       |===========|                          |========================|
 *
 * If each took what it gets, those with few bytes would slow down those with many, which end last. */
#include "mpi/schedule/parts_up.h"
#include <stdlib.h>

bool gb_count_below(const gbcast_plan *plan, uint32_t **below) {
  const gb_schedule *all = &plan->schedule;
  const size_t n = all->endpoint_count;
  *below = NULL;
  if (!gb_carries_blocks(plan->operation))
    return true;
  uint32_t *order = malloc(n * sizeof *order), *count = malloc(all->tree_count * n * sizeof *count);
  for (uint32_t t = 0; order != NULL && count != NULL && t < all->tree_count; t++) {
    uint32_t *of = &count[t * n];
    for (size_t e = 0; e < n; e++)
      of[e] = 1;
    gb_tree_order(&all->tree[t], all->root, order);
    for (size_t i = n; i-- > 1;)
      of[all->tree[t].parent[order[i]]] += of[order[i]];
  }
  *below = count;
  const bool made = order != NULL && count != NULL;
  free(order);
  return made;
}

/* What the edge from `child` carries, in units that are the same for all edges of the plan. */
static double bytes_of(const gb_schedule *all, const uint32_t *below, uint32_t tree, uint32_t child) {
  const double blocks = below != NULL ? below[(size_t)tree * all->endpoint_count + child] : 1;
  return all->tree[tree].weight * blocks;
}

double gb_part_of_parent(const gbcast_plan *plan, const uint32_t *below, uint32_t child, uint32_t parent) {
  const gb_schedule *all = &plan->schedule;
  double own = 0, total = 0;
  for (uint32_t t = 0; t < all->tree_count; t++) {
    const gb_tree *tree = &all->tree[t];
    for (uint32_t i = tree->child_start[parent]; i < tree->child_start[parent + 1]; i++)
      if (tree->pacing[tree->child[i]].level != GB_LEVEL_NODE)
        total += bytes_of(all, below, t, tree->child[i]);
    own += tree->parent[child] == parent ? bytes_of(all, below, t, child) : 0;
  }
  return own / total;
}

static uint32_t cluster_of(const gbcast_plan *plan, uint32_t endpoint) {
  return plan->platform->host[plan->schedule.endpoint[endpoint].host].cluster;
}

double gb_part_of_site(const gbcast_plan *plan, const uint32_t *below, uint32_t child, uint32_t parent) {
  const gb_schedule *all = &plan->schedule;
  const uint32_t site = cluster_of(plan, child), there = cluster_of(plan, parent);
  double own = 0, total = 0;
  for (uint32_t t = 0; t < all->tree_count; t++) {
    const gb_tree *tree = &all->tree[t];
    for (uint32_t e = 0; e < all->endpoint_count; e++)
      if (tree->parent[e] != GB_NONE && cluster_of(plan, e) == site &&
          cluster_of(plan, tree->parent[e]) == there) {
        total += bytes_of(all, below, t, e);
        own += e == child ? bytes_of(all, below, t, e) : 0;
      }
  }
  return own / total;
}
