/* Extended single source shortest path, to the letter of Mateescu and Taylor, Fig. 2.
 *
 *   dist(v) = min over u taken before v of  dist(u) + weight(u,v) + delta(u,v)      [s]
 *
 * where every relaxation, also one that a later u overrules, adds delta(u,v) to dist(u): the next neighbour
 * of u is reached one send later. Kept as printed:
 *   - neighbours are looked at in index order (not by distance), so which child pays for which
 *     depends on the numbering;
 *   - a child that moves to a better parent later gives its old parent no time back;
 *   - only strictly shorter distances replace, and of equal distances the queue gives the lowest index.
 * Only direct links are edges: the figure's graph. O(n^2). */
#include "inter/trees.h"

int gb_inter_extended_dijkstra(const gb_site_graph *g, uint32_t *parent, gbcast_error *err) {
  return gb_site_shortest_paths(g, true, parent, err);
}
