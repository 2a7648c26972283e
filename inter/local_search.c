/* Local search for more sites than subset.c can take.
 *
 * Only a change on the critical path, or to a send that comes before it, can shorten the makespan. So each
 * round follows the path from the root to the delivery that comes last and collects the sites sent to along
 * it: the children up to and including the critical one at each level. Then, one by one,
 *   - reattach: such a site, with its subtree, goes to the parent where the makespan becomes least;
 *   - swap: when no reattaching helped, a collected site and any other exchange their positions, whichever
 * pair helps first. A parent p cannot help, and is skipped, unless arrival(p) + delta + weight + label(v) is
 * below the makespan.
 *
 * Deterministic: no clock and no randomness, ties go to the lowest index. Bounded: the search ends when
 * nothing helps or after n * LOCAL_SEARCH_STEPS children looked at, whichever is first. A change must help by
 * more than rounding can, so that rounds cannot cycle. */
#include "inter/labelled_tree.h"
#include <stdlib.h>

#define LOCAL_SEARCH_STEPS 20000u
#define LEAST_GAIN 1e-12 /* relative */

typedef struct search {
  gb_labelled_tree tree;
  uint64_t budget;
  double *arrival;    /* n: when a site has the message */
  uint32_t *order;    /* n: parents before children */
  uint32_t *critical; /* n: the collected sites */
  bool *blocked;      /* n: in the subtree that moves */
  gb_tree_move *move; /* n + 1 */
  uint32_t critical_count;
} search;

static double makespan(const search *s) {
  return s->tree.node[s->tree.g->root].label;
}

static bool helps(double now, double before) {
  return now < before - before * LEAST_GAIN;
}

static void find_arrivals(search *s) {
  uint32_t count = 1;
  s->order[0] = s->tree.g->root;
  s->arrival[s->order[0]] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t u = s->order[i];
    gb_send_cursor cursor = gb_labelled_sends(&s->tree, u);
    for (uint32_t child; gb_labelled_next_send(&s->tree, &cursor, &child) >= 0; s->tree.steps++) {
      if (child == UINT32_MAX)
        continue;
      s->arrival[child] = s->arrival[u] + cursor.busy + gb_site_weight(s->tree.g, u, child);
      s->order[count++] = child;
    }
  }
}

static void find_critical(search *s) {
  s->critical_count = 0;
  for (uint32_t u = s->tree.g->root; u != UINT32_MAX;) {
    gb_send_cursor cursor = gb_labelled_sends(&s->tree, u);
    const double last = s->tree.node[u].label;
    uint32_t child = UINT32_MAX;
    for (double delivered; (delivered = gb_labelled_next_send(&s->tree, &cursor, &child)) >= 0;
         s->tree.steps++) {
      if (child != UINT32_MAX)
        s->critical[s->critical_count++] = child;
      if (delivered >= last)
        break;
    }
    u = child;
  }
}

/* Marks v's subtree, or takes the marks away. */
static void mark_subtree(search *s, uint32_t v, bool mark) {
  uint32_t count = 1;
  s->order[0] = v;
  for (uint32_t i = 0; i < count; i++) {
    s->blocked[s->order[i]] = mark;
    for (uint32_t c = s->tree.node[s->order[i]].first; c != UINT32_MAX; c = s->tree.node[c].next)
      s->order[count++] = c;
  }
  s->tree.steps += count;
}

/* Moves v below the best other parent, if that helps. */
static bool reattach(search *s, uint32_t v) {
  const gb_site_graph *g = s->tree.g;
  const double before = makespan(s);
  double best = before;
  gb_tree_move move = {.node = v, .from = s->tree.node[v].parent, .to = UINT32_MAX}, chosen = move;
  mark_subtree(s, v, true);
  for (uint32_t p = 0; p < g->n && s->tree.steps < s->budget; p++) {
    s->tree.steps++;
    if (s->blocked[p] || p == move.from || !gb_site_usable(g, p, v))
      continue;
    if (s->arrival[p] + gb_site_delta(g, p, v) + gb_site_weight(g, p, v) + s->tree.node[v].label >= best)
      continue;
    move.to = p;
    gb_labelled_apply(&s->tree, &move, 1, true);
    if (helps(makespan(s), best)) {
      best = makespan(s);
      chosen = move;
    }
    gb_labelled_apply(&s->tree, &move, 1, false);
  }
  mark_subtree(s, v, false);
  if (chosen.to == UINT32_MAX)
    return false;
  gb_labelled_apply(&s->tree, &chosen, 1, true);
  find_arrivals(s);
  return true;
}

/* Adds the children of x but `except` as moves to y. */
static uint32_t move_children(search *s, uint32_t x, uint32_t y, uint32_t except, uint32_t count) {
  for (uint32_t c = s->tree.node[x].first; c != UINT32_MAX; c = s->tree.node[c].next)
    if (c != except)
      s->move[count++] = (gb_tree_move){.node = c, .from = x, .to = y};
  return count;
}

/* Lets x and y exchange places, parents and children, if that helps. Neither is the root. */
static bool swap(search *s, uint32_t x, uint32_t y) {
  const double before = makespan(s);
  const uint32_t above_x = s->tree.node[x].parent, above_y = s->tree.node[y].parent;
  uint32_t count = 2;
  s->move[0] = (gb_tree_move){.node = x, .from = above_x, .to = above_y == x ? y : above_y};
  s->move[1] = (gb_tree_move){.node = y, .from = above_y, .to = above_x == y ? x : above_x};
  if (above_x == above_y && s->tree.node[x].first == UINT32_MAX && s->tree.node[y].first == UINT32_MAX)
    return false; /* the same tree */
  count = move_children(s, x, y, y, count);
  count = move_children(s, y, x, x, count);
  for (uint32_t i = 0; i < count; i++)
    if (!gb_site_usable(s->tree.g, s->move[i].to, s->move[i].node))
      return false;
  gb_labelled_apply(&s->tree, s->move, count, true);
  if (helps(makespan(s), before)) {
    find_arrivals(s);
    return true;
  }
  gb_labelled_apply(&s->tree, s->move, count, false);
  return false;
}

static bool swap_any(search *s) {
  const uint32_t n = s->tree.g->n;
  for (uint32_t i = 0; i < s->critical_count; i++) {
    for (uint32_t y = 0; y < n && s->tree.steps < s->budget; y++) {
      s->tree.steps++;
      if (y != s->tree.g->root && y != s->critical[i] && swap(s, s->critical[i], y))
        return true;
    }
  }
  return false;
}

static void improve(search *s) {
  find_arrivals(s);
  for (bool better = true; better && s->tree.steps < s->budget;) {
    better = false;
    find_critical(s);
    for (uint32_t i = 0; i < s->critical_count; i++)
      if (reattach(s, s->critical[i]))
        better = true;
    if (!better)
      better = swap_any(s);
  }
}

int gb_inter_local_search(const gb_site_graph *g, const gb_local_runs *runs, uint32_t *parent,
                          gbcast_error *err) {
  const size_t n = g->n;
  search s = {
      .budget = (uint64_t)n * LOCAL_SEARCH_STEPS,
      .arrival = calloc(n + 1, sizeof *s.arrival),
      .order = calloc(n + 1, sizeof *s.order),
      .critical = calloc(n + 1, sizeof *s.critical),
      .blocked = calloc(n + 1, sizeof *s.blocked),
      .move = calloc(n + 1, sizeof *s.move),
  };
  int status = GBCAST_OK;
  if (!s.arrival || !s.order || !s.critical || !s.blocked || !s.move)
    status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the search over %u sites", g->n);
  if (status == GBCAST_OK)
    status = gb_labelled_open(&s.tree, g, runs, parent, err);
  if (status == GBCAST_OK) {
    improve(&s);
    for (uint32_t v = 0; v < g->n; v++)
      parent[v] = s.tree.node[v].parent;
    gb_labelled_close(&s.tree);
  }
  free(s.arrival);
  free(s.order);
  free(s.critical);
  free(s.blocked);
  free(s.move);
  return status;
}
