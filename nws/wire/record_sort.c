/* A merge sort that needs no second array: of two neighbouring runs, what must change sides is rotated.
 *
 *      9 7 [6] 2 | 8 5      pivot 6: the 8 goes before it
 *      9 7 | 8 [6] 2 | 5    then each side of the pivot is merged by itself */
#include "nws/wire/record_sort.h"

static void reverse(gb_measurement *m, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    gb_measurement other = m[i];
    m[i] = m[count - 1 - i];
    m[count - 1 - i] = other;
  }
}

/* The first `left` change places with the `right` behind them. */
static void rotate(gb_measurement *m, size_t left, size_t right) {
  reverse(m, left);
  reverse(m + left, right);
  reverse(m, left + right);
}

/* How many of a sorted run are newer than `time`, or as new when `same` counts too. */
static size_t newer(const gb_measurement *m, size_t count, double time, bool same) {
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (m[middle].time > time || (same && m[middle].time == time))
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

/* Merges the sorted runs of `left` and of `right` measurements. The middle of the longer run is the pivot;
 * after the rotation it is where it belongs, and neither side has more than three quarters of what there was.
 */
static void merge(gb_measurement *m, size_t left, size_t right) { // NOLINT(misc-no-recursion)
  if (left == 0 || right == 0 || m[left - 1].time >= m[left].time)
    return;
  size_t a = left / 2, b = right / 2; /* of each run, how many go before the pivot */
  bool from_left = left >= right;
  if (from_left)
    b = newer(m + left, right, m[a].time, false);
  else
    a = newer(m, left, m[left + b].time, true);
  rotate(m + a, left - a, b + !from_left);
  merge(m, a, b);
  merge(m + a + b + 1, left - a - from_left, right - b - !from_left);
}

void gb_measurements_sort(gb_measurement *m, size_t count) {
  for (size_t run = 1; run < count; run *= 2)
    for (size_t i = 0; i + run < count; i += 2 * run)
      merge(m + i, run, count - i - run < run ? count - i - run : run);
}
