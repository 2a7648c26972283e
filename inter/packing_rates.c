/* How fast trees over sites can be together: the linear program
 *
 *   maximise  sum over trees T of x_T                                                     [messages/s]
 *   so that   sum over T of x_T busy_T(r) <= 1   for every leader, link and uplink r      [s/s]
 *
 * over all spanning trees from the root. Where only links are narrow its value is the smallest cut from the
 * root (Edmonds, "Edge-disjoint branchings", 1973); a leader or an uplink that works once for each copy makes
 * it less, and the program sees that too. There are too many trees to list, but the one that improves the
 * total most is the spanning tree of least cost at the prices of the full resources (arborescence.c), so each
 * column is generated when it is needed (Ford and Fulkerson, "A suggested computation for maximal
 * multi-commodity network flows", 1958). No tree can cost less than the cheapest, so total / its cost is a
 * bound on the total.
 *
 * Of the trees that improve the total, one is taken that avoids nearly full resources and long paths. That
 * leaves room for others, while the cheapest tree fills links that it need not.
 *
 *   cost of an edge = sum over r of busy(r) (price(r) + soft / (left(r) + 1/64))
 *                     + soft / 8 * its time / the time of the first tree
 *
 * `soft` falls to 0 when there are no more such trees. It makes the search much faster (docs/planning.md).
 *
 * The rates are feasible after each step: where the work is cut off they are the best so far.
 *
 * With a time `end` at which all is to be over, a tree T of length L(T), after which its last site has the
 * first message, can bring x_T (end - L(T)) messages by then, so the sum of x_T (1 - L(T) / end) is
 * maximised. The cheapest tree may then be too long to be worth anything, so shorter trees (shallow.c) are
 * tried, too.
 *
 * With prices a tree that costs c_T is worth 1 - c_T / worth, so the sum of x_T (1 - c_T / worth) is
 * maximised. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define GOOD_ENOUGH 0.01 /* of what a tree is worth; where there is an end */
#define SOFT_START 0.1
#define SOFT_END 1e-6
#define SOFT_LEFT (1.0 / 64)
#define SOFT_TIME (1.0 / 8)

typedef struct rate_search {
  gb_basis basis;
  const gb_rated_trees *pool;
  uint32_t *entering, *other; /* n */
  double *cost, *time;        /* n * n: of edges */
  double end;                 /* s */
  uint64_t most_work;
  double soft;
  double first_time; /* s that the edges of the first tree take, added up */
  double bound;
} rate_search;

static void set_costs(rate_search *s) {
  gb_basis *b = &s->basis;
  const gb_site_graph *g = b->g;
  const gb_site_loads *l = g->loads;
  double *price = b->change;
  for (uint32_t r = 0; r < b->resources; r++)
    price[r] = s->soft > 0 ? s->soft / (gb_basis_capacity(r) - b->load[r] + SOFT_LEFT) : 0;
  for (uint32_t j = 0; j < b->k; j++)
    price[b->full[j]] += b->price[j];
  for (size_t e = 0; e < (size_t)g->n * g->n; e++) {
    if (!gb_site_usable(g, (uint32_t)(e / g->n), (uint32_t)(e % g->n))) {
      s->cost[e] = INFINITY;
      continue;
    }
    s->cost[e] = (s->soft * SOFT_TIME + GB_NEARLY_GREATEST / 16) * s->time[e] / s->first_time;
    if (g->worth > 0)
      s->cost[e] += gb_site_price(g, (uint32_t)(e / g->n), (uint32_t)(e % g->n)) / g->worth;
    for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
      s->cost[e] += price[l->use[i].resource] * b->scale * l->use[i].busy;
  }
  b->work += 4 * (uint64_t)g->n * g->n + l->start[(size_t)g->n * g->n];
}

static double worth_of(const rate_search *s, const uint32_t *parent) {
  const gb_site_graph *g = s->basis.g;
  double worth = s->end < INFINITY ? 1 - gb_site_tree_length(g, parent) / s->end : 1;
  if (g->worth > 0)
    worth -= gb_site_tree_price(g, parent) / g->worth;
  return worth;
}

/* Keeps the tree if its worth is further above its cost. */
static void consider(rate_search *s, const uint32_t *parent, double *worth, double *cost) {
  const double its_worth = worth_of(s, parent), its_cost = gb_basis_cost(&s->basis, parent);
  if (its_worth - its_cost <= *worth - *cost)
    return;
  *worth = its_worth;
  *cost = its_cost;
  memcpy(s->entering, parent, s->basis.g->n * sizeof *s->entering);
}

/* The tree whose worth is furthest above its cost at the prices: of the pool; or of the cheapest and, where
 * lengths count, some shallow ones. */
static int find_tree(rate_search *s, double *worth, double *cost, gbcast_error *err) {
  const gb_site_graph *g = s->basis.g;
  int status = GBCAST_OK;
  *worth = -INFINITY;
  *cost = 0;
  for (uint32_t i = 0; s->pool && i < s->pool->count; i++)
    consider(s, s->pool->parent + (size_t)i * g->n, worth, cost);
  if (s->pool)
    return GBCAST_OK;
  set_costs(s);
  status = gb_inter_steiner(g->n, g->root, g->relay, s->cost, s->other, NULL, err);
  if (status == GBCAST_OK)
    consider(s, s->other, worth, cost);
  for (double weight = 1; status == GBCAST_OK && s->end < INFINITY && weight > 1.0 / 32; weight /= 4) {
    status = gb_inter_shallow(g->n, g->root, s->cost, s->time, weight / s->end, INFINITY, s->other, err);
    if (status == GBCAST_OK)
      consider(s, s->other, worth, cost);
  }
  return status;
}

/* The rate of the first tree alone is the unit of rates. */
static void set_scale(rate_search *s) {
  gb_basis *b = &s->basis;
  const double most = gb_site_tree_busiest(b->g, s->entering, b->scale, b->change);
  b->scale = most > 0 ? 1 / most : 1;
  s->first_time = 0;
  for (uint32_t v = 0; v < b->g->n; v++)
    if (s->entering[v] != UINT32_MAX)
      s->first_time += s->time[(size_t)s->entering[v] * b->g->n + v];
  s->first_time = s->first_time > 0 ? s->first_time : 1;
}

/* The place of the full resource with the most negative price, or k. */
static uint32_t worst_price(const gb_basis *b, double total) {
  uint32_t worst = b->k;
  double least = -GB_ROUNDING * total;
  for (uint32_t j = 0; j < b->k; j++)
    if (b->price[j] < least) {
      least = b->price[j];
      worst = j;
    }
  return worst;
}

/* Finds a tree that raises the total; *found: there is one. */
static int improve(rate_search *s, double total, double *worth, bool *found, gbcast_error *err) {
  for (;;) {
    double cost;
    int status = find_tree(s, worth, &cost, err);
    if (status != GBCAST_OK)
      return status;
    *found = cost < *worth - (s->end < INFINITY ? GOOD_ENOUGH : GB_NEARLY_GREATEST);
    if (s->soft == 0 && cost > 0 && total / cost < s->bound)
      s->bound = total / cost;
    if (*found || s->soft == 0)
      return GBCAST_OK;
    s->soft = s->soft > SOFT_END ? s->soft / 10 : 0;
  }
}

static int take_steps(rate_search *s, gbcast_error *err) {
  gb_basis *b = &s->basis;
  for (bool going = true; going;) {
    if (!gb_basis_solve(b)) {
      b->k = 0;
      break;
    }
    double total = 0, worth = 0;
    for (uint32_t j = 0; j < b->k; j++)
      total += b->price[j] * gb_basis_capacity(b->full[j]);
    const uint32_t idle = worst_price(b, total);
    if (idle < b->k) {
      going = b->work < s->most_work && gb_basis_change(b, NULL, 0, idle);
      continue;
    }
    int status = improve(s, total, &worth, &going, err);
    if (status != GBCAST_OK)
      return status;
    if (b->k == 0)
      set_scale(s);
    going = going && b->work < s->most_work && gb_basis_change(b, s->entering, worth, 0);
  }
  return GBCAST_OK;
}

static int write_out(const rate_search *s, gb_rated_trees *out, gbcast_error *err) {
  const gb_basis *b = &s->basis;
  const size_t n = b->g->n;
  *out = (gb_rated_trees){.parent = malloc((b->k + 1) * n * sizeof *out->parent),
                          .rate = malloc((b->k + 1) * sizeof *out->rate)};
  if (!out->parent || !out->rate)
    return gb_no_memory(err);
  for (uint32_t i = 0; i < b->k; i++) {
    const double rate = b->rate[i] * b->scale;
    uint32_t at = out->count;
    if (b->rate[i] < GB_NEARLY_GREATEST)
      continue;
    for (; at > 0 && out->rate[at - 1] < rate; at--) {
      out->rate[at] = out->rate[at - 1];
      memcpy(out->parent + at * n, out->parent + (at - 1) * n, n * sizeof *out->parent);
    }
    out->rate[at] = rate;
    memcpy(out->parent + at * n, b->tree + i * n, n * sizeof *out->parent);
    out->total += rate;
    out->count++;
  }
  if (out->count == 0) { /* nothing limits the last tree, or rounding spoilt the rest */
    out->count = 1;
    out->rate[0] = out->total = b->scale;
    memcpy(out->parent, s->entering, n * sizeof *out->parent);
  }
  out->bound = s->bound * b->scale;
  return GBCAST_OK;
}

int gb_inter_rates(const gb_site_graph *g, double end, uint64_t most_work, const gb_rated_trees *pool,
                   gb_rated_trees *out, gbcast_error *err) {
  const size_t pairs = (size_t)g->n * g->n;
  rate_search s = {.pool = pool,
                   .entering = malloc(2 * (size_t)g->n * sizeof *s.entering),
                   .cost = malloc(2 * pairs * sizeof *s.cost),
                   .end = end,
                   .most_work = most_work,
                   .soft = pool ? 0 : SOFT_START,
                   .first_time = 1,
                   .bound = INFINITY};
  *out = (gb_rated_trees){0};
  int status = gb_basis_new(g, &s.basis, err);
  if (status == GBCAST_OK && (!s.entering || !s.cost))
    status = gb_no_memory(err);
  if (status == GBCAST_OK) {
    s.other = s.entering + g->n;
    s.time = s.cost + pairs;
    for (size_t e = 0; e < pairs; e++)
      s.time[e] = g->delta[e] + g->weight[e];
    status = take_steps(&s, err);
  }
  if (status == GBCAST_OK)
    status = write_out(&s, out, err);
  if (status != GBCAST_OK)
    gb_rated_trees_free(out);
  gb_basis_release(&s.basis);
  free(s.entering);
  free(s.cost);
  return status;
}

void gb_rated_trees_free(gb_rated_trees *trees) {
  free(trees->parent);
  free(trees->rate);
  *trees = (gb_rated_trees){0};
}
