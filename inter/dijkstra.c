/* Shortest paths without injection growth:
 *
 *   dist(v) = min over u of dist(u) + delta(u,v) + weight(u,v)      [s]
 *
 * as if a sender could feed all its children at once. It is the tree of Mandal, Kennedy and Mellor-Crummey
 * that Mateescu and Taylor compare with (Fig. 1, left), and what a grid with negligible injection times
 * wants. Direct links only. */
#include "inter/trees.h"

int gb_inter_dijkstra(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  return gb_site_shortest_paths(g, false, parent, err);
}
