/* What the algorithms of this folder share. Nothing outside inter/ includes it. */
#ifndef GB_INTER_TREES_H
#define GB_INTER_TREES_H

#include "inter/inter.h"
#include "platform/text/text.h"
#include <math.h>

gb_inter_build gb_inter_extended_dijkstra, gb_inter_dijkstra, gb_inter_flat, gb_inter_chain,
    gb_inter_binomial;
gb_inter_build gb_inter_exact;
gb_inter_pack gb_inter_packing, gb_inter_disjoint, gb_inter_in_turn, gb_inter_pipelined, gb_inter_least_cost;

static inline double gb_site_delta(const gb_site_graph *g, uint32_t u, uint32_t v) {
  return g->delta[(size_t)u * g->n + v];
}

static inline double gb_site_weight(const gb_site_graph *g, uint32_t u, uint32_t v) {
  return g->weight[(size_t)u * g->n + v];
}

static inline bool gb_site_usable(const gb_site_graph *g, uint32_t u, uint32_t v) {
  return u != v && gb_site_delta(g, u, v) < INFINITY && gb_site_weight(g, u, v) < INFINITY;
}

/* Seconds until a message from u is at v. */
static inline double gb_site_time(const gb_site_graph *g, uint32_t u, uint32_t v) {
  return gb_site_delta(g, u, v) + gb_site_weight(g, u, v);
}

/* USD of the whole message from u to v, with the fee. */
static inline double gb_site_price(const gb_site_graph *g, uint32_t u, uint32_t v) {
  return g->price[(size_t)u * g->n + v] + (g->fee ? g->fee[v] : 0);
}

/* Whether the tree has the site: all but relays that pass nothing on in it. */
static inline bool gb_site_tree_has(const gb_site_graph *g, const uint32_t *parent, uint32_t v) {
  return v == g->root || parent[v] != UINT32_MAX;
}

/* Whether u is v, or below it in the tree. */
static inline bool gb_site_is_below(const uint32_t *parent, uint32_t u, uint32_t v) {
  while (u != UINT32_MAX && u != v)
    u = parent[u];
  return u == v;
}

static inline int gb_site_unreached(uint32_t v, gbcast_error *err) {
  return gb_fail(err, GBCAST_EINPUT, "site %u cannot be reached from the root's site over this tree's links",
                 v);
}

/* Both Dijkstra trees; injection_grows: dist[u] += delta on every relaxation, as in Fig. 2. */
int gb_site_shortest_paths(const gb_site_graph *g, bool injection_grows, uint32_t *parent, gbcast_error *err);

/* The tree in which the k-th site after the root, counted in the order of mention and wrapping around, hangs
 * off the above(k)-th; above(k) < k, and the 0th is the root. Any pair of finite cost is an edge. */
int gb_site_rotated(const gb_site_graph *g, uint32_t (*above)(uint32_t k), uint32_t *parent,
                    gbcast_error *err);

/* The local children of every site by decreasing tail, those that always follow each other taken as one run.
 * Run k of site s, start[s] <= k < start[s + 1], keeps the leader busy for busy[k] and is delivered done[k]
 * after it begins. A WAN child of tail q goes before run k if q >= tail[k]. See local_runs.c. */
typedef struct gb_local_runs {
  uint32_t *start;            /* n + 1 */
  double *busy, *done, *tail; /* by run */
} gb_local_runs;

int gb_local_runs_make(const gb_site_graph *g, gb_local_runs *out, gbcast_error *err);
void gb_local_runs_release(gb_local_runs *runs);

/* The optimum of up to GB_SUBSET_SITES sites. */
#define GB_SUBSET_SITES 12
int gb_inter_subset(const gb_site_graph *g, const gb_local_runs *runs, uint32_t *parent, gbcast_error *err);

#endif
