/* Medians, their spread, and outliers. The median is used because the system may delay a sample by any
 * amount, but never makes it early. */
#include "probe/analysis.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void gb_sort_samples(double *sample, uint32_t count) {
  if (count > 0)
    qsort(sample, count, sizeof *sample, compare);
}

/* The median of sorted values. */
static double middle(const double *value, uint32_t count) {
  double upper = value[count / 2];
  return count % 2 == 1 ? upper : (value[count / 2 - 1] + upper) / 2;
}

gb_median gb_median_of(double *sample, uint32_t count) {
  if (count == 0)
    return (gb_median){0};
  gb_sort_samples(sample, count);
  gb_median f = {.value = middle(sample, count), .samples = count};
  for (uint32_t i = 0; i < count; i++)
    sample[i] = fabs(sample[i] - f.value);
  gb_sort_samples(sample, count);
  f.spread = f.value > 0 ? middle(sample, count) / f.value : 0;
  return f;
}

int gb_outliers(const double *value, uint32_t count, bool *outlier, gb_median *usual, gbcast_error *err) {
  double *copy = malloc(sizeof *copy * ((size_t)count + 1));
  if (copy == NULL)
    return gb_no_memory(err);
  for (uint32_t i = 0; i < count; i++)
    copy[i] = value[i];
  *usual = gb_median_of(copy, count);
  double far = fmax(3 * usual->spread, 0.5) * usual->value;
  for (uint32_t i = 0; i < count; i++)
    outlier[i] = count >= 4 && value[i] > usual->value + far;
  free(copy);
  return GBCAST_OK;
}
