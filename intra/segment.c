/* The segment that minimises a segmented model: small segments pay g's fixed part often, large ones fill the
 * pipeline slowly. Tried are both ends, every power of two, every measured size (g bends there), and 32 sizes
 * around the best of these; so the answer is never worse than any of the powers of two. Ties go to the larger
 * segment. */
#include "intra/algorithms.h"

#define AROUND 16u /* sizes tried on either side of the best */

typedef struct segment_search {
  gb_intra_model *model;
  const gb_lan *lan;
  uint32_t hosts;
  uint64_t bytes, least;
  uint64_t best;
  double seconds; /* of best */
} segment_search;

static void try_size(segment_search *q, uint64_t segment) {
  if (segment < q->least || segment > q->bytes) {
    return;
  }
  double seconds = q->model(q->lan, q->hosts, q->bytes, segment);
  if (seconds < q->seconds || (seconds <= q->seconds && segment > q->best)) {
    q->best = segment;
    q->seconds = seconds;
  }
}

uint64_t gb_intra_best_segment(gb_intra_model *model, const gb_lan *lan, uint32_t hosts, uint64_t bytes,
                               uint64_t least) {
  const gb_plogp *table = lan->plogp;
  least = gb_lan_known_size(lan, least > 0 ? least : 1);
  if (bytes <= least) {
    return bytes;
  }
  segment_search q = {
      .model = model, .lan = lan, .hosts = hosts, .bytes = bytes, .least = least, .best = bytes};
  q.seconds = model(lan, hosts, bytes, bytes);
  try_size(&q, least);
  for (uint64_t power = 1; power != 0 && power <= bytes; power *= 2) {
    try_size(&q, power);
  }
  for (uint32_t i = 0; table != NULL && i < table->count; i++) {
    try_size(&q, table->point[i].bytes);
  }
  uint64_t centre = q.best, below = centre / 2 / AROUND, above = centre / AROUND;
  for (uint64_t step = 1; step <= AROUND; step++) {
    try_size(&q, centre - step * below);
    if (above * step <= bytes - centre) {
      try_size(&q, centre + above * step);
    }
  }
  return q.best;
}
