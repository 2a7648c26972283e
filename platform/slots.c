/* The slots of a platform in the order of the file, which is that of the ranks where MPI starts them by it.
 */
#include "platform/platform.h"

const gb_slot_run *gb_platform_slot(const gbcast_platform *p, uint32_t position) {
  uint32_t low = 0, high = p->run_count; /* the run is one of low .. high - 1 */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (p->run[middle].first <= position)
      low = middle;
    else
      high = middle;
  }
  return &p->run[low];
}

uint32_t gb_slot_run_length(const gbcast_platform *p, uint32_t run) {
  uint64_t end = run + 1 < p->run_count ? p->run[run + 1].first : p->slot_count;
  return (uint32_t)(end - p->run[run].first);
}
