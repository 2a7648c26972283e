/* A tree over endpoints, as parents and as child lists. */
#include "plan/sim/sim.h"
#include <stdlib.h>
#include <string.h>

int gb_shape_new(const gb_endpoint *endpoint, uint32_t n, gb_shape *shape, gbcast_error *err) {
  *shape = (gb_shape){.n = n,
                      .endpoint = endpoint,
                      .pace = 1,
                      .parent = malloc(n * sizeof(uint32_t)),
                      .child_start = calloc((size_t)n + 1, sizeof(uint32_t)),
                      .child = malloc(n * sizeof(uint32_t))};
  if (shape->parent && shape->child_start && shape->child)
    return GBCAST_OK;
  gb_shape_free(shape);
  return gb_no_memory(err);
}

void gb_shape_free(gb_shape *shape) {
  free(shape->parent);
  free(shape->child_start);
  free(shape->child);
  *shape = (gb_shape){0};
}

void gb_shape_link(gb_shape *shape) {
  uint32_t *start = shape->child_start;
  memset(start, 0, ((size_t)shape->n + 1) * sizeof *start);
  for (uint32_t v = 0; v < shape->n; v++)
    if (shape->parent[v] != GB_NONE)
      start[shape->parent[v] + 1]++;
  for (uint32_t v = 0; v < shape->n; v++)
    start[v + 1] += start[v];
  /* fill from the back; start[] comes to rest on the first child of each node */
  for (uint32_t v = shape->n; v-- > 0;)
    if (shape->parent[v] != GB_NONE)
      shape->child[--start[shape->parent[v] + 1]] = v;
  for (uint32_t v = 0; v < shape->n; v++)
    start[v] = start[v + 1];
  start[shape->n] = shape->n - 1;
}

void gb_shape_order(const gb_shape *shape, uint32_t *order) {
  uint32_t tail = 0;
  order[tail++] = shape->root;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = shape->child_start[order[head]]; i < shape->child_start[order[head] + 1]; i++)
      order[tail++] = shape->child[i];
}
