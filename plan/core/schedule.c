/* Schedules: making and freeing them, and traversing their trees. */
#include "plan/core/core.h"
#include <stdlib.h>
#include <string.h>

static int new_tree(gb_tree *tree, uint32_t n, gbcast_error *err) {
  *tree = (gb_tree){.weight = 1,
                    .parent = malloc(n * sizeof(uint32_t)),
                    .child_start = calloc((size_t)n + 1, sizeof(uint32_t)),
                    .child = malloc(n * sizeof(uint32_t))};
  return tree->parent && tree->child_start && tree->child ? GBCAST_OK : gb_no_memory(err);
}

int gb_schedule_new(gb_endpoint *endpoint, uint32_t n, uint32_t root, uint32_t trees, gb_schedule *schedule,
                    gbcast_error *err) {
  *schedule = (gb_schedule){.endpoint_count = n,
                            .endpoint = endpoint,
                            .root = root,
                            .tree_count = trees,
                            .weight_total = trees,
                            .pace = 1,
                            .tree = calloc(trees, sizeof *schedule->tree)};
  int status = schedule->tree ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++)
    status = new_tree(&schedule->tree[t], n, err);
  if (status != GBCAST_OK)
    gb_schedule_free(schedule);
  return status;
}

void gb_schedule_free(gb_schedule *schedule) {
  for (uint32_t t = 0; schedule->tree && t < schedule->tree_count; t++) {
    gb_tree *tree = &schedule->tree[t];
    free(tree->parent);
    free(tree->child_start);
    free(tree->child);
    free(tree->label);
    free(tree->start);
    free(tree->arrival);
    free(tree->pacing);
  }
  free(schedule->tree);
  schedule->tree = NULL;
  schedule->tree_count = 0;
}

void gb_tree_link(gb_tree *tree, uint32_t n) {
  uint32_t *start = tree->child_start;
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (uint32_t v = 0; v < n; v++)
    if (tree->parent[v] != GB_NONE)
      start[tree->parent[v] + 1]++;
  for (uint32_t v = 0; v < n; v++)
    start[v + 1] += start[v];
  const uint32_t edges = start[n];
  /* fill from the back: start[] ends on the first child of each node */
  for (uint32_t v = n; v-- > 0;)
    if (tree->parent[v] != GB_NONE)
      tree->child[--start[tree->parent[v] + 1]] = v;
  for (uint32_t v = 0; v < n; v++)
    start[v] = start[v + 1];
  start[n] = edges;
}

uint32_t gb_tree_order(const gb_tree *tree, uint32_t root, uint32_t *order) {
  uint32_t tail = 0;
  order[tail++] = root;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = tree->child_start[order[head]]; i < tree->child_start[order[head] + 1]; i++)
      order[tail++] = tree->child[i];
  return tail;
}

void gb_tree_sizes(const gb_tree *tree, uint32_t root, uint32_t n, uint32_t *order, uint32_t *size) {
  const uint32_t count = gb_tree_order(tree, root, order);
  for (uint32_t v = 0; v < n; v++)
    size[v] = 1;
  for (uint32_t i = count; i-- > 1;)
    size[tree->parent[order[i]]] += size[order[i]];
}

void gb_tree_preorder(const gb_tree *tree, uint32_t root, uint32_t *order) {
  uint32_t count = 0, at = root, next = GB_NONE; /* next: the child of `at` that was left last */
  while (at != GB_NONE) {
    uint32_t i = tree->child_start[at + 1];
    if (next == GB_NONE)
      order[count++] = at;
    else
      while (tree->child[--i] != next)
        ;
    if (i > tree->child_start[at]) {
      at = tree->child[i - 1];
      next = GB_NONE;
    } else {
      next = at;
      at = tree->parent[at];
    }
  }
}
