/* A tree between the cheapest and the shortest: Prim's algorithm with a part of the path length added to the
 * cost of an edge (Alpert, Hu, Huang, Kahng and Karger, "Prim-Dijkstra tradeoffs for improved
 * performance-driven routing tree design", 1995), or without edges that make a path too long (Cong, Kahng,
 * Robins, Sarrafzadeh and Wong, "Provably good performance-driven global routing", 1992). O(n^2). */
#include "inter/packing.h"
#include <stdlib.h>

double gb_site_tree_length(const gb_site_graph *g, const uint32_t *parent) {
  double longest = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    double length = 0;
    for (uint32_t x = v; parent[x] != UINT32_MAX; x = parent[x])
      length += gb_site_time(g, parent[x], x);
    longest = length > longest ? length : longest;
  }
  return longest;
}

int gb_inter_shallow(uint32_t n, uint32_t root, const double *cost, const double *time, double path_weight,
                     double most, uint32_t *parent, gbcast_error *err) {
  double *key = malloc(2 * (size_t)n * sizeof *key),
         *length = key ? key + n : NULL; /* length: -1 in the tree's key */
  bool *in = calloc(n, sizeof *in);
  int status = key && in ? GBCAST_OK : gb_no_memory(err);
  uint32_t u = root;
  for (uint32_t v = 0; status == GBCAST_OK && v < n; v++) {
    key[v] = INFINITY;
    parent[v] = UINT32_MAX;
    length[v] = 0;
  }
  for (uint32_t left = n; status == GBCAST_OK && left > 1; left--) {
    uint32_t next = UINT32_MAX;
    in[u] = true;
    for (uint32_t v = 0; v < n; v++) {
      const size_t e = (size_t)u * n + v;
      if (in[v])
        continue;
      const double its_length = length[u] + time[e];
      const double its =
          cost[e] < INFINITY && its_length <= most ? cost[e] + its_length * path_weight : INFINITY;
      if (its < key[v]) {
        key[v] = its;
        parent[v] = u;
      }
      if (key[v] < INFINITY && (next == UINT32_MAX || key[v] < key[next]))
        next = v;
    }
    if (next == UINT32_MAX)
      status = gb_fail(err, GBCAST_EINPUT, "some of the %u sites cannot be reached from the root's site", n);
    else
      length[next] = length[parent[next]] + time[(size_t)parent[next] * n + next];
    u = next;
  }
  free(key);
  free(in);
  return status;
}
