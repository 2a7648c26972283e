/* Local search over trees of sites, with the simulated time as its objective.
 *
 * The algorithms in inter/ price one message and each sender's port. The simulation also prices that segments
 * flow through relays, and that all streams of a site share its uplink: a root behind a slow uplink does best
 * to send once, to a site with a fast uplink that feeds the others.
 *
 * Only the sites on the path to the site that ends last can delay it, so only the children of those are
 * moved. Moves are sorted by the estimate of pipeline_estimate.c, and the first that shortens the simulation
 * of the site skeleton is kept. The result counts only if a simulation of the whole plan confirms it. The
 * search starts from the given tree, or from the tree to which the estimate alone leads if that is faster. It
 * is deterministic, and ends when no move helps or the budget is used up: of simulations, and of estimates,
 * which take O(n) each. */
#include "plan/search/local_search.h"
#include "plan/search/pipeline_estimate.h"
#include "plan/search/site_moves.h"
#include "plan/search/site_skeleton.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 8u        /* moves that are simulated before a tree is left as it is */
#define NEAR 1.5        /* a move is simulated if its estimate is at most this many times the present one */
#define GAIN 1e-9       /* relative: larger than rounding errors */
#define SIMULATIONS 64u /* simulations of the skeleton, at most */
#define SIMULATED_SITES (1u << 13) /* simulations times sites, at most */
#define ESTIMATES (1u << 21)       /* estimates times sites, at most */

typedef struct gb_local_search_state {
  gb_planner *pl;
  gb_site_skeleton skeleton;
  gb_estimate estimate;
  uint32_t n;
  uint32_t simulations, estimates; /* of the budget */
  bool *moves;                     /* n: whether to move the site */
  double *below, *instead;         /* n: s: a site's time as a child of each other one; theirs in its place */
  uint32_t *parent;                /* n: the present tree ... */
  uint32_t *changed;               /* n: ... and after a move */
} gb_local_search_state;

/* Marks the sites whose parent is on the path to `last`. */
static void mark_moves(gb_local_search_state *ls, uint32_t last) {
  for (uint32_t v = 0; v < ls->n; v++)
    ls->moves[v] = false;
  for (uint32_t u = last; u != GB_NONE; u = ls->parent[u])
    for (uint32_t v = 0; v < ls->n; v++)
      if (ls->parent[v] == u)
        ls->moves[v] = true;
}

/* Estimates a move and adds it to the list if it is below the limit. Returns the new count. */
static uint32_t add_if_better(gb_local_search_state *ls, gb_site_move move, double limit, gb_site_move *list,
                              uint32_t count, uint32_t most) {
  if (ls->estimates == 0)
    return count;
  ls->estimates--;
  memcpy(ls->changed, ls->parent, ls->n * sizeof *ls->changed);
  gb_site_move_apply(ls->changed, ls->n, move);
  if (memcmp(ls->changed, ls->parent, ls->n * sizeof *ls->changed) == 0)
    return count; /* no change: an only child takes its siblings, or leaves are swapped */
  move.estimate = gb_estimate_time(&ls->estimate, ls->changed);
  return move.estimate < limit ? gb_site_move_insert(list, count, most, move) : count;
}

/* Adds the moves of one site to the list of the `most` best by estimate, none above `limit`. A move is not
 * estimated if the site that gets another parent would be above the limit by itself. */
static uint32_t list_moves(gb_local_search_state *ls, uint32_t v, double limit, gb_site_move *list,
                           uint32_t count, uint32_t most) {
  const uint32_t root = ls->pl->plan->root_site, above = ls->parent[v];
  (void)gb_estimate_time(&ls->estimate, ls->parent);
  for (uint32_t u = 0; u < ls->n; u++) {
    ls->below[u] = u == v ? INFINITY : gb_estimate_below(&ls->estimate, u, v);
    ls->instead[u] = u == above ? 0 : gb_estimate_below(&ls->estimate, above, u);
  }
  count = add_if_better(ls, (gb_site_move){.change = GB_TAKE, .site = v}, limit, list, count, most);
  for (uint32_t u = 0; u < ls->n; u++) {
    uint32_t over = ls->parent[u];
    if (ls->below[u] < limit && u != above && !gb_site_is_below(ls->parent, u, v))
      count = add_if_better(ls, (gb_site_move){.change = GB_HANG, .site = v, .other = u}, limit, list, count,
                            most);
    if (u != root && u != v && ls->instead[u] < limit && (over == v || ls->below[over] < limit))
      count = add_if_better(ls, (gb_site_move){.change = GB_SWAP, .site = v, .other = u}, limit, list, count,
                            most);
  }
  return count;
}

/* Goes downhill by the estimate alone: the best move of one site after the other. */
static void descend(gb_local_search_state *ls) {
  gb_site_move move;
  bool moved = true;
  while (moved) {
    double now = gb_estimate_time(&ls->estimate, ls->parent);
    mark_moves(ls, ls->estimate.last);
    moved = false;
    for (uint32_t v = 0; v < ls->n; v++)
      if (ls->moves[v] && list_moves(ls, v, now * (1 - GAIN), &move, 0, 1) > 0) {
        gb_site_move_apply(ls->parent, ls->n, move);
        now = move.estimate;
        moved = true;
      }
  }
}

/* Goes downhill by simulations of the skeleton. */
static int simulate_down(gb_local_search_state *ls, double *time, gbcast_error *err) {
  gb_site_move list[TRIES];
  uint32_t last, tried = 0, count = 0;
  int status = gb_site_skeleton_simulate(ls->pl, &ls->skeleton, ls->parent, time, &last, err);
  bool fresh = true;
  while (status == GBCAST_OK && ls->simulations > 0) {
    if (fresh) {
      mark_moves(ls, last);
      double limit = NEAR * gb_estimate_time(&ls->estimate, ls->parent);
      tried = count = 0;
      for (uint32_t v = 0; v < ls->n; v++)
        if (ls->moves[v])
          count = list_moves(ls, v, limit, list, count, TRIES);
      fresh = false;
    }
    if (tried == count)
      break;
    double then;
    uint32_t then_last;
    memcpy(ls->changed, ls->parent, ls->n * sizeof *ls->changed);
    gb_site_move_apply(ls->changed, ls->n, list[tried++]);
    ls->simulations--;
    status = gb_site_skeleton_simulate(ls->pl, &ls->skeleton, ls->changed, &then, &then_last, err);
    if (status == GBCAST_OK && then < *time * (1 - GAIN)) {
      *time = then;
      last = then_last;
      fresh = true;
      memcpy(ls->parent, ls->changed, ls->n * sizeof *ls->changed);
    }
  }
  return status;
}

/* Simulates the whole plan, and fits the skeleton to the result. */
static int simulate_whole(gb_local_search_state *ls, const gb_host_choice *choice, uint32_t *parent,
                          double *time, gbcast_error *err) {
  const gb_site_trees tree = gb_one_site_tree(parent);
  gb_composed composed;
  int status = gb_compose(ls->pl, &tree, choice, ls->skeleton.flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_composed_simulate(ls->pl, ls->skeleton.flow, &composed, err);
  *time = composed.makespan;
  if (status == GBCAST_OK)
    status = gb_site_skeleton_fit(ls->pl, &composed, &ls->skeleton, err);
  gb_composed_free(&composed);
  return status;
}

static int search(gb_local_search_state *ls, const gb_host_choice *choice, uint32_t *best,
                  gbcast_error *err) {
  size_t bytes = ls->n * sizeof *best;
  double now, then, start, other;
  uint32_t last;
  int status = simulate_whole(ls, choice, best, &now, err);
  while (status == GBCAST_OK) {
    memcpy(ls->parent, best, bytes);
    descend(ls);
    status = gb_site_skeleton_simulate(ls->pl, &ls->skeleton, ls->parent, &other, &last, err);
    if (status == GBCAST_OK)
      status = gb_site_skeleton_simulate(ls->pl, &ls->skeleton, best, &start, &last, err);
    if (status == GBCAST_OK && start <= other)
      memcpy(ls->parent, best, bytes);
    if (status == GBCAST_OK)
      status = simulate_down(ls, &then, err);
    if (status != GBCAST_OK || memcmp(ls->parent, best, bytes) == 0)
      break;
    status = simulate_whole(ls, choice, ls->parent, &then, err);
    if (status != GBCAST_OK || !(then < now * (1 - GAIN)))
      break;
    now = then;
    memcpy(best, ls->parent, bytes);
  }
  return status;
}

int gb_local_search(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                    const gb_site_graph *graph, const gb_site_graph *whole, uint32_t *site_parent,
                    gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  gb_local_search_state ls = {.pl = pl,
                              .n = n,
                              .simulations =
                                  SIMULATED_SITES / n < SIMULATIONS ? SIMULATED_SITES / n : SIMULATIONS,
                              .estimates = ESTIMATES / n,
                              .moves = malloc(n * sizeof *ls.moves),
                              .below = malloc(n * sizeof *ls.below),
                              .instead = malloc(n * sizeof *ls.instead),
                              .parent = malloc(n * sizeof *ls.parent),
                              .changed = malloc(n * sizeof *ls.changed)};
  int status = ls.moves && ls.below && ls.instead && ls.parent && ls.changed ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_site_skeleton_new(pl, flow, choice, &ls.skeleton, err);
  if (status == GBCAST_OK)
    status = gb_estimate_new(pl, flow, graph, whole, &ls.estimate, err);
  if (status == GBCAST_OK)
    status = search(&ls, choice, site_parent, err);
  gb_estimate_free(&ls.estimate);
  gb_site_skeleton_free(&ls.skeleton);
  free(ls.moves);
  free(ls.below);
  free(ls.instead);
  free(ls.parent);
  free(ls.changed);
  return status;
}
