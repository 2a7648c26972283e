/* Up to 8 trees with equal shares, in each of which other sites pass on (M. Castro, P. Druschel, A.-M.
 * Kermarrec, A. Nandi, A. Rowstron and A. Singh, SplitStream: high-bandwidth multicast in cooperative
 * environments, SOSP 2003): every site is a leaf in most of them, so it sends no more than its uplink carries
 * while all comes in, and still no way is long.
 *
 *   one chain     r a b c d e f       all uplinks are busy, but f waits for six sites
 *   one tree      r (a (c d) b (e f)) two hops, but a and b send all of it twice, c to f nothing
 *   two trees     r (a (b c d ...))   each half goes down a tree in which a, or d, has the children: both
 *                 r (d (a e f ...))   send as much as they receive
 *
 * With k trees, and p the time for which a message keeps a site's narrowest resource busy, site s can send
 *
 *   f(s) = k (tau - what it needs at home) / p(s)    copies of a share
 *
 * in the time tau that all of a message takes to come in everywhere. tau is the least, in steps of 2 %, at
 * which these are enough for k (n - 1) edges, k of them the root's. A site's copies go to the tree that is
 * furthest from having enough, largest first; a tree is then filled from the root: those that pass on, the
 * ones with most copies first, then the others, the far ones first, each below whom it hears from earliest.
 *
 * Of 1 to 8 trees those are taken that end first: the longest way plus messages times what is busiest [s].
 * O(k n^2). */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define STEP 1.02
#define WHOLE 1e-9 /* so much less than a copy is one: rounding */

typedef struct disjoint {
  const gb_site_graph *g;
  uint32_t trees;
  double *send;       /* n: s between two copies that a site sends at least */
  uint32_t *wide;     /* n: the site to which it sends fastest; itself: it can send to none */
  uint32_t *copies;   /* n: of a share */
  uint32_t *slot;     /* trees * n: of these, to be sent in a tree */
  uint32_t *order;    /* n: sites */
  double *key, *next; /* n: for the order; when a site's next copy can leave */
  double *load;       /* by resource */
  uint32_t *parent;   /* trees * n */
} disjoint;

static double busy_between(const gb_site_graph *g, uint32_t u, uint32_t v) {
  const gb_site_loads *l = g->loads;
  const size_t e = (size_t)u * g->n + v;
  double most = 0;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    most = l->use[i].busy > most ? l->use[i].busy : most;
  return most;
}

static void find_widest(disjoint *d) {
  const gb_site_graph *g = d->g;
  for (uint32_t s = 0; s < g->n; s++) {
    d->send[s] = INFINITY;
    d->wide[s] = s;
    for (uint32_t v = 0; v < g->n; v++)
      if (gb_site_usable(g, s, v) && busy_between(g, s, v) < d->send[s]) {
        d->send[s] = busy_between(g, s, v);
        d->wide[s] = v;
      }
  }
}

/* s: the longest that a message takes to come into a site. */
static double longest_in(const gb_site_graph *g) {
  double longest = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    double least = INFINITY;
    for (uint32_t u = 0; u < g->n; u++)
      if (gb_site_usable(g, u, v) && busy_between(g, u, v) < least)
        least = busy_between(g, u, v);
    if (v != g->root && least < INFINITY && least > longest)
      longest = least;
  }
  return longest;
}

static double at_home(const gb_site_graph *g, uint32_t s, uint32_t resource) {
  const gb_site_loads *l = g->loads;
  const size_t e = (size_t)s * g->n + s;
  double busy = 0;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
    busy += l->use[i].resource == resource ? l->use[i].busy : 0;
  return busy;
}

/* f(s), no more than there are edges. */
static uint32_t copies_in(const disjoint *d, uint32_t s, double tau) {
  const gb_site_graph *g = d->g;
  const size_t e = (size_t)s * g->n + d->wide[s];
  double least = (double)d->trees * (g->n - 1);
  if (d->wide[s] == s)
    return 0;
  for (size_t i = g->loads->start[e]; i < g->loads->start[e + 1]; i++) {
    const struct gb_site_use *use = &g->loads->use[i];
    const double copies = d->trees * (tau - at_home(g, s, use->resource)) / use->busy + WHOLE;
    least = use->busy > 0 && copies < least ? copies : least;
  }
  return least > 0 ? (uint32_t)least : 0;
}

/* The copies of all sites; false: the root sends to none. */
static bool find_copies(disjoint *d) {
  const gb_site_graph *g = d->g;
  const uint64_t wanted = (uint64_t)d->trees * (g->n - 1);
  double tau = longest_in(g);
  if (d->wide[g->root] == g->root)
    return false;
  if (!(tau > 0))
    tau = 1;
  for (uint64_t all = 0; all < wanted || d->copies[g->root] < d->trees; tau *= STEP) {
    all = 0;
    for (uint32_t s = 0; s < g->n; s++) {
      d->copies[s] = copies_in(d, s, tau);
      all += d->copies[s];
    }
  }
  return true;
}

/* order[0 .. count - 1] by decreasing key, alike ones as they are. */
static void sort(disjoint *d, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t site = d->order[i];
    uint32_t at = i;
    for (; at > 0 && d->key[d->order[at - 1]] < d->key[site]; at--)
      d->order[at] = d->order[at - 1];
    d->order[at] = site;
  }
}

/* Who sends how many copies in which tree. */
static void deal_slots(disjoint *d) {
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

/* Hangs v below whom it hears from earliest; false: nobody who has a copy left reaches it. */
static bool hang(disjoint *d, uint32_t *slot, uint32_t v, uint32_t *parent) {
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

static bool fill_tree(disjoint *d, uint32_t tree) {
  const gb_site_graph *g = d->g;
  uint32_t *slot = d->slot + (size_t)tree * g->n, *parent = d->parent + (size_t)tree * g->n, count = 0;
  bool all = true;
  double farthest = 0;
  for (uint32_t s = 0; s < g->n; s++)
    if (s != g->root && gb_site_usable(g, g->root, s) && gb_site_weight(g, g->root, s) > farthest)
      farthest = gb_site_weight(g, g->root, s);
  for (uint32_t s = 0; s < g->n; s++) {
    const double way = gb_site_usable(g, g->root, s) ? gb_site_weight(g, g->root, s) / (2 * farthest) : 0.5;
    d->next[s] = s == g->root ? 0 : INFINITY;
    d->key[s] = slot[s] > 0 ? 1 + slot[s] - way : way; /* ways count among equals: they are below 1 */
    if (s != g->root)
      d->order[count++] = s;
  }
  sort(d, count);
  parent[g->root] = UINT32_MAX;
  for (uint32_t i = 0; all && i < count; i++)
    all = hang(d, slot, d->order[i], parent);
  return all;
}

/* s until all is everywhere. */
static int estimate(const disjoint *d, double *end, gbcast_error *err) {
  const gb_site_graph *g = d->g;
  double longest = 0, busiest = 0;
  int status = GBCAST_OK;
  memset(d->load, 0, g->loads->resources * sizeof *d->load);
  for (uint32_t t = 0; status == GBCAST_OK && t < d->trees; t++) {
    const uint32_t *parent = d->parent + (size_t)t * g->n;
    double way;
    status = gb_inter_makespan(g, parent, &way, NULL, err);
    longest = status == GBCAST_OK && way > longest ? way : longest;
    gb_site_tree_load(g, parent, 1.0 / d->trees, d->load);
  }
  for (uint32_t r = 0; r < g->loads->resources; r++)
    busiest = d->load[r] > busiest ? d->load[r] : busiest;
  *end = longest + g->messages * busiest;
  return status;
}

/* Tries all numbers of trees; out->count stays 0 where none reaches all sites. */
static int try_all(disjoint *d, gb_site_trees *out, gbcast_error *err) {
  const gb_site_graph *g = d->g;
  double least = INFINITY, end;
  int status = GBCAST_OK;
  for (d->trees = 1; d->trees <= GB_SITE_TREES_MOST && (d->trees == 1 || d->trees <= g->messages);
       d->trees++) {
    bool all = find_copies(d);
    if (all)
      deal_slots(d);
    for (uint32_t t = 0; all && t < d->trees; t++)
      all = fill_tree(d, t);
    status = all ? estimate(d, &end, err) : GBCAST_OK;
    if (status != GBCAST_OK)
      return status;
    if (all && end < least) {
      least = end;
      out->count = d->trees;
      memcpy(out->parent, d->parent, (size_t)d->trees * g->n * sizeof *out->parent);
    }
  }
  for (uint32_t t = 0; t < out->count; t++)
    out->weight[t] = 1;
  return GBCAST_OK;
}

int gb_inter_disjoint(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  const size_t n = g->n, trees = GB_SITE_TREES_MOST;
  double *times = calloc(3 * n + g->loads->resources, sizeof *times);
  uint32_t *words = calloc((3 + 2 * trees) * n, sizeof *words);
  disjoint d = {.g = g};
  *out = (gb_site_trees){.parent = malloc(trees * n * sizeof *out->parent)};
  int status = times && words && out->parent ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    d.send = times;
    d.key = times + n;
    d.next = times + 2 * n;
    d.load = times + 3 * n;
    d.wide = words;
    d.copies = words + n;
    d.order = words + 2 * n;
    d.slot = words + 3 * n;
    d.parent = words + (3 + trees) * n;
    find_widest(&d);
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
