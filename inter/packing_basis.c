/* The steps of the simplex method on trees (packing_rates.c). k trees have a rate and k resources are full,
 *
 *   sum over trees T of use(r, T) rate(T)      = capacity(r)   for each full r
 *   sum over full r  of use(r, T) price(r)     = worth(T)      for each such T
 *
 * and all others have rate or price 0. The two k x k systems are solved anew in each step, so no error adds
 * up. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

#define MOST_TREES 96u

int gb_basis_new(const gb_site_graph *g, gb_basis *b, gbcast_error *err) {
  const size_t n = g->n, resources = g->loads->resources;
  const size_t capacity = resources < MOST_TREES ? resources : MOST_TREES;
  *b = (gb_basis){.g = g, .resources = g->loads->resources, .capacity = (uint32_t)capacity, .scale = 1};
  b->tree = malloc((capacity + 1) * n * sizeof *b->tree);
  b->full = malloc((capacity + 1) * sizeof *b->full);
  b->place = calloc(resources + 1, sizeof *b->place);
  b->worth = malloc((capacity + 1) * sizeof *b->worth);
  b->rate = malloc((capacity + 1) * sizeof *b->rate);
  b->price = malloc((capacity + 1) * sizeof *b->price);
  b->step = malloc((capacity + 1) * sizeof *b->step);
  b->matrix = malloc((capacity * capacity + 1) * sizeof *b->matrix);
  b->exchange = malloc((capacity + 1) * sizeof *b->exchange);
  b->load = calloc(resources + 1, sizeof *b->load);
  b->change = calloc(resources + 1, sizeof *b->change);
  if (b->tree && b->full && b->place && b->worth && b->rate && b->price && b->step && b->matrix &&
      b->exchange && b->load && b->change)
    return GBCAST_OK;
  gb_basis_release(b);
  return gb_no_memory(err);
}

void gb_basis_release(gb_basis *b) {
  free(b->tree);
  free(b->full);
  free(b->place);
  free(b->worth);
  free(b->rate);
  free(b->price);
  free(b->step);
  free(b->matrix);
  free(b->exchange);
  free(b->load);
  free(b->change);
  *b = (gb_basis){0};
}

/* A little less than 1, and different for each resource: with equal ones the steps may cycle. */
double gb_basis_capacity(uint32_t resource) {
  return 1 - GB_NEARLY_GREATEST / 65536 * (double)(resource * 2654435761u >> 16);
}

static uint32_t *tree_of(const gb_basis *b, uint32_t i) {
  return b->tree + (size_t)i * b->g->n;
}

static void add_tree(const gb_basis *b, const uint32_t *parent, double times, double *load) {
  gb_site_tree_load(b->g, parent, times * b->scale, load);
}

static void clear(const gb_basis *b, double *load) {
  memset(load, 0, b->resources * sizeof *load);
}

/* Adds to `use` how long a message from u to v keeps each of the full resources busy. */
static void add_full_uses(const gb_basis *b, uint32_t u, uint32_t v, double *use) {
  const gb_site_loads *l = b->g->loads;
  const size_t e = (size_t)u * b->g->n + v;
  for (size_t i = l->start[e]; i < l->start[e + 1]; i++) {
    const uint32_t place = b->place[l->use[i].resource];
    if (place)
      use[place - 1] += b->scale * l->use[i].busy;
  }
}

/* The same of one down the tree, from 0. */
static void use_full(const gb_basis *b, const uint32_t *parent, double *use) {
  memset(use, 0, b->k * sizeof *use);
  for (uint32_t v = 0; v < b->g->n; v++) {
    if (gb_site_tree_has(b->g, parent, v))
      add_full_uses(b, v, v, use);
    if (parent[v] != UINT32_MAX)
      add_full_uses(b, parent[v], v, use);
  }
}

bool gb_basis_solve(gb_basis *b) {
  const uint32_t k = b->k;
  for (uint32_t i = 0; i < k; i++) {
    use_full(b, tree_of(b, i), b->step);
    for (uint32_t j = 0; j < k; j++)
      b->matrix[(size_t)j * k + i] = b->step[j];
    b->rate[i] = gb_basis_capacity(b->full[i]);
    b->price[i] = b->worth[i];
  }
  if (!gb_lu_factor(b->matrix, k, b->exchange))
    return false;
  gb_lu_solve(b->matrix, k, b->exchange, b->rate);
  gb_lu_solve_transposed(b->matrix, k, b->exchange, b->price);
  clear(b, b->load);
  for (uint32_t i = 0; i < k; i++)
    add_tree(b, tree_of(b, i), b->rate[i], b->load);
  b->work += (uint64_t)k * k * k / 3 + (uint64_t)k * (b->resources + 10 * (uint64_t)b->g->n);
  return true;
}

double gb_basis_cost(const gb_basis *b, const uint32_t *parent) {
  double cost = 0;
  use_full(b, parent, b->step);
  for (uint32_t j = 0; j < b->k; j++)
    cost += b->price[j] * b->step[j];
  return cost;
}

/* What limits the step: a tree whose rate ends, by its place, or a resource that fills, by k + its number.
 * UINT32_MAX: nothing. */
static uint32_t find_limit(const gb_basis *b) {
  uint32_t limit = UINT32_MAX;
  double least = INFINITY;
  for (uint32_t i = 0; i < b->k; i++)
    if (b->step[i] > GB_ROUNDING && b->rate[i] < least * b->step[i]) {
      least = b->rate[i] / b->step[i];
      limit = i;
    }
  for (uint32_t r = 0; r < b->resources; r++) {
    const double left = gb_basis_capacity(r) - b->load[r];
    if (!b->place[r] && b->change[r] > GB_ROUNDING && left < least * b->change[r]) {
      least = left / b->change[r];
      limit = b->k + r;
    }
  }
  return limit;
}

static void put_full(gb_basis *b, uint32_t at, uint32_t resource) {
  b->full[at] = resource;
  b->place[resource] = at + 1;
}

static void put_tree(gb_basis *b, uint32_t at, const uint32_t *parent, double worth) {
  b->worth[at] = worth;
  memmove(tree_of(b, at), parent, b->g->n * sizeof *parent);
}

bool gb_basis_change(gb_basis *b, const uint32_t *parent, double worth, uint32_t idle) {
  const uint32_t k = b->k;
  clear(b, b->change);
  if (parent)
    add_tree(b, parent, 1, b->change);
  for (uint32_t j = 0; j < k; j++)
    b->step[j] = parent ? b->change[b->full[j]] : j == idle;
  gb_lu_solve(b->matrix, k, b->exchange, b->step);
  for (uint32_t i = 0; i < k; i++)
    add_tree(b, tree_of(b, i), -b->step[i], b->change);
  const uint32_t limit = find_limit(b);
  if (limit == UINT32_MAX || (parent && limit >= k && k == b->capacity))
    return false;
  if (!parent)
    b->place[b->full[idle]] = 0;
  if (parent && limit < k)
    put_tree(b, limit, parent, worth);
  else if (parent) {
    put_tree(b, k, parent, worth);
    put_full(b, b->k++, limit - k);
  } else if (limit >= k)
    put_full(b, idle, limit - k);
  else {
    b->k--;
    put_tree(b, limit, tree_of(b, b->k), b->worth[b->k]);
    if (idle < b->k)
      put_full(b, idle, b->full[b->k]);
  }
  return true;
}
