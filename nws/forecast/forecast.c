#include "nws/forecast/forecast.h"

#include "nws/forecast/errors.h"
#include "nws/forecast/sorted.h"

#include <math.h>
#include <stdlib.h>

static const char *const name[GB_FORECAST_METHODS] = {
    "Last Value",
    "Running Mean",
    "5% Exp Smooth",
    "10% Exp Smooth",
    "15% Exp Smooth",
    "20% Exp Smooth",
    "30% Exp Smooth",
    "40% Exp Smooth",
    "50% Exp Smooth",
    "75% Exp Smooth",
    "Median Window 31",
    "Median Window 5",
    "Sliding Median Window 31",
    "Sliding Median Window 5",
    "30% Trimmed Median Window 31",
    "30% Trimmed Median Window 51",
    "Adaptive Median Window 5-21",
    "Adaptive Median Window 21-51",
};

enum {
  LAST = 0,
  MEAN,
  SMOOTH,
  MEDIAN_31 = 10,
  MEDIAN_5,
  MEAN_31,
  MEAN_5,
  TRIMMED_31,
  TRIMMED_51,
  ADAPTIVE_21,
  ADAPTIVE_51
};

#define GAINS 8u
static const double gain[GAINS] = {0.05, 0.10, 0.15, 0.20,
                                   0.30, 0.40, 0.50, 0.75}; /* of exponential smoothing */

struct gb_forecaster {
  uint64_t count; /* of values */
  double sum;
  gb_recent recent;
  gb_sorted newest_5, newest_21, newest_31, newest_51;
  gb_adaptive adaptive_21, adaptive_51;
  double method[GB_FORECAST_METHODS]; /* forecast of each for the next value */
  gb_errors errors[GB_FORECAST_METHODS];
  gb_selectors selectors;
  double mae_total, mse_total; /* errors of the two final forecasts */
  gb_forecast mae, mse;
};

gb_forecaster *gb_forecaster_new(void) {
  gb_forecaster *f = calloc(1, sizeof *f);
  if (f != NULL) {
    f->adaptive_21 = (gb_adaptive){.most = 21, .step = 1, .window = 10};
    f->adaptive_51 = (gb_adaptive){.most = 51, .step = 5, .window = 30};
  }
  return f;
}

void gb_forecaster_free(gb_forecaster *f) {
  free(f);
}

const char *gb_forecast_method(uint32_t index) {
  return index < GB_FORECAST_METHODS ? name[index] : NULL;
}

/* Before the first value smoothing forecasts 0, and that counts; so does the final forecast by absolute
 * error, but not the one by squared error. */
static void score(gb_forecaster *f, double value) {
  bool first = f->count == 0;
  f->mae_total += fabs(f->mae.value - value);
  if (!first) {
    f->mse_total += (f->mse.value - value) * (f->mse.value - value);
    gb_selectors_score(&f->selectors, f->method, value);
  }
  for (uint32_t i = 0; i < GB_FORECAST_METHODS; i++)
    if (!first || (i >= SMOOTH && i < SMOOTH + GAINS))
      gb_errors_add(&f->errors[i], f->method[i], value);
}

static uint32_t trim(const gb_sorted *sorted) {
  return 3 * sorted->count / 10;
}

static void update(gb_forecaster *f, double value) {
  double *method = f->method;
  gb_recent_add(&f->recent, value);
  gb_sorted_slide(&f->newest_5, &f->recent, 5);
  gb_sorted_slide(&f->newest_21, &f->recent, 21);
  gb_sorted_slide(&f->newest_31, &f->recent, 31);
  gb_sorted_slide(&f->newest_51, &f->recent, 51);
  gb_adaptive_add(&f->adaptive_21, &f->recent, &f->newest_21);
  gb_adaptive_add(&f->adaptive_51, &f->recent, &f->newest_51);
  for (uint32_t i = SMOOTH; i < SMOOTH + GAINS; i++)
    method[i] = f->count == 0 ? value : method[i] + gain[i - SMOOTH] * (value - method[i]);
  f->sum += value;
  f->count++;
  method[LAST] = value;
  method[MEAN] = f->sum / (double)f->count;
  method[MEDIAN_31] = gb_sorted_median(&f->newest_31, f->newest_31.count);
  method[MEDIAN_5] = gb_sorted_median(&f->newest_5, f->newest_5.count);
  method[MEAN_31] = gb_sorted_mean(&f->newest_31, 0);
  method[MEAN_5] = gb_sorted_mean(&f->newest_5, 0);
  method[TRIMMED_31] = gb_sorted_mean(&f->newest_31, trim(&f->newest_31));
  method[TRIMMED_51] = gb_sorted_mean(&f->newest_51, trim(&f->newest_51));
  method[ADAPTIVE_21] = gb_adaptive_forecast(&f->adaptive_21, &f->newest_21);
  method[ADAPTIVE_51] = gb_adaptive_forecast(&f->adaptive_51, &f->newest_51);
}

void gb_forecaster_add(gb_forecaster *f, double value) {
  if (!isfinite(value))
    return;
  score(f, value);
  update(f, value);
  gb_selectors_choose(&f->selectors, f->errors);
  double count = (double)f->count;
  uint32_t by_amount = gb_selectors_best(&f->selectors, GB_ERROR_ABSOLUTE);
  uint32_t by_square = gb_selectors_best(&f->selectors, GB_ERROR_SQUARED);
  f->mae = (gb_forecast){f->method[by_amount], f->mae_total / count, by_amount};
  f->mse = (gb_forecast){f->method[by_square], count > 1 ? f->mse_total / (count - 1) : 0, by_square};
}

bool gb_forecaster_get(const gb_forecaster *f, gb_forecast *mae, gb_forecast *mse) {
  if (f->count == 0)
    return false;
  *mae = f->mae;
  *mse = f->mse;
  return true;
}
