/* g(m), os(m), or(m) and L(m) of a measured table, by the rules of gbcast-hosts(5):
 *   g       linear between points; the first value below the first size; the last slope beyond the last size;
 *           with one point, proportional to the size above it; never below 0
 *   os, or  like g, and never above it; a point that does not give them has its g
 *   L       linear between points, constant outside, never negative
 * Nothing is made monotone: a measured dip stays a dip. Seconds and bytes. */
#include "platform/cost/cost.h"

#include <math.h>

static double at_least_zero(double x) {
  return x > 0 ? x : 0;
}

/* The last point that is not above `bytes`; the first size is not above it. */
static uint32_t point_below(const gb_plogp *t, uint64_t bytes) {
  uint32_t low = 0, high = t->count; /* point[low].bytes <= bytes < point[high].bytes */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (t->point[middle].bytes <= bytes) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

enum column { GAP, SEND, RECEIVE };

static double value(const gb_plogp_point *x, enum column column) {
  double end = column == SEND ? x->send_overhead : x->receive_overhead;
  return column == GAP || end < 0 || end > x->gap ? x->gap : end;
}

static double slope(const gb_plogp_point *a, enum column column) {
  return (value(&a[1], column) - value(a, column)) / (double)(a[1].bytes - a->bytes);
}

static double along(const gb_plogp *t, uint64_t bytes, enum column column) {
  if (t->count == 0) {
    return 0;
  }
  const gb_plogp_point *first = &t->point[0];
  if (bytes <= first->bytes || (t->count == 1 && first->bytes == 0)) {
    return at_least_zero(value(first, column));
  }
  if (t->count == 1) {
    return at_least_zero(value(first, column) * ((double)bytes / (double)first->bytes));
  }
  uint32_t below = point_below(t, bytes);
  const gb_plogp_point *from = &t->point[below]; /* exact at every measured size */
  const gb_plogp_point *a = below + 1 < t->count ? from : from - 1;
  return at_least_zero(value(from, column) + (double)(bytes - from->bytes) * slope(a, column));
}

static double at_most_gap(const gb_plogp *t, uint64_t bytes, enum column column) {
  double time = along(t, bytes, column), gap = along(t, bytes, GAP); /* beyond the last size they may cross */
  return time < gap ? time : gap;
}

double gb_plogp_gap(const gb_plogp *t, uint64_t bytes) {
  return along(t, bytes, GAP);
}

double gb_plogp_send(const gb_plogp *t, uint64_t bytes) {
  return at_most_gap(t, bytes, SEND);
}

double gb_plogp_receive(const gb_plogp *t, uint64_t bytes) {
  return at_most_gap(t, bytes, RECEIVE);
}

double gb_plogp_latency(const gb_plogp *t, uint64_t bytes) {
  if (t->count == 0) {
    return 0;
  }
  if (bytes <= t->point[0].bytes) {
    return at_least_zero(t->point[0].latency);
  }
  uint32_t below = point_below(t, bytes);
  const gb_plogp_point *a = &t->point[below];
  if (below + 1 == t->count) {
    return at_least_zero(a->latency);
  }
  double share = (double)(bytes - a->bytes) / (double)(a[1].bytes - a->bytes);
  return at_least_zero(a->latency + share * (a[1].latency - a->latency));
}

/* On a straight piece g = a + b m, m / g(m) has no inner maximum, so the supremum is at a point or at
 * infinity. */
double gb_plogp_bandwidth(const gb_plogp *t) {
  double best = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->point[i].bytes > 0) {
      double rate = t->point[i].gap > 0 ? (double)t->point[i].bytes / t->point[i].gap : INFINITY;
      best = rate > best ? rate : best;
    }
  }
  if (t->count == 1 && t->point[0].bytes > 0) {
    return best; /* proportional above: the rate stays */
  }
  double last = t->count < 2 ? 0 : slope(&t->point[t->count - 2], GAP);
  double beyond = last > 0 ? 1 / last : INFINITY;
  return beyond > best ? beyond : best;
}

double gb_plogp_least_latency(const gb_plogp *t) {
  double least = t->count > 0 ? at_least_zero(t->point[0].latency) : 0;
  for (uint32_t i = 1; i < t->count; i++) {
    double latency = at_least_zero(t->point[i].latency);
    least = latency < least ? latency : least;
  }
  return least;
}
