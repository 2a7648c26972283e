/* Local search over trees of sites with the judge as its objective.
 *
 * The inter algorithms know one message and each sender's port. The walk knows that a message in segments
 * flows through relays, and that all of a site's streams share its uplink: there a root behind a slow uplink
 * does best to send once, to a site with a fast one, which takes over the others.
 *
 * Only who feeds the sites above the last one can make it wait, so their children are moved. Moves are lined
 * up by the estimate of stream.c, and the first that shortens the walk of the outline is kept; the result
 * counts only if a walk of the whole plan says so too. It starts from the given tree, or from where the
 * estimate alone leads if that is shorter. Deterministic; ends when nothing helps or the budget is used up:
 * of walks, and of estimates, which take O(n) each. */
#include "plan/search/local_search.h"
#include "plan/search/pipeline_estimate.h"
#include "plan/search/site_moves.h"
#include "plan/search/site_skeleton.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 8u             /* moves that are walked before a tree is left as it is */
#define NEAR 1.5             /* estimates up to this many times the present one are worth a walk */
#define GAIN 1e-9            /* relative; more than rounding */
#define WALKS 64u            /* of the outline, at most ... */
#define WALKED (1u << 13)    /* ... and times the sites */
#define ESTIMATES (1u << 21) /* times the sites */

typedef struct gb_local_searching {
  gb_planner *pl;
  gb_site_skeleton skeleton;
  gb_estimate stream;
  uint32_t n;
  uint32_t walks, estimates; /* left */
  bool *moves;               /* n: worth a move */
  double *below, *instead;   /* n: estimates for a site below each other one, and for each in its place */
  uint32_t *parent;          /* n: the tree in work ... */
  uint32_t *changed;         /* n: ... and after a move */
} gb_local_searching;

/* The sites whose sender is on the way to `last`. */
static void mark(gb_local_searching *im, uint32_t last) {
  for (uint32_t v = 0; v < im->n; v++)
    im->moves[v] = false;
  for (uint32_t u = last; u != GB_NONE; u = im->parent[u])
    for (uint32_t v = 0; v < im->n; v++)
      if (im->parent[v] == u)
        im->moves[v] = true;
}

/* Estimates a move and puts it in the list, if it is below the limit. */
static uint32_t consider(gb_local_searching *im, gb_site_move move, double limit, gb_site_move *list,
                         uint32_t count, uint32_t most) {
  if (im->estimates == 0)
    return count;
  im->estimates--;
  memcpy(im->changed, im->parent, im->n * sizeof *im->changed);
  gb_site_move_apply(im->changed, im->n, move);
  if (memcmp(im->changed, im->parent, im->n * sizeof *im->changed) == 0)
    return count; /* the only child takes nobody, leaves change places */
  move.estimate = gb_estimate_time(&im->stream, im->changed);
  return move.estimate < limit ? gb_site_move_insert(list, count, most, move) : count;
}

/* Adds the moves of one site to the `most` that are best by estimate, none above `limit`. Not estimated at
 * all is what would be above it already for a site that gets another sender. */
static uint32_t line_up(gb_local_searching *im, uint32_t v, double limit, gb_site_move *list, uint32_t count,
                        uint32_t most) {
  const uint32_t root = im->pl->plan->root_site, above = im->parent[v];
  (void)gb_estimate_time(&im->stream, im->parent);
  for (uint32_t u = 0; u < im->n; u++) {
    im->below[u] = u == v ? INFINITY : gb_estimate_below(&im->stream, u, v);
    im->instead[u] = u == above ? 0 : gb_estimate_below(&im->stream, above, u);
  }
  count = consider(im, (gb_site_move){.change = GB_TAKE, .site = v}, limit, list, count, most);
  for (uint32_t u = 0; u < im->n; u++) {
    uint32_t over = im->parent[u];
    if (im->below[u] < limit && u != above && !gb_site_is_below(im->parent, u, v))
      count =
          consider(im, (gb_site_move){.change = GB_HANG, .site = v, .other = u}, limit, list, count, most);
    if (u != root && u != v && im->instead[u] < limit && (over == v || im->below[over] < limit))
      count =
          consider(im, (gb_site_move){.change = GB_SWAP, .site = v, .other = u}, limit, list, count, most);
  }
  return count;
}

/* Downhill by estimate alone: the best move of one site after another. */
static void descend(gb_local_searching *im) {
  gb_site_move move;
  bool moved = true;
  while (moved) {
    double now = gb_estimate_time(&im->stream, im->parent);
    mark(im, im->stream.last);
    moved = false;
    for (uint32_t v = 0; v < im->n; v++)
      if (im->moves[v] && line_up(im, v, now * (1 - GAIN), &move, 0, 1) > 0) {
        gb_site_move_apply(im->parent, im->n, move);
        now = move.estimate;
        moved = true;
      }
  }
}

/* Downhill by walks of the outline. */
static int simulate_down(gb_local_searching *im, double *time, gbcast_error *err) {
  gb_site_move list[TRIES];
  uint32_t last, tried = 0, count = 0;
  int status = gb_site_skeleton_simulate(im->pl, &im->skeleton, im->parent, time, &last, err);
  bool fresh = true;
  while (status == GBCAST_OK && im->walks > 0) {
    if (fresh) {
      mark(im, last);
      double limit = NEAR * gb_estimate_time(&im->stream, im->parent);
      tried = count = 0;
      for (uint32_t v = 0; v < im->n; v++)
        if (im->moves[v])
          count = line_up(im, v, limit, list, count, TRIES);
      fresh = false;
    }
    if (tried == count)
      break;
    double then;
    uint32_t then_last;
    memcpy(im->changed, im->parent, im->n * sizeof *im->changed);
    gb_site_move_apply(im->changed, im->n, list[tried++]);
    im->walks--;
    status = gb_site_skeleton_simulate(im->pl, &im->skeleton, im->changed, &then, &then_last, err);
    if (status == GBCAST_OK && then < *time * (1 - GAIN)) {
      *time = then;
      last = then_last;
      fresh = true;
      memcpy(im->parent, im->changed, im->n * sizeof *im->changed);
    }
  }
  return status;
}

/* Walks the whole plan; the outline takes over what it leaves out. */
static int simulate_whole(gb_local_searching *im, const gb_host_choice *choice, uint32_t *parent,
                          double *time, gbcast_error *err) {
  const gb_site_trees tree = gb_one_site_tree(parent);
  gb_composed composed;
  int status = gb_compose(im->pl, &tree, choice, im->skeleton.flow, &composed, err);
  if (status != GBCAST_OK)
    return status;
  status = gb_composed_simulate(im->pl, im->skeleton.flow, &composed, err);
  *time = composed.makespan;
  if (status == GBCAST_OK)
    status = gb_site_skeleton_fit(im->pl, &composed, &im->skeleton, err);
  gb_composed_free(&composed);
  return status;
}

static int search(gb_local_searching *im, const gb_host_choice *choice, uint32_t *best, gbcast_error *err) {
  size_t bytes = im->n * sizeof *best;
  double now, then, start, other;
  uint32_t last;
  int status = simulate_whole(im, choice, best, &now, err);
  while (status == GBCAST_OK) {
    memcpy(im->parent, best, bytes);
    descend(im);
    status = gb_site_skeleton_simulate(im->pl, &im->skeleton, im->parent, &other, &last, err);
    if (status == GBCAST_OK)
      status = gb_site_skeleton_simulate(im->pl, &im->skeleton, best, &start, &last, err);
    if (status == GBCAST_OK && start <= other)
      memcpy(im->parent, best, bytes);
    if (status == GBCAST_OK)
      status = simulate_down(im, &then, err);
    if (status != GBCAST_OK || memcmp(im->parent, best, bytes) == 0)
      break;
    status = simulate_whole(im, choice, im->parent, &then, err);
    if (status != GBCAST_OK || !(then < now * (1 - GAIN)))
      break;
    now = then;
    memcpy(best, im->parent, bytes);
  }
  return status;
}

int gb_local_search(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice,
                    const gb_site_graph *graph, const gb_site_graph *whole, uint32_t *site_parent,
                    gbcast_error *err) {
  uint32_t n = pl->plan->site_count;
  gb_local_searching im = {.pl = pl,
                           .n = n,
                           .walks = WALKED / n < WALKS ? WALKED / n : WALKS,
                           .estimates = ESTIMATES / n,
                           .moves = malloc(n * sizeof *im.moves),
                           .below = malloc(n * sizeof *im.below),
                           .instead = malloc(n * sizeof *im.instead),
                           .parent = malloc(n * sizeof *im.parent),
                           .changed = malloc(n * sizeof *im.changed)};
  int status = im.moves && im.below && im.instead && im.parent && im.changed ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_site_skeleton_new(pl, flow, choice, &im.skeleton, err);
  if (status == GBCAST_OK)
    status = gb_estimate_new(pl, flow, graph, whole, &im.stream, err);
  if (status == GBCAST_OK)
    status = search(&im, choice, site_parent, err);
  gb_estimate_free(&im.stream);
  gb_site_skeleton_free(&im.skeleton);
  free(im.moves);
  free(im.below);
  free(im.instead);
  free(im.parent);
  free(im.changed);
  return status;
}
