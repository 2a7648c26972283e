/* The forecasts of the Network Weather Service the slow way: everything is kept, and computed anew from all
 * of it after each value, rule by rule. Additions are in the order of the rules, so that results are equal to
 * the bit. */
#ifndef GB_TESTS_NWS_FORECAST_NAIVE_FORECASTER_H
#define GB_TESTS_NWS_FORECAST_NAIVE_FORECASTER_H

#include "nws/forecast/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAIVE_MOST 3000

typedef struct naive {
  int n;
  double value[NAIVE_MOST];
  double method[NAIVE_MOST + 1][18]; /* forecasts for value i; those of i == 0 are from no data */
  int chosen[NAIVE_MOST + 1][16];
  double squared[NAIVE_MOST + 1][18], absolute[NAIVE_MOST + 1][18]; /* totals before value i */
  double selector_squared[16], selector_absolute[16];
  int window[2]; /* of the two adaptive medians */
  double mae_total, mse_total;
  gb_forecast mae, mse;
} naive;

static int naive_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The newest m values in ascending order; how many there are. */
static int naive_sort(const naive *f, int m, double *out) {
  m = m < f->n ? m : f->n;
  memcpy(out, f->value + f->n - m, (size_t)m * sizeof *out);
  qsort(out, (size_t)m, sizeof *out, naive_compare);
  return m;
}

static double naive_median(const naive *f, int m) {
  double sorted[64];
  m = naive_sort(f, m, sorted);
  return m % 2 == 1 ? sorted[m / 2] : (sorted[m / 2 - 1] + sorted[m / 2]) / 2;
}

static double naive_trimmed(const naive *f, int m, double share) {
  double sorted[64], sum = 0;
  m = naive_sort(f, m, sorted);
  int cut = (int)floor(share * m);
  for (int i = cut; i < m - cut; i++)
    sum += sorted[i];
  return sum / (m - 2 * cut);
}

/* Walks all `stored` values in ascending order and counts those among the newest w. */
static double naive_walk(const naive *f, int stored, int w) {
  double all[64], near[64], low = 0, high = 0;
  int count = naive_sort(f, stored, all), seen = 0, at = 0;
  if (w <= 1)
    return w == 1 ? all[0] : w % 2 == 0 ? all[0] / 2 : 0;
  int held = naive_sort(f, w < count ? w : count, near);
  for (int i = 0; i < count && seen < w / 2 + 1; i++) {
    if (at >= held || near[at] != all[i])
      continue;
    at++;
    seen++;
    low = seen == w / 2 ? all[i] : low;
    high = seen == w / 2 + 1 ? all[i] : high;
  }
  return w % 2 == 0 ? (low + high) / 2 : high;
}

static void naive_adapt(naive *f, int which, int most, int step) {
  double v = f->value[f->n - 1];
  int w = f->window[which] < most ? f->window[which] : most;
  double e0 = v - naive_walk(f, most, w);
  double lo = v - naive_walk(f, most, w - step < 0 ? w - 1 : step);
  double hi = v - naive_walk(f, most, w + step > most ? most - w - 1 : step);
  e0 *= e0;
  lo *= lo;
  hi *= hi;
  if (lo < e0)
    w += lo < hi ? -1 : hi < e0 ? 1 : 0;
  else if (hi < e0)
    w++;
  f->window[which] = w;
}

static int naive_choose(const naive *f, int selector) {
  static const int windows[] = {1, 5, 10, 20, 30, 50, 100};
  bool by_square = selector == 0 || (selector >= 2 && selector <= 8);
  int window = selector < 2 ? 0 : windows[(selector - 2) % 7], best = -1;
  double least = 0;
  for (int m = 0; m < 18; m++) {
    int made = m >= 2 && m <= 9 ? f->n : f->n - 1;
    int kept = made < 98 ? made : 98;
    if (made == 0)
      continue;
    window = window < kept - 1 ? window : kept - 1;
    double now = by_square ? f->squared[f->n][m] : f->absolute[f->n][m];
    double before = by_square ? f->squared[f->n - window][m] : f->absolute[f->n - window][m];
    double error = window == 0 ? now / made : (now - before) / window;
    if (best < 0 || error < least) {
      best = m;
      least = error;
    }
  }
  return best < 0 ? 0 : best;
}

static void naive_score(naive *f, double v) {
  int n = f->n;
  double *method = f->method[n];
  f->mae_total += fabs((n > 0 ? f->mae.value : 0) - v);
  if (n > 0)
    f->mse_total += (f->mse.value - v) * (f->mse.value - v);
  for (int i = 0; i < 16 && n > 0; i++) {
    double error = method[f->chosen[n][i]] - v;
    f->selector_squared[i] += error * error;
    f->selector_absolute[i] += fabs(error);
  }
  for (int m = 0; m < 18; m++) {
    double error = method[m] - v;
    bool can = n > 0 || (m >= 2 && m <= 9);
    f->squared[n + 1][m] = f->squared[n][m] + (can ? error * error : 0);
    f->absolute[n + 1][m] = f->absolute[n][m] + (can ? fabs(error) : 0);
  }
}

static void naive_forecast(naive *f) {
  static const double gain[] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75};
  double *out = f->method[f->n], v = f->value[f->n - 1], sum = 0;
  for (int i = 0; i < f->n; i++)
    sum += f->value[i];
  out[0] = v;
  out[1] = sum / f->n;
  for (int i = 0; i < 8; i++) {
    double p = f->method[f->n - 1][2 + i];
    out[2 + i] = f->n == 1 ? v : p + gain[i] * (v - p);
  }
  out[10] = naive_median(f, 31);
  out[11] = naive_median(f, 5);
  out[12] = naive_trimmed(f, 31, 0);
  out[13] = naive_trimmed(f, 5, 0);
  out[14] = naive_trimmed(f, 31, 0.3);
  out[15] = naive_trimmed(f, 51, 0.3);
  out[16] = f->n < 21 ? naive_median(f, 21) : naive_walk(f, 21, f->window[0]);
  out[17] = f->n < 51 ? naive_median(f, 51) : naive_walk(f, 51, f->window[1]);
}

static void naive_start(naive *f) {
  memset(f, 0, sizeof *f);
  f->window[0] = 10;
  f->window[1] = 30;
}

static void naive_add(naive *f, double v) {
  naive_score(f, v);
  f->value[f->n++] = v;
  if (f->n >= 21)
    naive_adapt(f, 0, 21, 1);
  if (f->n >= 51)
    naive_adapt(f, 1, 51, 5);
  naive_forecast(f);
  int scored = f->n - 1 < 98 ? f->n - 1 : 98, by_square = 0, by_amount = 0;
  for (int i = 0; i < 16; i++) {
    f->chosen[f->n][i] = naive_choose(f, i);
    if (scored > 0 && f->selector_squared[i] / scored < f->selector_squared[by_square] / scored)
      by_square = i;
    if (scored > 0 && f->selector_absolute[i] / scored < f->selector_absolute[by_amount] / scored)
      by_amount = i;
  }
  uint32_t a = (uint32_t)f->chosen[f->n][by_amount], s = (uint32_t)f->chosen[f->n][by_square];
  f->mae = (gb_forecast){f->method[f->n][a], f->mae_total / f->n, a};
  f->mse = (gb_forecast){f->method[f->n][s], f->n > 1 ? f->mse_total / (f->n - 1) : 0, s};
}

#endif
