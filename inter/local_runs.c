/* Local children by decreasing tail, and which of them can be taken as one.
 *
 * By Jackson's rule (labeling/label.c) some best order of a leader's sends has all its sends, WAN and local,
 * by decreasing tail. So local children are a run, sent one right after the other, whenever no WAN child can
 * have a tail strictly between theirs:
 *   - equal tails: a WAN child goes before all of them or after all of them (equal tails may be in any
 * order);
 *   - tails not above least(u) = min over v of weight(u,v) + home(v), where home(v) is the time that v's own
 *     local sends take: every WAN child v of u has a tail of at least that, so all these go last.
 *
 * A run of deltas d_1 .. d_k and tails q_1 .. q_k, followed by sends that take R, takes max(done, busy + R),
 * with
 *
 *   busy = d_1 + ... + d_k,  done = max over i of d_1 + ... + d_i + q_i      [s]
 *
 * The optimum depends on nothing else of the run, and nothing is rounded into classes: this is exact. In
 * practice WAN latencies exceed the time that a cluster takes, and 500 local children make one run. */
#include "inter/trees.h"
#include <stdlib.h>

typedef struct local_child {
  double tail, delta;
  uint32_t index;
} local_child;

static int by_decreasing_tail(const void *left, const void *right) {
  const local_child *a = left, *b = right;
  if (a->tail != b->tail)
    return a->tail > b->tail ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static double time_at_home(const local_child *child, uint32_t count) {
  double busy = 0, done = 0;
  for (uint32_t i = 0; i < count; i++) {
    busy += child[i].delta;
    if (busy + child[i].tail > done)
      done = busy + child[i].tail;
  }
  return done;
}

static double least_wan_tail(const gb_site_graph *g, uint32_t u, const double *home) {
  double least = INFINITY;
  for (uint32_t v = 0; v < g->n; v++)
    if (v != g->root && gb_site_usable(g, u, v) && gb_site_weight(g, u, v) + home[v] < least)
      least = gb_site_weight(g, u, v) + home[v];
  return least;
}

/* Appends the runs of one site at index `k`; returns the index after them. */
static uint32_t make_runs(const local_child *child, uint32_t count, double least, gb_local_runs *r,
                          uint32_t k) {
  for (uint32_t i = 0; i < count;) {
    const double tail = child[i].tail;
    r->busy[k] = 0;
    r->done[k] = 0;
    r->tail[k] = tail;
    for (; i < count && (child[i].tail == tail || tail <= least); i++) {
      r->busy[k] += child[i].delta;
      if (r->busy[k] + child[i].tail > r->done[k])
        r->done[k] = r->busy[k] + child[i].tail;
    }
    k++;
  }
  return k;
}

int gb_local_runs_make(const gb_site_graph *g, gb_local_runs *out, gbcast_error *err) {
  const uint32_t n = g->n;
  const size_t total = g->local_start ? g->local_start[n] : 0;
  gb_local_runs r = {
      .start = calloc((size_t)n + 1, sizeof *r.start),
      .busy = calloc(total + 1, sizeof *r.busy),
      .done = calloc(total + 1, sizeof *r.done),
      .tail = calloc(total + 1, sizeof *r.tail),
  };
  local_child *child = calloc(total + 1, sizeof *child);
  double *home = calloc((size_t)n + 1, sizeof *home);
  int status = GBCAST_OK;
  if (!r.start || !r.busy || !r.done || !r.tail || !child || !home) {
    status = gb_fail(err, GBCAST_EMEMORY, "out of memory for the local children of %u sites", n);
    gb_local_runs_release(&r);
    goto free_work;
  }
  for (uint32_t s = 0; total > 0 && s < n; s++) {
    const uint32_t first = g->local_start[s], count = g->local_start[s + 1] - first;
    for (uint32_t i = first; i < first + count; i++)
      child[i] = (local_child){.tail = g->local_tail[i], .delta = g->local_delta[i], .index = i};
    qsort(child + first, count, sizeof *child, by_decreasing_tail);
    home[s] = time_at_home(child + first, count);
  }
  uint32_t k = 0;
  for (uint32_t s = 0; total > 0 && s < n; s++) {
    const uint32_t first = g->local_start[s], count = g->local_start[s + 1] - first;
    k = make_runs(child + first, count, least_wan_tail(g, s, home), &r, k);
    r.start[s + 1] = k;
  }
  *out = r;
free_work:
  free(child);
  free(home);
  return status;
}

void gb_local_runs_release(gb_local_runs *runs) {
  free(runs->start);
  free(runs->busy);
  free(runs->done);
  free(runs->tail);
  *runs = (gb_local_runs){0};
}
