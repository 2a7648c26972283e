/* Makespan of a tree over sites: its label at the root. The local sends of each leader stand beside its WAN
 * sends as leaves of label 0 whose weight is their tail, so one sort orders both kinds. O(V log V) over sites
 * and local children. */
#include "inter/trees.h"
#include "labeling/labeling.h"
#include <stdlib.h>
#include <string.h>

static void fill_tree(const gb_site_graph *g, const uint32_t *site_parent, uint32_t *parent, double *delta,
                      double *weight) {
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t u = site_parent[v];
    parent[v] = u; /* UINT32_MAX: the root, or left out */
    if (u < g->n) {
      delta[v] = gb_site_delta(g, u, v);
      weight[v] = gb_site_weight(g, u, v);
    }
    if (!g->local_start)
      continue;
    for (uint32_t i = g->local_start[v]; i < g->local_start[v + 1]; i++) {
      parent[g->n + i] = v;
      delta[g->n + i] = g->local_delta[i];
      weight[g->n + i] = g->local_tail[i];
    }
  }
}

int gb_inter_makespan(const gb_site_graph *g, const uint32_t *parent, double *makespan, double *label,
                      gbcast_error *err) {
  for (uint32_t v = 0; v < g->n; v++)
    if (!gb_site_tree_has(g, parent, v) && !(g->relay && g->relay[v]))
      return gb_site_unreached(v, err);
  const uint64_t count = (uint64_t)g->n + (g->local_start ? g->local_start[g->n] : 0);
  if (count >= UINT32_MAX)
    return gb_fail(err, GBCAST_EINPUT, "too many local children to label: %llu", (unsigned long long)count);
  uint32_t *all_parent = calloc((size_t)count + 1, sizeof *all_parent);
  double *delta = calloc((size_t)count + 1, sizeof *delta);
  double *weight = calloc((size_t)count + 1, sizeof *weight);
  double *all_label = calloc((size_t)count + 1, sizeof *all_label);
  int status = GBCAST_OK;
  if (!all_parent || !delta || !weight || !all_label) {
    status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the labels of %u sites", g->n);
    goto free_all;
  }
  fill_tree(g, parent, all_parent, delta, weight);
  const gb_label_tree tree = {
      .n = (uint32_t)count, .root = g->root, .parent = all_parent, .delta = delta, .weight = weight};
  status = gb_label(&tree, all_label, NULL, NULL, err);
  if (status != GBCAST_OK)
    goto free_all;
  if (makespan)
    *makespan = all_label[g->root];
  if (label)
    memcpy(label, all_label, g->n * sizeof *label);
free_all:
  free(all_parent);
  free(delta);
  free(weight);
  free(all_label);
  return status;
}
