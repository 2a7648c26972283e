/* Random sites that share leaders, links and uplinks, for the tests of trees over sites. */
#ifndef GB_TESTS_SUPPORT_RANDOM_SITES_H
#define GB_TESTS_SUPPORT_RANDOM_SITES_H

#include "inter/packing.h"
#include "tests/support/random_platform.h"

enum { SITES_MOST = 200 };

typedef struct random_sites {
  gb_site_graph g;
  gb_site_loads loads;
  double delta[SITES_MOST * SITES_MOST], weight[SITES_MOST * SITES_MOST];
  bool direct[SITES_MOST * SITES_MOST];
  size_t start[SITES_MOST * SITES_MOST + 1];
  struct gb_site_use use[5 * SITES_MOST * SITES_MOST];
} random_sites;

/* Resources: n leaders, n uplinks, n downlinks, n * n links. `holes` of 8 pairs have no link; a ring always
 * has. With `ports`, leaders and uplinks are limited too. Messages of 10000 bytes. */
static inline void draw_sites(gb_random *r, uint32_t n, uint32_t holes, bool ports, random_sites *s) {
  static const double rate[] = {1.25e6, 6.25e6, 12.5e6, 25e6, 77.75e6, 125e6, 1250e6}; /* bytes/s */
  const double bytes = 10000;
  size_t count = 0;
  double own[SITES_MOST], up[SITES_MOST];
  for (uint32_t v = 0; v < n; v++) {
    own[v] = bytes / rate[random_below(r, 7)];
    up[v] = bytes / rate[random_below(r, 7)];
  }
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < n; v++) {
      const size_t e = (size_t)u * n + v;
      const bool linked = u != v && (v == (u + 1) % n || random_below(r, 8) >= holes);
      const double wire = bytes / rate[random_below(r, 7)], latency = 1e-6 * (500 + random_below(r, 60000));
      s->start[e] = count;
      s->direct[e] = linked;
      s->delta[e] = linked ? 2e-6 + own[u] : INFINITY;
      s->weight[e] = linked ? latency + wire : INFINITY;
      if (linked)
        s->use[count++] = (struct gb_site_use){3 * n + (uint32_t)e, wire};
      if (linked && ports) {
        s->use[count++] = (struct gb_site_use){u, s->delta[e]};
        s->use[count++] = (struct gb_site_use){n + u, up[u]};
        s->use[count++] = (struct gb_site_use){2 * n + v, up[v]};
      }
      if (u == v && ports && random_below(r, 2)) /* hosts at home */
        s->use[count++] = (struct gb_site_use){u, own[u]};
    }
  s->start[(size_t)n * n] = count;
  s->loads = (gb_site_loads){.resources = 3 * n + n * n, .start = s->start, .use = s->use};
  s->g = (gb_site_graph){.n = n,
                         .root = random_below(r, n),
                         .delta = s->delta,
                         .weight = s->weight,
                         .direct = s->direct,
                         .loads = &s->loads,
                         .messages = 1e9,
                         .most_weight = 32,
                         .most_trees = GB_SITE_TREES_MOST};
}

/* Adds `rate` times what the tree uses to load (by resource), and sees that it is a tree. */
static inline void add_tree_load(const gb_site_graph *g, const uint32_t *parent, double rate, double *load) {
  const gb_site_loads *l = g->loads;
  cr_assert_eq(parent[g->root], UINT32_MAX);
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t steps = 0;
    for (uint32_t x = v; x != g->root; x = parent[x]) {
      cr_assert(parent[x] < g->n && gb_site_usable(g, parent[x], x), "no edge into %u", x);
      cr_assert_lt(++steps, g->n, "%u hangs on a cycle", v);
    }
    const size_t pair[2] = {(size_t)v * g->n + v, (size_t)(v == g->root ? v : parent[v]) * g->n + v};
    for (int k = 0; k < 1 + (v != g->root); k++)
      for (size_t i = l->start[pair[k]]; i < l->start[pair[k] + 1]; i++)
        load[l->use[i].resource] += rate * l->use[i].busy;
  }
}

static inline double fullest(const gb_site_graph *g, const double *load) {
  double most = 0;
  for (uint32_t i = 0; i < g->loads->resources; i++)
    most = load[i] > most ? load[i] : most;
  return most;
}

#endif
