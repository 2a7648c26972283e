#include "nws/forecast/sorted.h"

#include <string.h>

enum { RING = GB_WINDOW_MOST + 1 };

void gb_recent_add(gb_recent *recent, double value) {
  recent->newest = (recent->newest + 1) % RING;
  recent->value[recent->newest] = value;
  recent->count += recent->count < RING;
}

double gb_recent_at(const gb_recent *recent, uint32_t age) {
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

void gb_sorted_insert(gb_sorted *sorted, double value) {
  uint32_t at = place(sorted, value);
  memmove(sorted->value + at + 1, sorted->value + at, (sorted->count - at) * sizeof *sorted->value);
  sorted->value[at] = value;
  sorted->count++;
}

void gb_sorted_remove(gb_sorted *sorted, double value) {
  uint32_t at = place(sorted, value);
  sorted->count--;
  memmove(sorted->value + at, sorted->value + at + 1, (sorted->count - at) * sizeof *sorted->value);
}

void gb_sorted_slide(gb_sorted *sorted, const gb_recent *recent, uint32_t most) {
  gb_sorted_insert(sorted, gb_recent_at(recent, 0));
  if (sorted->count > most)
    gb_sorted_remove(sorted, gb_recent_at(recent, most));
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
