#include "intra/greedy.h"

#include <stdlib.h>

int gb_residual_new(const gb_switch_order *order, gb_residual *c, gbcast_error *err) {
  size_t nodes = order->node_count;
  *c = (gb_residual){.order = order, .child = malloc(6 * nodes * sizeof *c->child)};
  if (c->child == NULL) {
    return gb_no_memory(err);
  }
  c->next = c->child + nodes;
  c->halves = c->next + nodes;
  c->seen = c->halves + 2 * nodes;
  c->via = c->seen + nodes;
  for (uint32_t v = order->node_count; v-- > 0;) {
    c->child[v] = c->next[v] = GB_NONE;
  }
  for (uint32_t v = order->node_count; v-- > 1;) {
    c->next[v] = c->child[order->from[v]];
    c->child[order->from[v]] = v;
  }
  return GBCAST_OK;
}

void gb_residual_free(gb_residual *c) {
  free(c->child);
  *c = (gb_residual){0};
}

void gb_residual_reset(gb_residual *c) {
  for (uint32_t v = 0; v < c->order->node_count; v++) {
    c->halves[2 * (size_t)v] = c->halves[2 * (size_t)v + 1] = GB_HALVES;
  }
}

void gb_residual_search(gb_residual *c, uint32_t start, uint32_t halves) {
  c->seen[0] = start;
  c->via[start] = GB_NONE;
  c->seen_count = 1;
  for (uint32_t i = 0; i < c->seen_count; i++) {
    uint32_t v = c->seen[i];
    for (uint32_t y = gb_residual_neighbour(c, v, GB_NONE); y != GB_NONE;
         y = gb_residual_neighbour(c, v, y)) {
      if (y != c->via[v] && gb_residual_left(c, v, y) >= halves) {
        c->via[y] = v;
        c->seen[c->seen_count++] = y;
      }
    }
  }
}

uint32_t gb_residual_path(const gb_residual *c, uint32_t node, uint32_t *path) {
  uint32_t links = 0;
  for (; c->via[node] != GB_NONE; node = c->via[node]) {
    path[links++] = c->order->from[node] == c->via[node] ? 2 * node : 2 * c->via[node] + 1;
  }
  return links;
}
