/* How long all that goes between clusters takes, as planned. */
#include "plan/alltoall/transfers.h"

/* A way that follows another begins a word later. */
double gb_ways_time(const gb_ways *ways, uint64_t bytes) {
  const double scale = gb_ways_scale(ways, bytes);
  double most = 0;
  if (bytes == 0) {
    return 0;
  }
  for (uint32_t w = 0; w < ways->count; w++) {
    const gb_way *way = &ways->way[w];
    double time = (way->end + way->extra) * scale + way->tail;
    for (uint32_t p = way->previous; p != GB_NONE; p = ways->way[p].previous) {
      time += ways->way[p].extra * scale + ways->word[way->from];
    }
    most = time > most ? time : most;
  }
  return most;
}
