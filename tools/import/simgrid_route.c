/* Finds paths through zones, as SimGrid does. The smallest zone around both ends has a route between the two
 * members that contain them, from a gateway in one member to a gateway in the other. Inside each member the
 * path to the gateway is found in the same way. */
#include "tools/import/simgrid.h"
#include <stdlib.h>

/* Limit for all searches together, which is a few seconds of work. Files that need more are refused. */
#define MOST_STEPS UINT64_C(50000000)

static int compare_edges(const void *a, const void *b) {
  const gb_simgrid_edge *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  if (x->implied != y->implied)
    return x->implied ? 1 : -1;
  return x->path.links != y->path.links ? (x->path.links < y->path.links ? -1 : 1) : 0;
}

int gb_simgrid_routes_begin(gb_simgrid_routes *r, gb_simgrid *x) {
  const size_t count = (size_t)x->node_count + 1;
  *r = (gb_simgrid_routes){.x = x,
                           .queue = malloc(sizeof *r->queue * count),
                           .distance = malloc(sizeof *r->distance * count),
                           .waits = calloc(count, sizeof *r->waits)};
  if (r->queue == NULL || r->distance == NULL || r->waits == NULL)
    return gb_source_no_memory(&x->source);
  if (x->edge_count > 0)
    qsort(x->edge, x->edge_count, sizeof *x->edge, compare_edges);
  for (uint32_t n = 0, e = 0; n < x->node_count; n++) {
    while (e < x->edge_count && x->edge[e].from < n)
      e++;
    x->node[n].edges = e;
  }
  memset(r->distance, 0xFF, sizeof *r->distance * count);
  return GBCAST_OK;
}

void gb_simgrid_routes_end(gb_simgrid_routes *r) {
  free(r->queue);
  free(r->distance);
  free(r->waits);
}

bool gb_simgrid_routes_exhausted(const gb_simgrid_routes *r) {
  return r->steps > MOST_STEPS;
}

/* Finds the route that the file gives; GB_NONE: it gives none. */
static uint32_t find_edge(const gb_simgrid *x, uint32_t from, uint32_t to) {
  uint32_t low = x->node[from].edges, high = x->edge_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const gb_simgrid_edge *e = &x->edge[middle];
    if (e->from < from || (e->from == from && e->to < to))
      low = middle + 1;
    else
      high = middle;
  }
  return low < x->edge_count && x->edge[low].from == from && x->edge[low].to == to ? low : GB_NONE;
}

/* Sets came_by of all nodes that can be reached from `from` inside its zone, to the last edge of the shortest
 * path. */
static void search(gb_simgrid_routes *r, uint32_t from) {
  gb_simgrid *x = r->x;
  const uint32_t size = x->node_count + 1;
  uint32_t head = 0, tail = 0;
  for (uint32_t n = 0; n < x->node_count; n++) { /* members of this zone */
    if (x->node[n].parent == x->node[from].parent)
      r->distance[n] = GB_NONE;
  }
  r->steps += x->node_count;
  r->distance[from] = 0;
  r->queue[tail++] = from;
  while (head != tail && !gb_simgrid_routes_exhausted(r)) {
    const uint32_t at = r->queue[head];
    head = (head + 1) % size;
    r->waits[at] = false;
    for (uint32_t e = x->node[at].edges; e < x->edge_count && x->edge[e].from == at; e++, r->steps++) {
      const gb_simgrid_edge *edge = &x->edge[e];
      if (edge->path.links >= GB_NONE - r->distance[at] ||
          r->distance[at] + edge->path.links >= r->distance[edge->to])
        continue;
      r->distance[edge->to] = r->distance[at] + edge->path.links;
      x->node[edge->to].came_by = e;
      if (!r->waits[edge->to]) {
        r->waits[edge->to] = true;
        r->queue[tail] = edge->to;
        tail = (tail + 1) % size;
      }
    }
  }
}

static bool find(gb_simgrid_routes *r, uint32_t from, uint32_t to, gb_simgrid_path *path);

/* Finds the path between two members of a zone, and on to the ends inside them. It follows the edges
 * backwards. NOLINTNEXTLINE(misc-no-recursion): as deep as zones are nested */
static bool cross(gb_simgrid_routes *r, uint32_t zone, uint32_t part_from, uint32_t part_to, uint32_t from,
                  uint32_t to, gb_simgrid_path *path) {
  gb_simgrid *x = r->x;
  const bool written = x->node[zone].routing == GB_SIMGRID_FULL;
  if (!written && x->node[zone].source != part_from) {
    search(r, part_from);
    x->node[zone].source = part_from;
  }
  if (!written && r->distance[part_to] == GB_NONE)
    return false;
  for (uint32_t at = part_to, end = to;;) {
    const uint32_t e = written ? find_edge(x, part_from, part_to) : x->node[at].came_by;
    if (e == GB_NONE)
      return false;
    const gb_simgrid_edge edge = x->edge[e];
    if (!find(r, edge.gateway_to, end, path))
      return false;
    gb_simgrid_append(path, &edge.path);
    end = edge.gateway_from;
    at = edge.from;
    if (at == part_from)
      return find(r, from, end, path);
  }
}

static void follow_star(const gb_simgrid *x, uint32_t zone, uint32_t from, uint32_t to,
                        gb_simgrid_path *path) {
  gb_simgrid_append(path, &x->node[from].up);
  gb_simgrid_append(path, &x->node[zone].backbone);
  gb_simgrid_append(path, &x->node[to].down);
}

/* NOLINTNEXTLINE(misc-no-recursion): each step is in a smaller zone */
static bool find(gb_simgrid_routes *r, uint32_t from, uint32_t to, gb_simgrid_path *path) {
  const gb_simgrid_node *node = r->x->node;
  uint32_t a = from, b = to;
  if (from == to)
    return true;
  if (r->steps++ > MOST_STEPS)
    return false;
  while (node[a].depth > node[b].depth)
    a = node[a].parent;
  while (node[b].depth > node[a].depth)
    b = node[b].parent;
  while (node[a].parent != node[b].parent) {
    a = node[a].parent;
    b = node[b].parent;
  }
  const uint32_t zone = node[a].parent;
  if (zone == GB_NONE)
    return false;
  if (node[zone].routing == GB_SIMGRID_STAR) {
    follow_star(r->x, zone, a, b, path);
    return true;
  }
  return cross(r, zone, a, b, from, to, path);
}

bool gb_simgrid_find_path(gb_simgrid_routes *r, uint32_t from, uint32_t to, gb_simgrid_path *path) {
  *path = (gb_simgrid_path){.bandwidth = GB_MOST_RATE};
  return find(r, from, to, path);
}
