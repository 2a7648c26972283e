/* The newest values of a series, in the order in which they came and, for each window, sorted.
 *
 * No window is longer than 51 values, the longest of the original's methods. So a sorted window is an array:
 * a binary search finds the place in at most 6 comparisons, and what has to move is at most 408 bytes, less
 * than a balanced tree would touch. Medians are then read off. Means are added up one by one in ascending
 * order, at most 51 additions, instead of from partial sums: they have to round as the original's do, because
 * which of two methods with the same forecast is named hangs on the last bit. So nothing ever drifts either.
 */
#ifndef GB_NWS_FORECAST_SORTED_H
#define GB_NWS_FORECAST_SORTED_H

#include <stdint.h>

#define GB_WINDOW_MOST 51u

typedef struct gb_recent { /* a ring; one more than a window, for the value that has just left it */
  double value[GB_WINDOW_MOST + 1];
  uint32_t count, newest;
} gb_recent;

void gb_recent_add(gb_recent *recent, double value);

typedef struct gb_sorted { /* ascending; one more than a window, so that a value may come before one goes */
  double value[GB_WINDOW_MOST + 1];
  uint32_t count;
} gb_sorted;

/* Takes the newest of `recent` in; the window then holds the newest `most`. */
void gb_sorted_slide(gb_sorted *sorted, const gb_recent *recent, uint32_t most);

/* Of `window` values: those that are here, and perhaps one more that counts as the greatest. */
double gb_sorted_median(const gb_sorted *sorted, uint32_t window);
double gb_sorted_mean(const gb_sorted *sorted, uint32_t cut); /* without `cut` values at each end */

/* A median over a window that grows and shrinks with what would have forecast better: the original's rules,
 * its oddities included. */

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
