/* What the files of the packing share. Outside inter/ only the tests include it. */
#ifndef GB_INTER_PACKING_H
#define GB_INTER_PACKING_H

#include "inter/trees.h"

#define GB_CLOSE 1e-6 /* as a part of a total: as good as the greatest */
#define GB_FAINT 1e-9 /* no more than rounding */

/* The spanning tree of least total cost from the root; cost: n x n, row = sender, INFINITY where there is no
 * edge. GBCAST_EINPUT when a site is out of reach. */
int gb_inter_arborescence(uint32_t n, uint32_t root, const double *cost, uint32_t *parent, gbcast_error *err);

/* A tree that is cheap and in which no way is long: from the root on, the site that comes next, and its edge,
 * are those of the least cost(u,v) + (way(u) + time(u,v)) times `dear`, and no way is longer than `most`.
 * `time` as cost. Statuses alike. */
int gb_inter_shallow(uint32_t n, uint32_t root, const double *cost, const double *time, double dear,
                     double most, uint32_t *parent, gbcast_error *err);

/* Seconds from the root to the last site down the tree. */
double gb_site_way(const gb_site_graph *g, const uint32_t *parent);

/* Adds `times` what a message down the tree keeps busy (s) to load, by resource. */
void gb_site_tree_load(const gb_site_graph *g, const uint32_t *parent, double times, double *load);

/* The greatest of the loads. */
double gb_site_busiest(const gb_site_graph *g, const double *load);

/* How long it keeps what is busiest so (s), `times` as long; load: scratch, by resource. */
double gb_site_tree_busiest(const gb_site_graph *g, const uint32_t *parent, double times, double *load);

/* Trees with rates: together they keep no resource busy for longer than there is time. */
typedef struct gb_rated_trees {
  uint32_t count;
  uint32_t *parent;    /* count * n */
  double *rate;        /* messages/s, decreasing, all above 0 */
  double total, bound; /* of the rates; where that was asked for, no trees have a greater one than `bound` */
} gb_rated_trees;

/* The greatest sum of rate (1 - way / end) of trees over the edges of the graph or, when `pool` is not NULL,
 * of those in it, whose rates are not looked at. end = INFINITY: the greatest total. After most_work
 * additions, about, the best so far. */
int gb_inter_rates(const gb_site_graph *g, double end, uint64_t most_work, const gb_rated_trees *pool,
                   gb_rated_trees *out, gbcast_error *err);
void gb_rated_trees_free(gb_rated_trees *trees);

/* A corner of the linear program (packing_rates.c): k trees that fill k resources. */
typedef struct gb_basis {
  const gb_site_graph *g;
  uint32_t resources, room, k; /* k <= room */
  double scale;                /* messages/s: the unit of rates */
  uint32_t *tree, *full;       /* (room + 1) * n: parents; room: resources */
  uint32_t *place;             /* by resource: its place in `full` from 1, or 0 */
  double *worth, *rate;        /* room + 1, room: of trees */
  double *price, *step;        /* room: of full resources; the change of rates */
  double *matrix;              /* room * room: what each tree uses of each full resource, later its factors */
  uint32_t *exchange;          /* room */
  double *load, *change;       /* by resource: busy part of the time, and its change */
  uint64_t work;               /* additions, about */
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
 * at place `idle` is no longer full. False when nothing limits the step or there is no room. */
bool gb_basis_change(gb_basis *b, const uint32_t *parent, double worth, uint32_t idle);

/* M z = b by LU factors with row exchanges. M is k x k by rows; false: it is singular. */
bool gb_lu_factor(double *m, uint32_t k, uint32_t *exchange);
void gb_lu_solve(const double *m, uint32_t k, const uint32_t *exchange, double *b);
void gb_lu_solve_transposed(const double *m, uint32_t k, const uint32_t *exchange, double *b);

#endif
