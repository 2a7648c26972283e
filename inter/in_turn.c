/* Trees that follow each other, in stages: first the tree that keeps its links least busy, last the shortest
 * one.
 *
 *   r behind a slow uplink     first   r -> a -> b        each message crosses the uplink once, but b waits
 *                              then    r -> a, r -> b     twice, but nobody waits for a relay
 *
 *   uplink  |a a a a a a a a|ab ab ab|
 *   a to b       |b b b b b b b b|                both sites have all of it at once
 *                                    ^ the end of both, later than without a relay by half of what that takes
 *
 * A message down a tree T is everywhere after L(T), the length of T, and keeps the busiest resource of T busy
 * for p(T). What leaves the root at `left` before the end can only go down a tree with L(T) <= left; of these
 * that of the least p is best. So, by increasing L,
 *
 *   messages - 1 = sum over the trees of (min(t, L(next)) - L(T)) / p(T)
 *
 * for the t at which the broadcast ends, and T's share is its term of the sum. Differences of L count SLACK
 * times: what is still under way at the end of a stage shares links with the next stage, and arrives later
 * than alone.
 *
 * The trees tried are cheap ones whose paths are no longer than certain paths of one or two edges, and cheap
 * ones without a limit (shallow.c). An edge costs the time for which a message keeps resources busy.
 *
 * The effect of the order shows only if all messages are simulated. Of more messages than that, where the
 * order would matter little, all go down the tree of the least p. */
#include "inter/packing.h"
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 7, PATH_WEIGHTS = 3, MOST_TRIED = (LENGTHS + 1) * PATH_WEIGHTS }; /* trees */
#define LEAST_SHARE 1                                                              /* messages */
#define SLACK 1.3 /* simulated: docs/planning.md, "Where the numbers come from" */

typedef struct timed_tree {
  uint32_t *parent;
  double length, period, share; /* s; s; messages */
} timed_tree;

typedef struct stages {
  const gb_site_graph *g;
  double *cost, *time, *load; /* n * n, n * n, by resource */
  uint32_t *storage;          /* (MOST_TRIED + 1) * n */
  timed_tree tree[MOST_TRIED];
  uint32_t count; /* by increasing length and so decreasing period */
} stages;

/* The cost of an edge: the time for which a message keeps resources busy. */
static void set_costs(stages *s) {
  const gb_site_graph *g = s->g;
  const gb_site_loads *l = g->loads;
  for (size_t e = 0; e < (size_t)g->n * g->n; e++) {
    const bool usable = gb_site_usable(g, (uint32_t)(e / g->n), (uint32_t)(e % g->n));
    s->time[e] = g->delta[e] + g->weight[e];
    s->cost[e] = usable ? 0 : INFINITY;
    for (size_t i = l->start[e]; i < l->start[e + 1]; i++)
      s->cost[e] += l->use[i].busy;
  }
}

static void remove_tree(stages *s, uint32_t at) {
  uint32_t *const room = s->tree[at].parent;
  s->count--;
  for (uint32_t i = at; i < s->count; i++)
    s->tree[i] = s->tree[i + 1];
  s->tree[s->count].parent = room;
}

/* Keeps the tree unless another is as good in both respects, and removes those that it makes useless. */
static int consider(stages *s, const uint32_t *parent, gbcast_error *err) {
  timed_tree tree = {.period = gb_site_tree_busiest(s->g, parent, 1, s->load)};
  int status = gb_inter_makespan(s->g, parent, &tree.length, NULL, err);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->tree[i].length <= tree.length && s->tree[i].period <= tree.period)
      return status;
  for (uint32_t i = s->count; status == GBCAST_OK && i-- > 0;)
    if (tree.length <= s->tree[i].length && tree.period <= s->tree[i].period)
      remove_tree(s, i);
  if (status != GBCAST_OK)
    return status;
  uint32_t at = s->count++;
  tree.parent = s->tree[at].parent;
  memcpy(tree.parent, parent, s->g->n * sizeof *parent);
  for (; at > 0 && s->tree[at - 1].length > tree.length; at--)
    s->tree[at] = s->tree[at - 1];
  s->tree[at] = tree;
  return GBCAST_OK;
}

/* The shares of all trees. The last message goes down the shortest one. */
static void share_out(stages *s) {
  double left = s->g->messages > 1 ? s->g->messages - 1 : 0;
  for (uint32_t i = 0; i < s->count; i++) {
    timed_tree *tree = &s->tree[i];
    const double time = i + 1 < s->count ? SLACK * (tree[1].length - tree->length) : INFINITY;
    tree->share = left * tree->period < time ? left : time / tree->period;
    left -= tree->share;
    tree->share += i == 0 ? 1 : 0;
  }
}

/* Removes trees with too small a share, the smallest first, until few enough are left. */
static void leave_out(stages *s) {
  for (;;) {
    uint32_t least = 0;
    share_out(s);
    for (uint32_t i = 1; i < s->count; i++)
      if (s->tree[i].share < s->tree[least].share)
        least = i;
    if (s->count == 1 || (s->count <= GB_SITE_TREES_MOST && s->tree[least].share >= LEAST_SHARE))
      return;
    remove_tree(s, least);
  }
}

/* Each tree gets whole messages: those from the end of its share to where the next one's begins. */
static void write_out(const stages *s, gb_site_trees *out) {
  const size_t n = s->g->n;
  double from_end = 0;
  uint32_t given = 0;
  out->count = s->count;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t at = s->count - 1 - i;
    from_end += s->tree[i].share;
    out->weight[at] = (uint32_t)(from_end + 0.5) - given;
    out->stage[at] = at;
    given += out->weight[at];
    memcpy(out->parent + at * n, s->tree[i].parent, n * sizeof *out->parent);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The lengths of paths over one or two edges, each length once, ascending; none is too short for some site.
 * The array has n * n elements. Returns how many are filled. */
static size_t list_lengths(const stages *s, double *length) {
  const size_t n = s->g->n, root = s->g->root;
  double least = 0;
  size_t count = 0, kept = 0;
  for (size_t v = 0; v < n; v++)
    if (v != root && s->time[root * n + v] < INFINITY && s->time[root * n + v] > least)
      least = s->time[root * n + v];
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++) {
      const double time = u == root ? s->time[root * n + v] : s->time[root * n + u] + s->time[u * n + v];
      if (u != v && v != root && time >= least && time < INFINITY)
        length[count++] = time;
    }
  qsort(length, count, sizeof *length, ascending);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || length[i] > length[kept - 1])
      length[kept++] = length[i];
  return kept;
}

static int try_tree(stages *s, double path_weight, double most, uint32_t *parent, gbcast_error *err) {
  const gb_site_graph *g = s->g;
  int status = gb_inter_shallow(g->n, g->root, s->cost, s->time, path_weight, most, parent, err);
  if (status == GBCAST_OK)
    return consider(s, parent, err);
  return status == GBCAST_EINPUT && most < INFINITY ? GBCAST_OK : status; /* no tree is that short */
}

/* A second of path length weighs as much as a second of work on all messages, if that is work of the busiest
 * resource. Otherwise it weighs more: eight times as much is tried, too, and nothing. */
static int try_all(stages *s, double *length, uint32_t *parent, gbcast_error *err) {
  static const double worth[PATH_WEIGHTS] = {0, 1, 8};
  const size_t count = list_lengths(s, length), tries = count < LENGTHS ? count : LENGTHS;
  int status = GBCAST_OK;
  for (size_t k = 0; k < PATH_WEIGHTS; k++)
    for (size_t i = 0; status == GBCAST_OK && i <= tries; i++)
      status = try_tree(s, worth[k] / s->g->messages, i < tries ? length[i * count / tries] : INFINITY,
                        parent, err);
  return status;
}

static void keep_cheapest(stages *s) {
  while (s->count > 1)
    remove_tree(s, 0);
}

int gb_inter_in_turn(const gb_site_graph *g, gb_site_trees *out, gbcast_error *err) {
  const size_t n = g->n, pairs = n * n;
  stages s = {.g = g,
              .cost = malloc(3 * pairs * sizeof *s.cost),
              .load = malloc((g->loads->resources + 1) * sizeof *s.load),
              .storage = malloc((MOST_TRIED + 1) * n * sizeof *s.storage)};
  *out = (gb_site_trees){.parent = malloc(GB_SITE_TREES_MOST * n * sizeof *out->parent)};
  int status = s.cost && s.load && s.storage && out->parent ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    s.time = s.cost + pairs;
    set_costs(&s);
    for (uint32_t i = 0; i < MOST_TRIED; i++)
      s.tree[i].parent = s.storage + i * n;
    status = try_all(&s, s.time + pairs, s.storage + MOST_TRIED * n, err);
  }
  if (status == GBCAST_OK && g->messages > g->simulated)
    keep_cheapest(&s);
  if (status == GBCAST_OK) {
    leave_out(&s);
    write_out(&s, out);
  } else
    gb_site_trees_free(out);
  free(s.cost);
  free(s.load);
  free(s.storage);
  return status;
}
