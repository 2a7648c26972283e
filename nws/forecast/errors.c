#include "nws/forecast/errors.h"

#include <math.h>

static double total(const gb_errors *errors, enum gb_error_kind kind) {
  return errors->total[kind][errors->count % GB_ERRORS_KEPT];
}

void gb_errors_add(gb_errors *errors, double forecast, double value) {
  double error = forecast - value;
  double squared = total(errors, GB_ERROR_SQUARED) + error * error;
  double absolute = total(errors, GB_ERROR_ABSOLUTE) + fabs(error);
  uint32_t at = (uint32_t)(++errors->count % GB_ERRORS_KEPT);
  errors->total[GB_ERROR_SQUARED][at] = squared;
  errors->total[GB_ERROR_ABSOLUTE][at] = absolute;
}

uint32_t gb_errors_kept(const gb_errors *errors) {
  return errors->count < GB_ERRORS_KEPT ? (uint32_t)errors->count : GB_ERRORS_KEPT;
}

double gb_errors_mean(const gb_errors *errors, enum gb_error_kind kind, uint32_t window) {
  double now = total(errors, kind);
  if (window == 0)
    return now / (double)errors->count;
  return (now - errors->total[kind][(errors->count - window) % GB_ERRORS_KEPT]) / window;
}

static const struct selector {
  enum gb_error_kind kind;
  uint32_t window; /* predictions that it looks back on; 0: all */
} selectors[GB_SELECTORS] = {
    {GB_ERROR_SQUARED, 0},   {GB_ERROR_ABSOLUTE, 0},  {GB_ERROR_SQUARED, 1},   {GB_ERROR_SQUARED, 5},
    {GB_ERROR_SQUARED, 10},  {GB_ERROR_SQUARED, 20},  {GB_ERROR_SQUARED, 30},  {GB_ERROR_SQUARED, 50},
    {GB_ERROR_SQUARED, 100}, {GB_ERROR_ABSOLUTE, 1},  {GB_ERROR_ABSOLUTE, 5},  {GB_ERROR_ABSOLUTE, 10},
    {GB_ERROR_ABSOLUTE, 20}, {GB_ERROR_ABSOLUTE, 30}, {GB_ERROR_ABSOLUTE, 50}, {GB_ERROR_ABSOLUTE, 100},
};

/* A window that was cut for one method stays cut for those behind it, as in the original. */
static uint32_t choose(const struct selector *s, const gb_errors errors[GB_FORECAST_METHODS]) {
  uint32_t best = 0, window = s->window;
  double least = 0;
  bool found = false;
  for (uint32_t i = 0; i < GB_FORECAST_METHODS; i++) {
    uint32_t kept = gb_errors_kept(&errors[i]);
    if (kept == 0)
      continue;
    window = window < kept ? window : kept - 1;
    double error = gb_errors_mean(&errors[i], s->kind, window);
    if (!found || error < least) {
      best = i;
      least = error;
    }
    found = true;
  }
  return best;
}

void gb_selectors_score(gb_selectors *s, const double forecast[GB_FORECAST_METHODS], double value) {
  for (uint32_t i = 0; i < GB_SELECTORS; i++) {
    double error = forecast[s->method[i]] - value;
    s->total[GB_ERROR_SQUARED][i] += error * error;
    s->total[GB_ERROR_ABSOLUTE][i] += fabs(error);
  }
  s->count++;
}

void gb_selectors_choose(gb_selectors *s, const gb_errors errors[GB_FORECAST_METHODS]) {
  for (uint32_t i = 0; i < GB_SELECTORS; i++)
    s->method[i] = choose(&selectors[i], errors);
}

/* What is divided by ends at GB_ERRORS_KEPT, the total does not: as in the original, and quotients can tie
 * where totals do not. */
uint32_t gb_selectors_best(const gb_selectors *s, enum gb_error_kind kind) {
  double count = s->count < GB_ERRORS_KEPT ? (double)s->count : GB_ERRORS_KEPT;
  const double *total = s->total[kind];
  uint32_t best = 0;
  for (uint32_t i = 1; i < GB_SELECTORS; i++)
    if (total[i] / count < total[best] / count)
      best = i;
  return s->method[best];
}
