/* Trees over sites that cost little. Providers charge for each byte that leaves a site, and for each second
 * of a host:
 *
 *   cost = sum over trees T of share(T) c_T + hire t                                              [USD]
 *
 * where c_T is what the whole message costs down T, hire the price of all hosts for a second, and t the time
 * that it takes. With rates x_T that sum to X, and shares x_T / X, t = messages / X, and that is
 *
 *   cost = (sum of x_T c_T + hire * messages) / X
 *
 * The least quotient q is found where the greatest sum of x_T (q - c_T) over feasible rates is hire *
 * messages (Dinkelbach, "On nonlinear fractional programming", 1967). So trees that cost q or more are of no
 * use, and the rates are those of inter/packing_rates.c where the message is worth q. This file is given q as
 * spending, in multiples of the least c_T:
 *
 *   spending  1         the cheapest tree alone
 *             1.001     the cheapest trees, as fast as they can be together
 *             1.01      trees that cost up to a hundredth more, where they make it faster
 *             INFINITY  as fast as can be
 *
 * A relay costs hire, too, which is taken as a fee: for as long as the message takes down the cheapest tree
 * alone. spread.c then improves the trees. The search tries several values, and prices the whole plans. */
#include "inter/packing.h"
#include <stdlib.h>

#define TIE 1e-9 /* of the dearest edge: of trees with the same price the one of the shortest edges */

/* Finds the cheapest tree, fees included, and what the dearest edge of all costs. */
static int find_cheapest(const gb_site_graph *g, uint32_t *parent, double *dearest, gbcast_error *err) {
  double *cost = malloc((size_t)g->n * g->n * sizeof *cost), longest = GB_ROUNDING;
  *dearest = 0;
  if (!cost)
    return gb_no_memory(err);
  for (uint32_t u = 0; u < g->n; u++)
    for (uint32_t v = 0; v < g->n; v++)
      if (gb_site_usable(g, u, v)) {
        *dearest = gb_site_price(g, u, v) > *dearest ? gb_site_price(g, u, v) : *dearest;
        longest = gb_site_time(g, u, v) > longest ? gb_site_time(g, u, v) : longest;
      }
  for (uint32_t u = 0; u < g->n; u++)
    for (uint32_t v = 0; v < g->n; v++)
      cost[(size_t)u * g->n + v] =
          gb_site_usable(g, u, v) ? gb_site_price(g, u, v) + TIE * *dearest * gb_site_time(g, u, v) / longest
                                  : INFINITY;
  const int status = gb_inter_steiner(g->n, g->root, g->relay, cost, parent, NULL, err);
  free(cost);
  return status;
}

/* Sets fee (n) and g->fee. Leaves the cheapest tree in parent. */
static int set_fee(gb_site_graph *g, double *fee, uint32_t *parent, double *dearest, gbcast_error *err) {
  double *load = malloc(((size_t)g->loads->resources + 1) * sizeof *load);
  int status = load ? find_cheapest(g, parent, dearest, err) : gb_no_memory(err);
  if (status == GBCAST_OK && g->hire) {
    const double seconds = gb_site_tree_busiest(g, parent, g->messages, load);
    for (uint32_t v = 0; v < g->n; v++)
      fee[v] = g->hire[v] * seconds;
    g->fee = fee;
    status = find_cheapest(g, parent, dearest, err);
  }
  free(load);
  return status;
}

static int make_cheap(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  gb_site_graph priced = *g;
  double *fee = malloc(g->n * sizeof *fee), dearest = 0;
  uint32_t *parent = malloc(g->n * sizeof *parent);
  int status = fee && parent ? set_fee(&priced, fee, parent, &dearest, err) : gb_no_memory(err);
  if (status == GBCAST_OK && g->spending > 1) {
    const double least = gb_site_tree_price(&priced, parent);
    /* Beside a tree that costs nothing, a part of the dearest edge counts. */
    priced.worth = least > 0 ? least * g->spending : dearest * (g->spending - 1);
    status = gb_inter_packing(&priced, out, err);
  } else if (status == GBCAST_OK) {
    *out = gb_one_site_tree(parent);
    parent = NULL;
  }
  if (status == GBCAST_OK)
    status = gb_inter_spread(&priced, out, err);
  free(fee);
  free(parent);
  return status;
}

int gb_inter_least_cost(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  *out = (gb_site_trees){0};
  const int status =
      g->price != NULL && g->spending < INFINITY ? make_cheap(g, out, err) : gb_inter_packing(g, out, err);
  if (status != GBCAST_OK)
    gb_site_trees_free(out);
  return status;
}
