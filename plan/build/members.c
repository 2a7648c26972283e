/* Trees over sites of an algorithm that knows no relays: over the sites that want the data alone. */
#include "plan/build/site_trees.h"
#include <stdlib.h>
#include <string.h>

/* The first m rows and columns of an n x n matrix, or NULL. */
static void *corner(const void *matrix, size_t n, size_t m, size_t size) {
  char *part = malloc(m * m * size);
  for (size_t row = 0; part && row < m; row++)
    memcpy(part + row * m * size, (const char *)matrix + row * n * size, m * size);
  return part;
}

/* Makes trees over m sites trees over n, of which the last are left out. */
static int widen(gb_site_trees *trees, uint32_t m, uint32_t n, gbcast_error *err) {
  uint32_t *parent = malloc((size_t)trees->count * n * sizeof *parent);
  if (!parent)
    return gb_no_memory(err);
  for (uint32_t t = 0; t < trees->count; t++)
    for (uint32_t s = 0; s < n; s++)
      parent[(size_t)t * n + s] = s < m ? trees->parent[(size_t)t * m + s] : GB_NONE;
  free(trees->parent);
  trees->parent = parent;
  return GBCAST_OK;
}

int gb_site_trees_of_members(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                             const gb_host_choice *choice, size_t inter, gb_site_trees *out,
                             gbcast_error *err) {
  const uint32_t n = graph->n, m = gb_plan_members(pl->plan);
  double *delta = corner(graph->delta, n, m, sizeof *delta),
         *weight = corner(graph->weight, n, m, sizeof *weight);
  bool *direct = corner(graph->direct, n, m, sizeof *direct);
  gb_site_graph members = *graph;
  members.n = m;
  members.delta = delta;
  members.weight = weight;
  members.direct = direct;
  members.price = members.hire = NULL;
  members.relay = NULL;
  int status = delta && weight && direct ? gb_site_trees_make(pl, flow, &members, choice, inter, out, err)
                                         : gb_no_memory(err);
  if (status == GBCAST_OK && (status = widen(out, m, n, err)) != GBCAST_OK)
    gb_site_trees_free(out);
  free(delta);
  free(weight);
  free(direct);
  return status;
}
