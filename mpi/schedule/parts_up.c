/* Operands of several senders that meet on their way up share a link as the weights of their trees do. Then
 * all come at the pace of the slowest, for which they have to wait in any case:
 *
 *   child a   |==  ==  ==  ==  ==  ==|
 *   child b   |  ==  ==  ==  ==  ==  |
 *   link      |======================|
 *
 * Blocks do not wait for each other, and whoever sends them takes what is left of the links. */
#include "mpi/schedule/parts_up.h"

double gb_part_of_parent(const gbcast_plan *plan, uint32_t child, uint32_t parent) {
  const gb_schedule *all = &plan->schedule;
  double own = 0, total = 0;
  for (uint32_t t = 0; t < all->tree_count; t++) {
    const gb_tree *tree = &all->tree[t];
    for (uint32_t i = tree->child_start[parent]; i < tree->child_start[parent + 1]; i++)
      if (tree->pacing[tree->child[i]].level != GB_LEVEL_NODE)
        total += tree->weight;
    own += tree->parent[child] == parent ? tree->weight : 0;
  }
  return own / total;
}

static uint32_t cluster_of(const gbcast_plan *plan, uint32_t endpoint) {
  return plan->platform->host[plan->schedule.endpoint[endpoint].host].cluster;
}

double gb_part_of_site(const gbcast_plan *plan, uint32_t child, uint32_t parent) {
  const gb_schedule *all = &plan->schedule;
  const uint32_t site = cluster_of(plan, child), there = cluster_of(plan, parent);
  double own = 0, total = 0;
  for (uint32_t t = 0; t < all->tree_count; t++) {
    const gb_tree *tree = &all->tree[t];
    for (uint32_t e = 0; e < all->endpoint_count; e++)
      if (tree->parent[e] != GB_NONE && cluster_of(plan, e) == site &&
          cluster_of(plan, tree->parent[e]) == there) {
        total += tree->weight;
        own += e == child ? tree->weight : 0;
      }
  }
  return own / total;
}
