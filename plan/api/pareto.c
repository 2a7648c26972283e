/* Plans of which none is beaten in both time and cost. The ends are the fastest plan and the cheapest one.
 * Between two neighbours a plan is made for the least cost within a time between theirs, over and over where
 * the gap is widest:
 *
 *   USD |  o           1. widest gap: time limit half way
 *       |     (2)      2. the plan that is made for it; two gaps are left
 *       |           o
 *       +------|------- s
 *            limit
 *
 * A limit that makes nothing cheaper than the left neighbour narrows the gap. */
#include "plan/api/api.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLANS_MOST 16 /* plans that are made: each takes a search of its own, or two */
#define NEAR 1.02     /* of neighbours in time, or in cost: nothing between them is of interest */
#define GAIN 0.999    /* of the cost of the left neighbour: less of a gain is none */

typedef struct frontier {
  gb_pareto_point point[PLANS_MOST];
  double tried[PLANS_MOST]; /* s: no plan within that time was found cheaper than the point */
  size_t count;
} frontier;

static double cost_of(const gb_pareto_point *point) {
  return gb_cost_total(point->plan->cost);
}

static void drop(frontier *f, size_t i) {
  gbcast_plan_free(f->point[i].plan);
  f->count--;
  memmove(&f->point[i], &f->point[i + 1], (f->count - i) * sizeof *f->point);
  memmove(&f->tried[i], &f->tried[i + 1], (f->count - i) * sizeof *f->tried);
}

/* Of plans that are equal in both, the one that was made first comes first. */
static bool is_before(const gb_pareto_point *x, const gb_pareto_point *y) {
  return x->plan->predicted < y->plan->predicted ||
         (x->plan->predicted == y->plan->predicted && cost_of(x) <= cost_of(y));
}

/* Puts a plan into its place, and drops what is beaten in both. */
static void insert(frontier *f, gb_pareto_point point) {
  size_t at = 0;
  while (at < f->count && is_before(&f->point[at], &point))
    at++;
  memmove(&f->point[at + 1], &f->point[at], (f->count - at) * sizeof *f->point);
  memmove(&f->tried[at + 1], &f->tried[at], (f->count - at) * sizeof *f->tried);
  f->point[at] = point;
  f->tried[at] = gb_larger(point.plan->predicted, point.within < INFINITY ? point.within : 0);
  f->count++;
  for (size_t i = 1; i < f->count;)
    if (cost_of(&f->point[i]) >= GAIN * cost_of(&f->point[i - 1]))
      drop(f, i);
    else
      i++;
}

static int make(const gbcast_platform *p, const gbcast_request *request, double within, gb_pareto_point *out,
                gbcast_error *err) {
  gbcast_request at = *request;
  at.within = out->within = within;
  at.chosen_only = true;
  return gbcast_plan_make(p, &at, &out->plan, err);
}

/* Three digits, so that people can ask for the same. */
static double round_limit(double seconds) {
  char text[32];
  (void)snprintf(text, sizeof text, "%.3g", seconds);
  return strtod(text, NULL);
}

/* The gap in which most may be won, and the limit to try in it; false: none is worth it. */
static bool widest(const frontier *f, size_t *gap, double *limit) {
  double most = 0;
  for (size_t i = 0; i + 1 < f->count; i++) {
    const double from = f->tried[i], to = f->point[i + 1].plan->predicted;
    const double usd = cost_of(&f->point[i]) - cost_of(&f->point[i + 1]);
    const double middle = round_limit((from + to) / 2);
    if (to < NEAR * from || cost_of(&f->point[i]) < NEAR * cost_of(&f->point[i + 1]) || middle <= from ||
        middle >= to || (to - from) * usd <= most)
      continue;
    most = (to - from) * usd;
    *gap = i;
    *limit = middle;
  }
  return most > 0;
}

int gb_pareto_make(const gbcast_platform *p, const gbcast_request *request, gb_pareto *out,
                   gbcast_error *err) {
  frontier f = {.count = 0};
  gb_pareto_point point;
  size_t gap = 0;
  double within = 0;
  *out = (gb_pareto){0};
  int status = GBCAST_OK;
  for (int plans = 0; status == GBCAST_OK && plans < PLANS_MOST; plans++) {
    if (plans == 1)
      within = INFINITY;
    else if (plans > 1 && !widest(&f, &gap, &within))
      break;
    status = make(p, request, within, &point, err);
    if (status != GBCAST_OK)
      break;
    if (plans == 1) {
      out->bound = point.plan->bound;
      out->cost_bound = point.plan->cost_bound;
    }
    const bool in_gap = plans > 1, in_time = within == 0 || point.plan->predicted <= within;
    if (in_gap && (!in_time || cost_of(&point) >= GAIN * cost_of(&f.point[gap]))) {
      f.tried[gap] = within;
      gbcast_plan_free(point.plan);
    } else {
      insert(&f, point);
    }
  }
  if (status == GBCAST_OK)
    out->point = malloc(f.count * sizeof *out->point);
  if (status == GBCAST_OK && out->point == NULL)
    status = gb_no_memory(err);
  if (status == GBCAST_OK) {
    memcpy(out->point, f.point, f.count * sizeof *out->point);
    out->count = f.count;
  }
  while (status != GBCAST_OK && f.count > 0)
    drop(&f, f.count - 1);
  return status;
}

void gb_pareto_free(gb_pareto *pareto) {
  for (size_t i = 0; i < pareto->count; i++)
    gbcast_plan_free(pareto->point[i].plan);
  free(pareto->point);
  *pareto = (gb_pareto){0};
}
