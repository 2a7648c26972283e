/* For how long messages down a tree over sites keep resources busy: its leaders, and what they share. */
#include "inter/packing.h"
#include <stdlib.h>
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
    if (gb_site_tree_has(g, parent, v))
      add_uses(g, v, v, times, load);
    if (parent[v] != UINT32_MAX)
      add_uses(g, parent[v], v, times, load);
  }
}

double gb_site_tree_price(const gb_site_graph *g, const uint32_t *parent) {
  double price = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (parent[v] != UINT32_MAX)
      price += gb_site_price(g, parent[v], v);
  return price;
}

double gb_site_share(const gb_site_trees *trees, uint32_t t, double whole) {
  double sum = 0;
  for (uint32_t i = 0; i < trees->count; i++)
    sum += trees->weight[i];
  return whole * trees->weight[t] / sum;
}

double gb_site_trees_price(const gb_site_graph *g, const gb_site_trees *trees) {
  double price = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    bool used = false;
    for (uint32_t t = 0; t < trees->count; t++) {
      const uint32_t u = trees->parent[(size_t)t * g->n + v];
      price += u != UINT32_MAX ? gb_site_share(trees, t, 1) * g->price[(size_t)u * g->n + v] : 0;
      used = used || u != UINT32_MAX;
    }
    price += used && g->fee ? g->fee[v] : 0;
  }
  return price;
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

int gb_site_trees_time(const gb_site_graph *g, const gb_site_trees *trees, double *seconds,
                       gbcast_error *err) {
  double *load = calloc((size_t)g->loads->resources + 1, sizeof *load), longest = 0;
  int status = load ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees->count; t++) {
    const uint32_t *parent = trees->parent + (size_t)t * g->n;
    double label = 0;
    gb_site_tree_load(g, parent, gb_site_share(trees, t, g->messages), load);
    status = gb_inter_makespan(g, parent, &label, NULL, err);
    longest = label > longest ? label : longest;
  }
  *seconds = status == GBCAST_OK ? longest + gb_site_busiest(g, load) : 0;
  free(load);
  return status;
}
