/* Shortest paths over the direct links from the root's site, which both Dijkstra trees use. O(n^2), which is
 * no more than a heap costs on a dense graph. Equal distances leave the queue by index; only a strictly
 * shorter one replaces. `injection_grows` is the line of Fig. 2 that the usual algorithm does not have. */
#include "inter/trees.h"
#include <stdlib.h>

/* The queue's minimum: the first of the smallest. UINT32_MAX when it is empty. */
static uint32_t dequeue_min(uint32_t n, const double *dist, bool *queued) {
  uint32_t best = UINT32_MAX;
  for (uint32_t v = 0; v < n; v++)
    if (queued[v] && (best == UINT32_MAX || dist[v] < dist[best]))
      best = v;
  if (best != UINT32_MAX)
    queued[best] = false;
  return best;
}

int gb_site_shortest_paths(const gb_site_graph *g, bool injection_grows, uint32_t *parent,
                           gbcast_error *err) {
  const uint32_t n = g->n;
  double *dist = calloc((size_t)n + 1, sizeof *dist);
  bool *queued = calloc((size_t)n + 1, sizeof *queued);
  uint32_t *tree = calloc((size_t)n + 1, sizeof *tree);
  int status = GBCAST_OK;
  if (!dist || !queued || !tree) {
    status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the paths between %u sites", n);
    goto free_all;
  }
  for (uint32_t v = 0; v < n; v++) {
    dist[v] = v == g->root ? 0 : INFINITY;
    queued[v] = true;
    tree[v] = UINT32_MAX;
  }
  for (uint32_t u; (u = dequeue_min(n, dist, queued)) != UINT32_MAX;) {
    for (uint32_t v = 0; v < n; v++) {
      if (!g->direct[(size_t)u * n + v] || !queued[v])
        continue;
      const double delta = gb_site_delta(g, u, v), through_u = dist[u] + gb_site_weight(g, u, v) + delta;
      if (dist[v] > through_u) {
        dist[v] = through_u;
        if (injection_grows)
          dist[u] += delta;
        tree[v] = u;
      }
    }
  }
  for (uint32_t v = 0; v < n && status == GBCAST_OK; v++)
    if (v != g->root && tree[v] == UINT32_MAX)
      status = gb_site_unreached(v, err);
  for (uint32_t v = 0; v < n && status == GBCAST_OK; v++)
    parent[v] = tree[v];
free_all:
  free(dist);
  free(queued);
  free(tree);
  return status;
}
