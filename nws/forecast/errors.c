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
