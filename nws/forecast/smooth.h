/* Forecasts from all of a series: its running mean, and exponential smoothing at several gains. */
#ifndef GB_NWS_FORECAST_SMOOTH_H
#define GB_NWS_FORECAST_SMOOTH_H

#include <stdint.h>

#define GB_GAINS 8u

typedef struct gb_smooth {
  double sum;
  uint64_t count;
  double level[GB_GAINS]; /* 0 before any value, which counts as a forecast */
} gb_smooth;

void gb_smooth_add(gb_smooth *s, double value);
double gb_smooth_mean(const gb_smooth *s); /* after at least one value */

#endif
