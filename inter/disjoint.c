/* Up to 16 trees with equal shares, in each of which other sites pass on (M. Castro, P. Druschel, A.-M.
 * Kermarrec, A. Nandi, A. Rowstron and A. Singh, SplitStream: high-bandwidth multicast in cooperative
 * environments, SOSP 2003). Every site is a leaf in most of them, so it sends no more than its uplink carries
 * while the message comes in, and still no path is long.
 *
 *   one chain     r a b c d e f       all uplinks are busy, but f waits for six sites
 *   one tree      r (a (c d) b (e f)) two hops, but a and b send all of it twice, c to f nothing
 *   two trees     r (a (b c d ...))   each half goes down a tree in which a, or d, has the children: both
 *                 r (d (a e f ...))   send as much as they receive
 *
 * Each site has as many copies of a share to send as its uplink carries (disjoint_copies.c). They go to the
 * tree that lacks most copies, those of the site with most copies first. A tree is then filled from the root:
 * first the sites that pass on, those with most copies first, then the others, the far ones first. Each goes
 * below the site from which it hears earliest.
 *
 * Of 1 to 16 trees, with as many copies or 4, 16, ... times as many, those that end first are taken. The end
 * is the longest path plus messages times the time of the busiest resource [s]. O(n^2) a tree. */
#include "inter/disjoint.h"
#include <stdlib.h>
#include <string.h>

#define RELAXED 4u
#define GAIN (1 - 1e-9) /* more than rounding */

/* order[0 .. count - 1] by decreasing key, alike ones as they are. */
static void sort(gb_disjoint *d, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t site = d->order[i];
    uint32_t at = i;
    for (; at > 0 && d->key[d->order[at - 1]] < d->key[site]; at--)
      d->order[at] = d->order[at - 1];
    d->order[at] = site;
  }
}

/* Decides which site sends how many copies in which tree. */
static void deal_slots(gb_disjoint *d) {
  const uint32_t n = d->g->n, root = d->g->root;
  uint32_t lacking[GB_SITE_TREES_MOST] = {0};
  memset(d->slot, 0, (size_t)d->trees * n * sizeof *d->slot);
  for (uint32_t t = 0; t < d->trees; t++) {
    d->slot[(size_t)t * n + root] = 1;
    lacking[t] = n - 2;
  }
  d->copies[root] -= d->trees;
  for (uint32_t s = 0; s < n; s++) {
    d->order[s] = s;
    d->key[s] = d->copies[s];
  }
  sort(d, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t s = d->order[i], left = d->copies[s]; left > 0;) {
      uint32_t most = 0;
      for (uint32_t t = 1; t < d->trees; t++)
        most = lacking[t] > lacking[most] ? t : most;
      const uint32_t some = left < lacking[most] ? left : lacking[most];
      d->slot[(size_t)most * n + s] += some;
      lacking[most] -= some;
      left = some > 0 ? left - some : 0; /* all have enough */
    }
}

/* Attaches v below the site from which it hears earliest; false: no site with a copy left reaches it. */
static bool attach(gb_disjoint *d, uint32_t *slot, uint32_t v, uint32_t *parent) {
  const gb_site_graph *g = d->g;
  uint32_t from = UINT32_MAX;
  double earliest = INFINITY;
  for (uint32_t u = 0; u < g->n; u++)
    if (d->next[u] < INFINITY && slot[u] > 0 && gb_site_usable(g, u, v) &&
        d->next[u] + gb_site_weight(g, u, v) < earliest) {
      earliest = d->next[u] + gb_site_weight(g, u, v);
      from = u;
    }
  if (from == UINT32_MAX)
    return false;
  parent[v] = from;
  slot[from]--;
  d->next[from] += d->send[from];
  d->next[v] = earliest;
  return true;
}

/* Distances decide only among equals: they are below 1. */
static void find_distances(gb_disjoint *d) {
  const gb_site_graph *g = d->g;
  double farthest = 0;
  for (uint32_t s = 0; s < g->n; s++)
    if (gb_site_usable(g, g->root, s) && gb_site_weight(g, g->root, s) > farthest)
      farthest = gb_site_weight(g, g->root, s);
  for (uint32_t s = 0; s < g->n; s++) {
    const bool known = farthest > 0 && gb_site_usable(g, g->root, s);
    d->distance[s] = known ? gb_site_weight(g, g->root, s) / (2 * farthest) : 0.5;
  }
}

static bool fill_tree(gb_disjoint *d, uint32_t tree) {
  const gb_site_graph *g = d->g;
  uint32_t *slot = d->slot + (size_t)tree * g->n, *parent = d->parent + (size_t)tree * g->n, count = 0;
  bool all = true;
  for (uint32_t s = 0; s < g->n; s++) {
    d->next[s] = s == g->root ? 0 : INFINITY;
    d->key[s] = slot[s] > 0 ? 1 + slot[s] - d->distance[s] : d->distance[s];
    if (s != g->root)
      d->order[count++] = s;
  }
  sort(d, count);
  parent[g->root] = UINT32_MAX;
  for (uint32_t i = 0; all && i < count; i++)
    all = attach(d, slot, d->order[i], parent);
  return all;
}

/* s until all is everywhere. */
static int estimate(const gb_disjoint *d, double *end, gbcast_error *err) {
  const gb_site_graph *g = d->g;
  double longest = 0;
  int status = GBCAST_OK;
  memset(d->load, 0, g->loads->resources * sizeof *d->load);
  for (uint32_t t = 0; status == GBCAST_OK && t < d->trees; t++) {
    const uint32_t *parent = d->parent + (size_t)t * g->n;
    double length;
    status = gb_inter_makespan(g, parent, &length, NULL, err);
    longest = status == GBCAST_OK && length > longest ? length : longest;
    gb_site_tree_load(g, parent, 1.0 / d->trees, d->load);
  }
  *end = longest + g->messages * gb_site_busiest(g, d->load);
  return status;
}

/* The trees of one number for the copies that can be sent in `tau`. *end: s, INFINITY when they do not reach
 * all sites. */
static int try_time(gb_disjoint *d, double tau, double *end, gbcast_error *err) {
  bool all = true;
  (void)gb_disjoint_find_copies(d, tau);
  deal_slots(d);
  for (uint32_t t = 0; all && t < d->trees; t++)
    all = fill_tree(d, t);
  *end = INFINITY;
  return all ? estimate(d, end, err) : GBCAST_OK;
}

/* The trees of one number, less and less deep while that helps: short messages arrive sooner if some sites
 * send more than their part. Keeps what ends before *least. */
static int try_number(gb_disjoint *d, double *least, gb_site_trees *out, gbcast_error *err) {
  const uint32_t n = d->g->n;
  const double tau = gb_disjoint_time(d);
  double last = INFINITY, end;
  for (uint32_t relaxation = 1; tau < INFINITY && relaxation <= RELAXED * n; relaxation *= RELAXED) {
    const int status = try_time(d, relaxation * tau, &end, err);
    if (status != GBCAST_OK)
      return status;
    if (!(end < last))
      break;
    last = end;
    if (end < GAIN * *least) {
      *least = end;
      out->count = d->trees;
      memcpy(out->parent, d->parent, (size_t)d->trees * n * sizeof *out->parent);
    }
  }
  return GBCAST_OK;
}

/* out->count stays 0 where no trees reach all sites. */
static int try_all(gb_disjoint *d, gb_site_trees *out, gbcast_error *err) {
  const uint32_t most = d->g->n == 2 ? 1 : d->g->most_trees;
  double least = INFINITY;
  int status = GBCAST_OK;
  for (d->trees = 1; status == GBCAST_OK && d->trees <= most && (d->trees == 1 || d->trees <= d->g->messages);
       d->trees++)
    status = try_number(d, &least, out, err);
  for (uint32_t t = 0; t < out->count; t++)
    out->weight[t] = 1;
  return status;
}

int gb_inter_disjoint(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  const size_t n = g->n, trees = GB_SITE_TREES_MOST;
  double *times = calloc(4 * n + g->loads->resources, sizeof *times);
  uint32_t *words = calloc((3 + 2 * trees) * n, sizeof *words);
  gb_disjoint d = {.g = g};
  *out = (gb_site_trees){.parent = malloc(trees * n * sizeof *out->parent)};
  int status = times && words && out->parent ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    d.send = times;
    d.key = times + n;
    d.next = times + 2 * n;
    d.distance = times + 3 * n;
    d.load = times + 4 * n;
    d.wide = words;
    d.copies = words + n;
    d.order = words + 2 * n;
    d.slot = words + 3 * n;
    d.parent = words + (3 + trees) * n;
    gb_disjoint_find_widest(&d);
    find_distances(&d);
    status = try_all(&d, out, err);
  }
  if (status == GBCAST_OK && out->count == 0)
    status = gb_site_unreached(g->root == 0 ? 1 : 0, err);
  if (status != GBCAST_OK)
    gb_site_trees_free(out);
  free(times);
  free(words);
  return status;
}
