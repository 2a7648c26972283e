/* One tree for a message in many pieces: shortest paths, changed while the message is everywhere sooner.
 *
 * Pieces follow each other down the tree, to a site at the pace of what is busiest on its path, a leader or a
 * link. So a site v has the message about
 *
 *   length(v) + (messages - 1) * busiest(v)       [s]
 *
 * after the start, where length is that of its path and busiest the longest time for which a piece, on its
 * way to all sites, keeps a resource of the path busy. The latest site counts and, of equal trees, the mean.
 *
 * In a scatter an edge carries the messages of all sites below it, and all of them count: `messages - 1`
 * is 1.
 *
 * A step moves one site, with all below it, to another sender; or exchanges two sites; or gives a site all
 * the children that its sender has beside it:
 *
 *   move v     r(a(v) b)  ->  r(a b(v))
 *   exchange   r(a(v))    ->  r(v(a))
 *   take       r(a v b)   ->  r(v(a b))
 *
 * The first step that helps is taken, until none does or the work is used up: O(n) uses a step. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define MOST_WORK ((uint64_t)1 << 21) /* uses that are added up */
#define MEAN 1e-3                     /* what the mean counts beside the latest */
#define GAIN (1 - 1e-9)               /* more than rounding */

typedef struct descent {
  const gb_site_graph *g;
  double *load;               /* by resource */
  double *length, *busiest;   /* n: s; length: -1: not known yet */
  double *carried;            /* n: messages on the edge to each site */
  uint32_t *path;             /* n: memory for a path */
  uint32_t *parent, *changed; /* n: the tree so far, and after a step */
  double least;               /* s */
  uint64_t work;              /* that is left */
} descent;

static void add_uses(descent *d, uint32_t u, uint32_t v, double times) {
  const gb_site_loads *l = d->g->loads;
  const size_t e = (size_t)u * d->g->n + v;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    d->load[l->use[i].resource] += times * l->use[i].busy;
}

/* Adds up what keeps each resource busy. */
static void find_load(descent *d, const uint32_t *parent) {
  const gb_site_graph *g = d->g;
  memset(d->load, 0, g->loads->resources * sizeof *d->load);
  for (uint32_t v = 0; v < g->n; v++)
    d->carried[v] = g->blocks ? 0 : 1;
  for (uint32_t v = 0; g->blocks && v < g->n; v++)
    for (uint32_t u = v; u != g->root; u = parent[u])
      d->carried[u] += g->blocks[v];
  for (uint32_t v = 0; v < g->n; v++) {
    add_uses(d, v, v, g->blocks ? g->blocks[v] : 1);
    if (v != g->root)
      add_uses(d, parent[v], v, d->carried[v]);
  }
}

static double busiest_between(const descent *d, uint32_t u, uint32_t v, double most) {
  const gb_site_loads *l = d->g->loads;
  const size_t e = (size_t)u * d->g->n + v;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    most = d->load[l->use[i].resource] > most ? d->load[l->use[i].resource] : most;
  return most;
}

static void reach(descent *d, uint32_t u, uint32_t v) {
  d->length[v] = d->length[u] + gb_site_delta(d->g, u, v) + gb_site_weight(d->g, u, v);
  d->busiest[v] = busiest_between(d, v, v, busiest_between(d, u, v, d->busiest[u]));
}

static double time_of(descent *d, const uint32_t *parent) {
  const gb_site_graph *g = d->g;
  double latest = 0, all = 0;
  const double pieces = g->blocks ? 1 : g->messages - 1;
  find_load(d, parent);
  for (uint32_t v = 0; v < g->n; v++)
    d->length[v] = -1;
  d->length[g->root] = 0;
  d->busiest[g->root] = busiest_between(d, g->root, g->root, 0);
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t depth = 0, u = v;
    for (; d->length[u] < 0; u = parent[u])
      d->path[depth++] = u;
    for (; depth > 0; u = d->path[depth])
      reach(d, u, d->path[--depth]);
    const double end = d->length[v] + pieces * d->busiest[v];
    latest = end > latest ? end : latest;
    all += end;
  }
  const uint64_t work = g->loads->resources + 16 * (uint64_t)g->n;
  d->work = d->work > work ? d->work - work : 0;
  return latest + MEAN * all / g->n;
}

static void exchange(uint32_t *parent, uint32_t n, uint32_t a, uint32_t b) {
  for (uint32_t v = 0; v < n; v++)
    parent[v] = parent[v] == a ? b : parent[v] == b ? a : parent[v];
  const uint32_t above = parent[a]; /* already exchanged if one is the other's parent */
  parent[a] = parent[b];
  parent[b] = above;
}

static bool are_usable(const gb_site_graph *g, const uint32_t *parent) {
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root && !gb_site_usable(g, parent[v], v))
      return false;
  return true;
}

/* Keeps d->changed if it is faster. */
static bool keep(descent *d) {
  const size_t bytes = d->g->n * sizeof *d->parent;
  if (memcmp(d->changed, d->parent, bytes) == 0 || !are_usable(d->g, d->changed))
    return false;
  const double time = time_of(d, d->changed);
  if (!(time < d->least * GAIN))
    return false;
  d->least = time;
  memcpy(d->parent, d->changed, bytes);
  return true;
}

static bool move_site(descent *d, uint32_t v, uint32_t u) {
  if (u == d->parent[v] || gb_site_is_below(d->parent, u, v))
    return false;
  memcpy(d->changed, d->parent, d->g->n * sizeof *d->changed);
  d->changed[v] = u;
  return keep(d);
}

static bool exchange_sites(descent *d, uint32_t v, uint32_t u) {
  if (u == d->g->root || u >= v)
    return false;
  memcpy(d->changed, d->parent, d->g->n * sizeof *d->changed);
  exchange(d->changed, d->g->n, v, u);
  return keep(d);
}

static bool take_siblings(descent *d, uint32_t v) {
  for (uint32_t u = 0; u < d->g->n; u++)
    d->changed[u] = u != v && d->parent[u] == d->parent[v] ? v : d->parent[u];
  return keep(d);
}

static void descend(descent *d) {
  bool moved = true;
  while (moved && d->work > 0) {
    moved = false;
    for (uint32_t v = 0; v < d->g->n && d->work > 0; v++) {
      if (v == d->g->root)
        continue;
      moved = take_siblings(d, v) || moved;
      for (uint32_t u = 0; u < d->g->n && d->work > 0; u++) {
        moved = move_site(d, v, u) || moved;
        moved = exchange_sites(d, v, u) || moved;
      }
    }
  }
}

int gb_inter_pipelined(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  descent d = {.g = g,
               .load = malloc((g->loads->resources + 1) * sizeof *d.load),
               .length = malloc(3 * (size_t)g->n * sizeof *d.length),
               .path = malloc(g->n * sizeof *d.path),
               .parent = malloc(g->n * sizeof *d.parent),
               .changed = malloc(g->n * sizeof *d.changed),
               .work = MOST_WORK};
  int status = d.load && d.length && d.path && d.parent && d.changed ? GBCAST_OK : gb_no_memory(err);
  d.busiest = d.length ? d.length + g->n : NULL;
  d.carried = d.length ? d.length + 2 * (size_t)g->n : NULL;
  if (status == GBCAST_OK)
    status = gb_inter_extended_dijkstra(g, d.parent, err);
  if (status == GBCAST_OK) {
    d.least = time_of(&d, d.parent);
    descend(&d);
    *out = (gb_site_trees){.count = 1, .weight = {1}, .parent = d.parent};
    d.parent = NULL;
  }
  free(d.load);
  free(d.length);
  free(d.path);
  free(d.parent);
  free(d.changed);
  return status;
}
