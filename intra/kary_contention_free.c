/* Contention-free k-ary tree: the extension that Patarasuk, Yuan and Faraj sketch after Algorithm 2, chosen
 * by time instead of height. For each k the tree is the one of least A L(s) + B g(s) (intra/coverage.c, times
 * in units of a quarter or an eighth of L + g), with the s that is best on the complete tree; of these the
 * one with the least
 *
 *   A L(s) + B g(s) + (X - 1) k g(s)     (formula 2 for k children, the best s)
 *
 * for the message is taken. Each further segment costs k g, so more than two children pay only in short
 * pipelines: the search stops at a k for which the sends of one host with k children take as long as the best
 * tree so far. */
#include "intra/algorithms.h"
#include "intra/contention_free.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINE 8u              /* units in L + g for two children */
#define COARSE 4u            /* and for more */
#define MOST_BY_TIME 4096u   /* hosts; above, heights */
#define MOST_WITH_MORE 1024u /* hosts; above, two children */

/* Seconds that a host with k children needs: no tree with such a host takes less. */
static double one_host(const gb_lan *lan, uint64_t bytes, uint32_t k) {
  return gb_complete_tree(lan, 2, bytes, gb_pipeline_segment(lan, 2, bytes, k), k);
}

static int by_time(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                   uint32_t *parent, gbcast_error *err) {
  const gb_intra_job *job = context;
  gb_lan lan = gb_lan_of(job->p, job->p->host[job->host[0]].cluster);
  double best = INFINITY;
  uint32_t *made = malloc(order->count * sizeof *made);
  int status = made != NULL ? GBCAST_OK : gb_no_memory(err);
  uint32_t most = order->count <= MOST_WITH_MORE ? GB_MOST_CHILDREN : 2;
  for (uint32_t k = 2; status == GBCAST_OK && k <= most && (k == 2 || one_host(&lan, job->bytes, k) < best);
       k++) {
    uint64_t segment = gb_pipeline_segment(&lan, order->count, job->bytes, k);
    double gap = order->count <= MOST_BY_TIME ? gb_lan_gap(&lan, segment) : 0, seconds = 0;
    uint32_t cost[GB_MOST_CHILDREN + 1] = {0};
    gb_coverage_costs(gb_lan_latency(&lan, segment), gap, k == 2 ? FINE : COARSE, k, cost);
    status = gb_coverage_build(order, conflicts, k, cost, made, err);
    if (status == GBCAST_OK) {
      status = gb_pipeline_time(made, order->count, &lan, job->bytes, &seconds, err);
    }
    if (status == GBCAST_OK && (seconds < best || k == 2)) {
      best = seconds;
      memcpy(parent, made, order->count * sizeof *made);
    }
  }
  free(made);
  return status;
}

int gb_intra_build_kary_contention_free(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  return gb_build_by_position(job, by_time, job, parent, err);
}
