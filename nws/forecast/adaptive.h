/* A median over a window that grows and shrinks with what would have forecast better: the original's rules,
 * its oddities included. */
#ifndef GB_NWS_FORECAST_ADAPTIVE_H
#define GB_NWS_FORECAST_ADAPTIVE_H

#include "nws/forecast/sorted.h"

typedef struct gb_adaptive {
  int most;         /* values that are kept; with fewer, the median is that of all */
  int step;         /* 1 to 5 */
  int window;       /* set to its start, below most - step; never below that, at most most + 1 */
  gb_sorted newest; /* as many of the newest values as the window says, at most `most` */
} gb_adaptive;

/* `kept` holds the newest a->most values of `recent`, or all there are, in both calls; the new value is among
 * them. */
void gb_adaptive_add(gb_adaptive *a, const gb_recent *recent, const gb_sorted *kept);
double gb_adaptive_forecast(const gb_adaptive *a, const gb_sorted *kept);

#endif
