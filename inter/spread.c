/* Makes trees over sites faster, and then cheaper, by small moves:
 *
 *   another parent                                  one relay in place of another, in all trees
 *
 *         u                  u                            r            r
 *        / \                 |                           / \           |
 *       v   w      ->        v      at the same price   v   w    ->    v      as it is hired once
 *                            |                          |   |         / \
 *                            w                          a   b        a   b
 *
 * The linear program over whole trees (packing_rates.c) finds neither: it does not choose between trees of
 * the same price, and it adds a relay's fee to every tree that uses the relay.
 *
 * Moves of the first kind are made as long as they lessen the strain
 *
 *   sum over resources r of busy(r)^8                                                             [s^8]
 *
 * which depends almost only on the busiest ones. The greatest busy(r) would not do: where two are equally
 * busy, no single move lessens it. All these moves together are kept if the message then takes less time
 * (gb_site_trees_time): deeper trees take longer for the first message. A move of the second kind is kept if
 * the trees cost less and take no longer. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define LESS (1 - 1e-6)       /* of the strain: a move that gains less is not worth it */
#define SWEEPS_MOST 16        /* through all sites; no platform that was tried needs more than 4 */
#define TRIES_MOST (1u << 22) /* moves of the first kind: some 0.2 s */

typedef struct spreading {
  const gb_site_graph *g;
  gb_site_trees *trees;
  gb_site_trees tried; /* with parents of its own */
  double seconds;      /* that the trees take */
  double *load;        /* of the tried ones: s, by resource */
  double strain;       /* of load */
  uint32_t tries;
  bool *inner; /* n: scratch */
} spreading;

static double power(double busy) {
  const double squared = busy * busy, fourth = squared * squared;
  return fourth * fourth;
}

static uint32_t *tried_tree(const spreading *s, uint32_t t) {
  return s->tried.parent + (size_t)t * s->g->n;
}

/* Begins with the trees as they are. */
static void start(spreading *s) {
  memcpy(s->tried.parent, s->trees->parent, (size_t)s->trees->count * s->g->n * sizeof *s->tried.parent);
}

/* Keeps the tried trees if they take at most so long. */
static int keep(spreading *s, double most, gbcast_error *err) {
  double seconds;
  const int status = gb_site_trees_time(s->g, &s->tried, &seconds, err);
  if (status == GBCAST_OK && seconds <= most) {
    memcpy(s->trees->parent, s->tried.parent, (size_t)s->trees->count * s->g->n * sizeof *s->tried.parent);
    s->seconds = seconds;
  }
  return status;
}

static void set_load(spreading *s) {
  memset(s->load, 0, s->g->loads->resources * sizeof *s->load);
  for (uint32_t t = 0; t < s->tried.count; t++)
    gb_site_tree_load(s->g, tried_tree(s, t), gb_site_share(&s->tried, t, s->g->messages), s->load);
  s->strain = 0;
  for (uint32_t r = 0; r < s->g->loads->resources; r++)
    s->strain += power(s->load[r]);
}

/* `times` messages more from u to v. Returns by how much that raises the strain. */
static double add_edge(spreading *s, uint32_t u, uint32_t v, double times) {
  const gb_site_loads *l = s->g->loads;
  const size_t e = (size_t)u * s->g->n + v;
  double more = 0;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++) {
    double *load = &s->load[l->use[i].resource];
    more -= power(*load);
    *load += times * l->use[i].busy;
    more += power(*load);
  }
  return more;
}

/* Whether v gets a parent that costs no more and lessens the strain. */
static bool find_parent(spreading *s, uint32_t *parent, uint32_t v, double share) {
  const gb_site_graph *g = s->g;
  const uint32_t before = parent[v];
  for (uint32_t u = 0; u < g->n && s->tries < TRIES_MOST; u++) {
    if (u == before || !gb_site_tree_has(g, parent, u) || !gb_site_usable(g, u, v) ||
        gb_site_price(g, u, v) > gb_site_price(g, before, v) * (1 + GB_ROUNDING) ||
        gb_site_is_below(parent, u, v))
      continue;
    s->tries++;
    const double more = add_edge(s, before, v, -share) + add_edge(s, u, v, share);
    if (s->strain + more < LESS * s->strain) {
      s->strain += more;
      parent[v] = u;
      return true;
    }
    (void)add_edge(s, u, v, -share);
    (void)add_edge(s, before, v, share);
  }
  return false;
}

static int find_parents(spreading *s, gbcast_error *err) {
  bool found = true;
  start(s);
  set_load(s);
  for (unsigned sweep = 0; sweep < SWEEPS_MOST && found; sweep++) {
    found = false;
    for (uint32_t t = 0; t < s->tried.count; t++) {
      uint32_t *parent = tried_tree(s, t);
      const double share = gb_site_share(&s->tried, t, s->g->messages);
      for (uint32_t v = 0; v < s->g->n; v++)
        found = (parent[v] != UINT32_MAX && find_parent(s, parent, v, share)) || found;
    }
  }
  for (uint32_t t = 0; t < s->tried.count && s->g->relay; t++)
    gb_inter_prune(s->g->n, s->g->relay, tried_tree(s, t), s->inner);
  return keep(s, s->seconds * LESS, err);
}

/* Puts `relay` in the place of `other` in one tree; false: that is not possible. */
static bool replace(const gb_site_graph *g, uint32_t *parent, uint32_t other, uint32_t relay) {
  if (parent[other] == UINT32_MAX)
    return true;
  if (parent[relay] != UINT32_MAX || !gb_site_usable(g, parent[other], relay))
    return false;
  parent[relay] = parent[other];
  parent[other] = UINT32_MAX;
  for (uint32_t v = 0; v < g->n; v++)
    if (parent[v] == other) {
      if (!gb_site_usable(g, relay, v))
        return false;
      parent[v] = relay;
    }
  return true;
}

static bool is_used(const spreading *s, uint32_t relay) {
  for (uint32_t t = 0; t < s->trees->count; t++)
    if (s->trees->parent[(size_t)t * s->g->n + relay] != UINT32_MAX)
      return true;
  return false;
}

static int share_relay(spreading *s, uint32_t other, uint32_t relay, gbcast_error *err) {
  bool possible = true;
  start(s);
  for (uint32_t t = 0; t < s->tried.count && possible; t++)
    possible = replace(s->g, tried_tree(s, t), other, relay);
  if (!possible ||
      gb_site_trees_price(s->g, &s->tried) >= gb_site_trees_price(s->g, s->trees) * (1 - GB_ROUNDING))
    return GBCAST_OK;
  return keep(s, s->seconds * (1 + GB_ROUNDING), err);
}

static int share_relays(spreading *s, gbcast_error *err) {
  const gb_site_graph *g = s->g;
  int status = GBCAST_OK;
  for (uint32_t other = 0; g->relay && g->fee && other < g->n; other++)
    for (uint32_t relay = 0; relay < g->n && status == GBCAST_OK && g->relay[other] && is_used(s, other);
         relay++)
      if (relay != other && g->relay[relay] && is_used(s, relay))
        status = share_relay(s, other, relay, err);
  return status;
}

int gb_inter_spread(const gb_site_graph *g, gb_site_trees *trees, gbcast_error *err) {
  spreading s = {.g = g,
                 .trees = trees,
                 .tried = *trees,
                 .load = malloc(((size_t)g->loads->resources + 1) * sizeof *s.load),
                 .inner = malloc(g->n * sizeof *s.inner)};
  s.tried.parent = malloc((size_t)trees->count * g->n * sizeof *s.tried.parent);
  int status =
      s.load && s.inner && s.tried.parent ? gb_site_trees_time(g, trees, &s.seconds, err) : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = find_parents(&s, err);
  if (status == GBCAST_OK)
    status = share_relays(&s, err);
  free(s.load);
  free(s.inner);
  free(s.tried.parent);
  return status;
}
