#include "nws/forecast/sorted.h"

#include <string.h>

enum { RING = GB_WINDOW_MOST + 1 };

void gb_recent_add(gb_recent *recent, double value) {
  recent->newest = (recent->newest + 1) % RING;
  recent->value[recent->newest] = value;
  recent->count += recent->count < RING;
}

/* 0: the newest; age < count */
static double recent_at(const gb_recent *recent, uint32_t age) {
  return recent->value[(recent->newest + RING - age) % RING];
}

/* Index of the first that is not below `value`. */
static uint32_t place(const gb_sorted *sorted, double value) {
  uint32_t low = 0;
  for (uint32_t high = sorted->count; low < high;) {
    uint32_t middle = (low + high) / 2;
    if (sorted->value[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(gb_sorted *sorted, double value) {
  uint32_t at = place(sorted, value);
  memmove(sorted->value + at + 1, sorted->value + at, (sorted->count - at) * sizeof *sorted->value);
  sorted->value[at] = value;
  sorted->count++;
}

/* One of those that equal it, which is there. */
static void take_out(gb_sorted *sorted, double value) {
  uint32_t at = place(sorted, value);
  sorted->count--;
  memmove(sorted->value + at, sorted->value + at + 1, (sorted->count - at) * sizeof *sorted->value);
}

void gb_sorted_slide(gb_sorted *sorted, const gb_recent *recent, uint32_t most) {
  insert(sorted, recent_at(recent, 0));
  if (sorted->count > most)
    take_out(sorted, recent_at(recent, most));
}

double gb_sorted_median(const gb_sorted *sorted, uint32_t window) {
  const double *middle = sorted->value + window / 2;
  return window % 2 != 0 ? middle[0] : (middle[-1] + middle[0]) / 2;
}

double gb_sorted_mean(const gb_sorted *sorted, uint32_t cut) {
  double sum = 0;
  for (uint32_t i = cut; i < sorted->count - cut; i++)
    sum += sorted->value[i];
  return sum / (sorted->count - 2 * cut);
}

/* The median over a window of at most 5, which nobody holds. The original walks all that are kept in
 * ascending order and counts those in the window: it takes the first for a window of 1, and for less than
 * that a middle that it never finds counts as 0. */
static double short_median(int window, const gb_recent *recent, const gb_sorted *kept) {
  double smallest = kept->value[0];
  if (window <= 1)
    return window == 1 ? smallest : window == 0 ? smallest / 2 : 0;
  gb_sorted newest = {.count = 0};
  for (uint32_t age = 0; age < (uint32_t)window; age++)
    insert(&newest, recent_at(recent, age));
  return gb_sorted_median(&newest, (uint32_t)window);
}

/* Lets `newest` hold what the window says; in the long run one value a call comes or goes. */
static void fit(gb_adaptive *a, const gb_recent *recent, const gb_sorted *kept) {
  uint32_t wanted = (uint32_t)a->window < kept->count ? (uint32_t)a->window : kept->count;
  while (a->newest.count < wanted)
    insert(&a->newest, recent_at(recent, a->newest.count));
  while (a->newest.count > wanted)
    take_out(&a->newest, recent_at(recent, a->newest.count - 1));
}

static double square(double x) {
  return x * x;
}

/* The window for the next value, from what would have forecast the newest one better. Meant are the medians
 * over window - step and window + step, but the original compares that over `step` with itself: the window
 * cannot shrink before it is so large that another one stands in for window + step. */
static int next_window(const gb_adaptive *a, const gb_recent *recent, const gb_sorted *kept) {
  double value = recent_at(recent, 0);
  int more = a->window + a->step > a->most ? a->most - a->window - 1 : a->step;
  double now = square(value - gb_sorted_median(&a->newest, (uint32_t)a->window));
  double low = square(value - short_median(a->step, recent, kept));
  double high = square(value - short_median(more, recent, kept));
  if (low < now && low < high)
    return a->window - 1;
  return high < now ? a->window + 1 : a->window;
}

void gb_adaptive_add(gb_adaptive *a, const gb_recent *recent, const gb_sorted *kept) {
  insert(&a->newest, recent_at(recent, 0));
  if (kept->count == (uint32_t)a->most) {
    a->window = a->window < a->most ? a->window : a->most;
    fit(a, recent, kept);
    a->window = next_window(a, recent, kept);
  }
  fit(a, recent, kept);
}

double gb_adaptive_forecast(const gb_adaptive *a, const gb_sorted *kept) {
  if (kept->count < (uint32_t)a->most)
    return gb_sorted_median(kept, kept->count);
  return gb_sorted_median(&a->newest, (uint32_t)a->window);
}
