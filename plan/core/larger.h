/* fmax and fmin without calls into libm, whose rules for NaN nothing here needs. */
#ifndef GB_PLAN_CORE_LARGER_H
#define GB_PLAN_CORE_LARGER_H

static inline double gb_larger(double a, double b) {
  return a > b ? a : b;
}

static inline double gb_smaller(double a, double b) {
  return a < b ? a : b;
}

#endif
