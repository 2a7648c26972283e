/* The k-ary tree behind the table of coverage. For each host, from the root on, it looks for runs of
 * positions, one a child, that follow each other and end where they have to; longest runs are tried first. A
 * run that cannot be continued is remembered for the host, so that none is tried twice. */
#include "intra/contention_free.h"
#include "intra/coverage_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_reader {
  const gb_switch_order *order;
  const gb_conflicts *conflicts;
  gb_coverage_table table;
  uint32_t *last, *time; /* count: what the tree of a host has to cover, and when */
  uint32_t *failed;      /* (degree + 1) x count: the host and order for which run u from here led nowhere */
  uint32_t host, end;    /* whose children are looked for, and up to which position they have to cover */
  uint32_t budget;
  bool reverse;
  uint32_t start[GB_MOST_CHILDREN + 1], runs;
} run_reader;

/* Looks for runs u, u + 1, ... from a on, where y is the lowest common ancestor of the host and a. Recurses
 * once a child, at most eight times. */
static bool find_runs(run_reader *r, uint32_t u, uint32_t a, uint32_t y) {
  uint32_t mark = 2 * r->host + r->reverse + 1, *failed = &r->failed[(size_t)u * r->table.count + a];
  uint32_t cost = gb_coverage_cost(&r->table, u, r->reverse);
  if (*failed == mark || cost > r->budget) {
    return false;
  }
  r->start[u] = a;
  r->runs = u;
  uint32_t to = gb_coverage_row(&r->table, r->budget - cost)[a];
  if (to >= r->end) {
    return true;
  }
  uint32_t limit = r->order->end[y] - 1;
  for (uint32_t k = (to < limit ? to : limit) + 1; k > a && u < r->table.degree; k--) {
    uint32_t ancestor = k <= limit ? y : r->conflicts->ancestor[limit];
    if (r->conflicts->left[k] <= a && find_runs(r, u + 1, k, ancestor)) {
      return true;
    }
  }
  *failed = mark;
  return false;
}

static void place_children(run_reader *r, uint32_t i, uint32_t *parent) {
  r->host = i;
  r->end = r->last[i];
  r->budget = r->time[i];
  r->reverse = false;
  if (!find_runs(r, 1, i + 1, r->conflicts->ancestor[i])) {
    r->reverse = true;
    (void)find_runs(r, 1, i + 1, r->conflicts->ancestor[i]);
  }
  for (uint32_t u = 1; u <= r->runs; u++) {
    uint32_t a = r->start[u], time = r->budget - gb_coverage_cost(&r->table, u, r->reverse);
    parent[a] = i;
    r->last[a] = u < r->runs ? r->start[u + 1] - 1 : r->end;
    while (time > 0 && gb_coverage_row(&r->table, time - 1)[a] >= r->last[a]) {
      time--; /* no later than needed */
    }
    r->time[a] = time;
  }
}

void gb_coverage_costs(double latency, double gap, uint32_t units, uint32_t degree, uint32_t *cost) {
  double hop = latency + gap;
  for (uint32_t u = 1; u <= degree; u++) {
    double ratio = hop > 0 && isfinite(hop) ? (latency + u * gap) / hop : 1;
    cost[u] = (uint32_t)(units * ratio + 0.5);
  }
}

int gb_coverage_build(const gb_switch_order *order, const gb_conflicts *conflicts, uint32_t degree,
                      const uint32_t *cost, uint32_t *parent, gbcast_error *err) {
  run_reader r = {.order = order, .conflicts = conflicts};
  int status = gb_coverage_table_new(order, conflicts, degree, cost, &r.table, err);
  if (status != GBCAST_OK) {
    return status;
  }
  size_t count = order->count;
  uint32_t *words = calloc((r.table.degree + 3) * count, sizeof *words);
  if (words == NULL) {
    status = gb_no_memory(err);
  }
  for (uint32_t i = 0; i < order->count; i++) {
    parent[i] = i == 0 ? GB_NONE : i - 1;
  }
  if (status == GBCAST_OK && r.table.times > 0) {
    r.last = words;
    r.time = words + count;
    r.failed = words + 2 * count;
    r.last[0] = order->count - 1;
    r.time[0] = r.table.times - 1;
    for (uint32_t i = 0; i < order->count; i++) {
      if (r.last[i] > i) {
        place_children(&r, i, parent);
      }
    }
  }
  free(words);
  gb_coverage_table_free(&r.table);
  return status;
}
