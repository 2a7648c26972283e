/* Size classes: eight an octave, so that neighbours differ by at most 12.5 %. */
#include "plan/core/core.h"

uint64_t gb_size_class(uint64_t bytes) {
  if (bytes < 16)
    return bytes;
  unsigned shift = 0;
  while ((bytes >> shift) > 15)
    shift++;
  uint64_t step = (uint64_t)1 << shift;
  if (bytes > UINT64_MAX - step)
    return bytes;
  return (bytes + step - 1) / step * step;
}
