/* What the files of the packing share. Outside inter/ only the tests include it. */
#ifndef GB_INTER_PACKING_H
#define GB_INTER_PACKING_H

#include "inter/trees.h"

#define GB_NEARLY_GREATEST 1e-6 /* as a part of a total: as good as the greatest */
#define GB_ROUNDING 1e-9        /* no more than rounding */

/* The spanning tree of least total cost from the root; cost: n x n, row = sender, INFINITY where there is no
 * edge. GBCAST_EINPUT when a site is out of reach. */
int gb_inter_arborescence(uint32_t n, uint32_t root, const double *cost, uint32_t *parent, gbcast_error *err);

/* What gb_inter_steiner uses for more sites: a good tree, and the bound (INFINITY: some site is out of
 * reach). */
int gb_inter_steiner_near(uint32_t n, uint32_t root, const bool *relay, const double *cost, uint32_t *parent,
                          gbcast_error *err);
int gb_inter_steiner_bound(uint32_t n, uint32_t root, const bool *relay, const double *cost, double *bound,
                           gbcast_error *err);

/* Takes the relays at the ends out of a tree; inner (n): scratch. */
void gb_inter_prune(uint32_t n, const bool *relay, uint32_t *parent, bool *inner);

/* The sum of the edges of a tree. */
double gb_inter_tree_cost(uint32_t n, const double *cost, const uint32_t *parent);

/* The site at the least finite distance of those that are not done, or UINT32_MAX. */
uint32_t gb_inter_nearest(uint32_t n, const bool *done, const double *distance);

/* A tree that is cheap and in which no path is long: from the root on, the site that comes next, and its
 * edge, are those of the least cost(u,v) + path_weight (length(u) + time(u,v)), where length(u) is the sum of
 * `time` from the root to u, and no length is above `most`. time: n x n, as cost. Statuses as above. */
int gb_inter_shallow(uint32_t n, uint32_t root, const double *cost, const double *time, double path_weight,
                     double most, uint32_t *parent, gbcast_error *err);

/* The length of a tree: seconds from the root to the last site down the tree. */
double gb_site_tree_length(const gb_site_graph *g, const uint32_t *parent);

/* Adds to load, by resource, `times` the seconds for which a message down the tree keeps it busy. */
void gb_site_tree_load(const gb_site_graph *g, const uint32_t *parent, double times, double *load);

/* USD of the whole message down the tree, with the fees. */
double gb_site_tree_price(const gb_site_graph *g, const uint32_t *parent);

/* The greatest of the loads. */
double gb_site_busiest(const gb_site_graph *g, const double *load);

/* `times` the seconds for which a message down the tree keeps the busiest resource busy; load: scratch, by
 * resource. */
double gb_site_tree_busiest(const gb_site_graph *g, const uint32_t *parent, double times, double *load);

/* Improves trees by small moves: they take less time at no higher price, or cost less and take no longer.
 * g->price is known, and the trees have no feeders. */
int gb_inter_spread(const gb_site_graph *g, gb_site_trees *trees, gbcast_error *err);

/* Trees with rates at which no resource is busy for more than one second a second. */
typedef struct gb_rated_trees {
  uint32_t count;
  uint32_t *parent;    /* count * n */
  double *rate;        /* messages/s, decreasing, all above 0 */
  double total, bound; /* sum of the rates; no trees have a greater sum than `bound`, where
                          gb_inter_steiner is exact */
} gb_rated_trees;

/* The greatest sum of rate (1 - length / end - price / worth) of trees over the edges of the graph or, when
 * `pool` is not NULL, of those in it, whose rates are not looked at. end = INFINITY: the greatest total.
 * After most_work additions or so, the best rates so far. */
int gb_inter_rates(const gb_site_graph *g, double end, uint64_t most_work, const gb_rated_trees *pool,
                   gb_rated_trees *out, gbcast_error *err);
void gb_rated_trees_free(gb_rated_trees *trees);

/* A basis of the linear program (packing_rates.c): k trees that fill k resources. */
typedef struct gb_basis {
  const gb_site_graph *g;
  uint32_t resources, capacity, k; /* k <= capacity */
  double scale;                    /* messages/s: the unit of rates */
  uint32_t *tree, *full;           /* (capacity + 1) * n: parents; capacity: resources */
  uint32_t *place;                 /* by resource: its place in `full` from 1, or 0 */
  double *worth, *rate;            /* capacity + 1, capacity: of trees */
  double *price, *step;            /* capacity: of full resources; the change of rates */
  double *matrix;     /* capacity * capacity: what each tree uses of each full resource, later its factors */
  uint32_t *exchange; /* capacity */
  double *load, *change; /* by resource: busy part of the time, and its change */
  uint64_t work;         /* additions, about */
} gb_basis;

int gb_basis_new(const gb_site_graph *g, gb_basis *b, gbcast_error *err);
void gb_basis_release(gb_basis *b);

/* Part of the time that a resource may be used. */
double gb_basis_capacity(uint32_t resource);

/* Rates, prices and loads of the trees and resources in the basis; false: rounding does not let it. */
bool gb_basis_solve(gb_basis *b);

/* What a tree alone at rate 1 uses: the sum at the prices (b->step is scratch). */
double gb_basis_cost(const gb_basis *b, const uint32_t *parent);

/* One step, after gb_basis_solve: the tree `parent`, of that worth, comes in or, if it is NULL, the resource
 * at place `idle` is no longer full. False when nothing limits the step or there is no capacity. */
bool gb_basis_change(gb_basis *b, const uint32_t *parent, double worth, uint32_t idle);

/* M z = b by LU factors with row exchanges. M is k x k by rows; false: it is singular. */
bool gb_lu_factor(double *m, uint32_t k, uint32_t *exchange);
void gb_lu_solve(const double *m, uint32_t k, const uint32_t *exchange, double *b);
void gb_lu_solve_transposed(const double *m, uint32_t k, const uint32_t *exchange, double *b);

#endif
