/* Formula (2) of Patarasuk, Yuan and Faraj for a message of m bytes and hosts with up to k children:
 *
 *   least over s of  A L(s) + B g(s) + (X - 1) k g(s),   X = ceil(m / s) segments [s]
 *
 * The first segment takes A L + B g to the last host, each further one keeps the busiest host for k g. Tried
 * are 512 bytes, or the first measured size if that is larger, its doublings, and the whole message. An empty
 * message is one segment. */
#include "intra/algorithms.h"
#include "intra/intra.h"

#include <math.h>

#define LEAST_SEGMENT 512u /* bytes */

static uint64_t first_segment(const gb_lan *lan, uint64_t bytes) {
  uint64_t least = gb_lan_known_size(lan, LEAST_SEGMENT);
  return least < bytes ? least : bytes;
}

static uint64_t next_segment(uint64_t segment, uint64_t bytes) {
  return segment > bytes / 2 ? bytes : 2 * segment;
}

uint64_t gb_pipeline_segment(const gb_lan *lan, uint32_t hosts, uint64_t bytes, uint32_t k) {
  uint64_t segment = first_segment(lan, bytes), best = segment;
  double least = gb_complete_tree(lan, hosts, bytes, segment, k);
  while (segment < bytes) {
    segment = next_segment(segment, bytes);
    double seconds = gb_complete_tree(lan, hosts, bytes, segment, k);
    if (seconds < least) {
      least = seconds;
      best = segment;
    }
  }
  return best;
}

int gb_pipeline_time(const uint32_t *parent, uint32_t count, const gb_lan *lan, uint64_t bytes,
                     double *seconds, gbcast_error *err) {
  int status = GBCAST_OK;
  bool more = true;
  *seconds = INFINITY;
  for (uint64_t s = first_segment(lan, bytes); status == GBCAST_OK && more; s = next_segment(s, bytes)) {
    double gap = gb_lan_gap(lan, s), time = 0;
    uint32_t degree = 0;
    status = gb_tree_time(parent, count, gb_lan_latency(lan, s), gap, &time, &degree, err);
    uint64_t further = bytes > 0 ? (bytes - 1) / s : 0;
    time += (double)further * degree * gap;
    *seconds = time < *seconds ? time : *seconds;
    more = s < bytes;
  }
  return status;
}
