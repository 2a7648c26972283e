#include "nws/forecast/smooth.h"

static const double gain[GB_GAINS] = {0.05, 0.10, 0.15, 0.20, 0.30, 0.40, 0.50, 0.75};

void gb_smooth_add(gb_smooth *s, double value) {
  for (uint32_t i = 0; i < GB_GAINS; i++)
    s->level[i] = s->count == 0 ? value : s->level[i] + gain[i] * (value - s->level[i]);
  s->sum += value;
  s->count++;
}

double gb_smooth_mean(const gb_smooth *s) {
  return s->sum / (double)s->count;
}
