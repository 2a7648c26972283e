/* Contention-free k-ary tree, k = 2 .. 8: the extension that Patarasuk, Yuan and Faraj sketch after Algorithm
 * 2, chosen by time instead of height. For each k the tree is the one of least A L(s) + B g(s)
 * (intra/reach.c, times in units of a half or an eighth of L + g); of these the one with the least
 *
 *   A L(s) + B g(s) + (X - 1) k g(s)     (formula 2 for k children)
 *
 * is taken. Each further segment costs k g, so more than two children pay only in short pipelines; for long
 * ones there are trees with two or one. A builder does not know the message, so this one takes a short one: X
 * = 4 segments of 2 KiB, or of the first size that was measured. The search stops at the second k in a row
 * that is no better: a tree of k children cannot be much higher than one of k + 1, but pays less for each
 * segment. */
#include "intra/algorithms.h"
#include "intra/by_places.h"
#include "intra/reach.h"
#include "intra/tree_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT 2048u /* bytes */
#define SEGMENTS 4u
#define FINE 8u              /* units in L + g for two children */
#define COARSE 2u            /* and for more */
#define MOST_BY_TIME 4096u   /* hosts; above, heights */
#define MOST_WITH_MORE 1024u /* hosts; above, two children */

static int by_time(const gb_switch_walk *walk, const gb_fences *fences, const gb_lan *lan, uint32_t *parent,
                   gbcast_error *err) {
  uint64_t bytes = gb_lan_known_size(lan, SEGMENT);
  double latency = gb_lan_latency(lan, bytes), gap = gb_lan_gap(lan, bytes), best = INFINITY;
  uint32_t *made = malloc(walk->count * sizeof *made), worse = 0;
  int status = made != NULL ? GBCAST_OK : gb_no_memory(err);
  uint32_t most = walk->count <= MOST_WITH_MORE ? GB_MOST_CHILDREN : 2;
  for (uint32_t k = 2; status == GBCAST_OK && k <= most && worse < 2; k++) {
    uint32_t cost[GB_MOST_CHILDREN + 1] = {0}, degree = 0, units = k == 2 ? FINE : COARSE;
    gb_reach_costs(latency, walk->count <= MOST_BY_TIME ? gap : 0, units, k, cost);
    double seconds = 0;
    status = gb_reach_build(walk, fences, k, cost, made, err);
    if (status == GBCAST_OK) {
      status = gb_tree_time(made, walk->count, latency, gap, &seconds, &degree, err);
    }
    seconds += (SEGMENTS - 1) * degree * gap;
    worse++;
    if (status == GBCAST_OK && (seconds < best || k == 2)) {
      best = seconds;
      worse = 0;
      memcpy(parent, made, walk->count * sizeof *made);
    }
  }
  free(made);
  return status;
}

int gb_intra_build_kary_contention_free(const gbcast_platform *p, const uint32_t *host, uint32_t count,
                                        uint32_t *parent, gbcast_error *err) {
  return gb_build_by_places(p, host, count, by_time, parent, err);
}
