/* Forecasts: the vectors of the protocol's description, and a naive computation over random series. */
#include "nws/forecast/errors.h"
#include "tests/nws/forecast/naive_forecaster.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdio.h>

static bool near(double found, double expected) {
  return fabs(found - expected) <= 1e-9 * fabs(expected);
}

Test(forecaster, vectors) {
  FILE *in = fopen(GB_TEST_DATA "/nws/forecasts.csv", "r");
  cr_assert_not_null(in);
  char line[256], series[64], before[64] = "";
  gb_forecaster *f = NULL;
  unsigned rows = 0;
  cr_assert_not_null(fgets(line, sizeof line, in)); /* the titles */
  for (; fgets(line, sizeof line, in) != NULL; rows++) {
    double value;
    gb_forecast mae, mse, wanted_mae, wanted_mse;
    cr_assert_eq(sscanf(line, "%63[^,],%*d,%lf,%lf,%lf,%u,%lf,%lf,%u", series, &value, &wanted_mae.value,
                        &wanted_mae.error, &wanted_mae.method, &wanted_mse.value, &wanted_mse.error,
                        &wanted_mse.method),
                 8);
    if (strcmp(series, before) != 0) {
      gb_forecaster_free(f);
      f = gb_forecaster_new();
      cr_assert_not(gb_forecaster_get(f, &mae, &mse));
      memcpy(before, series, sizeof before);
    }
    gb_forecaster_add(f, value);
    cr_assert(gb_forecaster_get(f, &mae, &mse));
    cr_expect(near(mae.value, wanted_mae.value) && near(mae.error, wanted_mae.error) &&
                  near(mse.value, wanted_mse.value) && near(mse.error, wanted_mse.error),
              "%s%.17g %.17g  %.17g %.17g", line, mae.value, mae.error, mse.value, mse.error);
    cr_expect(mae.method == wanted_mae.method && mse.method == wanted_mse.method, "%s%u %u", line, mae.method,
              mse.method);
  }
  gb_forecaster_free(f);
  fclose(in);
  cr_assert_eq(rows, 1100);
}

enum kind { CONSTANT, TIES, STEPS, WALK, SPIKES, SIGNS, MAGNITUDES, ENORMOUS, KINDS };

/* The next value of a series of this kind; five decimals, as a memory keeps them, where that makes sense. */
static double next_value(enum kind kind, uint64_t *seed, double last) {
  double part = (double)xorshift(seed, 100000) / 1e5;
  switch (kind) {
  case CONSTANT:
    return 0.1;
  case TIES:
    return xorshift(seed, 4);
  case STEPS:
    return xorshift(seed, 40) == 0 ? 5 + xorshift(seed, 100) / 10.0 : last;
  case WALK:
    return last + part - 0.5;
  case SPIKES: /* down to nearly 0: what makes an adaptive window longer than all that is kept */
    return xorshift(seed, 8) == 0 ? part / 100 : 20 + part;
  case SIGNS:
    return 100 * part - 50;
  case MAGNITUDES:
    return ldexp(part, (int)xorshift(seed, 400) - 200);
  default: /* whose squares are beyond what a double holds */
    return ldexp(part - 0.5, (int)xorshift(seed, 2000) - 1000);
  }
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static bool same_forecast(const gb_forecast *a, const gb_forecast *b) {
  return same(a->value, b->value) && same(a->error, b->error) && a->method == b->method;
}

/* Compares a series of `length`; adds to `windows` which adaptive windows were seen. */
static void compare(enum kind kind, uint64_t seed, int length, int windows[2][64]) {
  naive *slow = malloc(sizeof *slow);
  gb_forecaster *f = gb_forecaster_new();
  cr_assert(slow != NULL && f != NULL);
  naive_start(slow);
  double value = 7.5;
  for (int i = 0; i < length; i++) {
    gb_forecast mae, mse;
    value = next_value(kind, &seed, value);
    naive_add(slow, value);
    gb_forecaster_add(f, value);
    cr_assert(gb_forecaster_get(f, &mae, &mse));
    cr_assert(same_forecast(&mae, &slow->mae) && same_forecast(&mse, &slow->mse),
              "kind %d, value %d: %.17g (method %u) and %.17g (%u), expected %.17g (%u) and %.17g (%u)", kind,
              i, mae.value, mae.method, mse.value, mse.method, slow->mae.value, slow->mae.method,
              slow->mse.value, slow->mse.method);
    for (int a = 0; a < 2; a++)
      windows[a][slow->window[a]]++;
  }
  gb_forecaster_free(f);
  free(slow);
}

Test(forecaster, equals_naive) {
  int windows[2][64] = {{0}};
  uint64_t seed = 20261121;
  for (enum kind kind = 0; kind < KINDS; kind++) {
    for (int round = 0; round < 40; round++)
      compare(kind, seed * 7919 + (uint64_t)round, 1 + (int)xorshift(&seed, 250), windows);
    compare(kind, seed, NAIVE_MOST, windows);
  }
  cr_expect(windows[0][10] > 0 && windows[0][21] > 0 && windows[0][22] > 0,
            "adaptive windows 5-21 not reached");
  cr_expect(windows[1][30] > 0 && windows[1][47] > 0 && windows[1][51] > 0 && windows[1][52] > 0,
            "adaptive windows 21-51 not reached");
}

Test(forecaster, windows_of_errors_do_not_drift) {
  enum { WINDOW = 50, VALUES = 100000 };
  gb_errors errors = {.count = 0};
  double last[WINDOW] = {0};
  uint64_t seed = 99;
  for (int i = 0; i < VALUES; i++) {
    last[i % WINDOW] = 10 + (double)xorshift(&seed, 100000) / 1e5;
    gb_errors_add(&errors, 0, last[i % WINDOW]);
  }
  long double squares = 0, amounts = 0;
  for (int i = 0; i < WINDOW; i++) {
    squares += (long double)last[i] * (long double)last[i];
    amounts += (long double)last[i];
  }
  cr_assert_eq(gb_errors_kept(&errors), GB_ERRORS_KEPT);
  cr_expect(near(gb_errors_mean(&errors, GB_ERROR_SQUARED, WINDOW), (double)(squares / WINDOW)));
  cr_expect(near(gb_errors_mean(&errors, GB_ERROR_ABSOLUTE, WINDOW), (double)(amounts / WINDOW)));
}

Test(forecaster, ignores_what_is_not_finite) {
  gb_forecaster *f = gb_forecaster_new(), *plain = gb_forecaster_new();
  gb_forecast mae, mse, plain_mae, plain_mse;
  gb_forecaster_add(f, NAN);
  cr_assert_not(gb_forecaster_get(f, &mae, &mse));
  for (int i = 0; i < 200; i++) {
    gb_forecaster_add(f, i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY);
    gb_forecaster_add(f, i % 17);
    gb_forecaster_add(plain, i % 17);
  }
  cr_assert(gb_forecaster_get(f, &mae, &mse) && gb_forecaster_get(plain, &plain_mae, &plain_mse));
  cr_expect(same_forecast(&mae, &plain_mae) && same_forecast(&mse, &plain_mse));
  gb_forecaster_free(f);
  gb_forecaster_free(plain);
}

Test(forecaster, names) {
  cr_assert_str_eq(gb_forecast_method(0), "Last Value");
  cr_assert_str_eq(gb_forecast_method(10), "Median Window 31");
  cr_assert_str_eq(gb_forecast_method(17), "Adaptive Median Window 21-51");
  cr_assert_null(gb_forecast_method(GB_FORECAST_METHODS));
}
