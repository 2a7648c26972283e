/* For how long messages down a tree over sites keep resources busy: its leaders, and what they share. */
#include "inter/packing.h"
#include <string.h>

/* From u to v; u = v: inside the site. */
static void add_uses(const gb_site_graph *g, uint32_t u, uint32_t v, double times, double *load) {
  const gb_site_loads *l = g->loads;
  const size_t e = (size_t)u * g->n + v;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    load[l->use[i].resource] += times * l->use[i].busy;
}

void gb_site_tree_load(const gb_site_graph *g, const uint32_t *parent, double times, double *load) {
  for (uint32_t v = 0; v < g->n; v++) {
    add_uses(g, v, v, times, load);
    if (v != g->root)
      add_uses(g, parent[v], v, times, load);
  }
}

double gb_site_busiest(const gb_site_graph *g, const double *load) {
  double most = 0;
  for (uint32_t r = 0; r < g->loads->resources; r++)
    most = load[r] > most ? load[r] : most;
  return most;
}

double gb_site_tree_busiest(const gb_site_graph *g, const uint32_t *parent, double times, double *load) {
  memset(load, 0, g->loads->resources * sizeof *load);
  gb_site_tree_load(g, parent, times, load);
  return gb_site_busiest(g, load);
}
