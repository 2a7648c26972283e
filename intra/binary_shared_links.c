/* Binary tree whose senders may share links, past Algorithm 2. In a pipeline a host with two children sends
 * each segment twice, so each of its edges is busy half of the time, and two edges of different hosts fit on
 * one directed link: they take turns. The rule is
 *
 *   sum over the edges on a directed link of 1 / (children of the sender)  <=  1
 *
 * Algorithm 2 keeps to it, with one sender a link. With two the tree need not follow the depth-first order:
 * the root can send right into the middle of far regions, which are served from there in both directions. So
 * its height is nearer to that of the complete binary tree (bench/figure5).
 *
 * Trees are grown by intra/greedy.c towards the least time that any binary tree needs, with a few settings,
 * each several times, as a run learns from the one before. The tree with the least A L(s) + B g(s) is taken
 * (formula 2), the contention-free one of least time (intra/coverage.c) included: it also exists when
 * no cables are left. s is the best for the message on the complete tree, as the tree is not known yet.
 */
#include "intra/algorithms.h"
#include "intra/contention_free.h"
#include "intra/greedy.h"
#include "intra/intra.h"

#include <stdlib.h>
#include <string.h>

#define UNITS 8u           /* in L + g, see gb_coverage_costs */
#define RUNS 12u           /* with each setting */
#define MOST_BY_TIME 4096u /* hosts; above, intra/coverage.c goes by height */

typedef struct setting {
  double extra, margin; /* hops; see gb_greedy_rule */
} setting;

/* The higher `extra`, the lower the trees, but the more runs leave hosts out. */
static const setting settings[] = {{2, -1}, {1, -1}, {0.5, -1}, {0, 0}};

typedef struct choice {
  double latency, gap; /* L, g */
  uint32_t *made;
  double seconds; /* of the best tree so far, or -1 */
} choice;

/* Takes the tree in `made` if it is faster. */
static int consider(const gb_switch_order *order, choice *best, uint32_t *parent, gbcast_error *err) {
  double seconds = 0;
  uint32_t degree = 0;
  int status = gb_tree_time(best->made, order->count, best->latency, best->gap, &seconds, &degree, err);
  if (status == GBCAST_OK && (best->seconds < 0 || seconds < best->seconds)) {
    best->seconds = seconds;
    memcpy(parent, best->made, order->count * sizeof *parent);
  }
  return status;
}

/* Grows trees by time, or by height (L = 1, g = 0), and compares them by time. *grown: there were any. */
static int grow(const gb_switch_order *order, bool by_height, choice *best, bool *grown, uint32_t *parent,
                gbcast_error *err) {
  gb_greedy greedy;
  double latency = by_height ? 1 : best->latency, gap = by_height ? 0 : best->gap;
  int status = gb_greedy_new(order, latency, gap, &greedy, err);
  if (status != GBCAST_OK) {
    return status;
  }
  double hop = latency + gap;
  gb_greedy_rule rule = {.target = greedy.least[order->count]};
  double enough = by_height ? 0 : rule.target; /* no binary tree takes less */
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    rule.extra = settings[i].extra * hop;
    rule.margin = settings[i].margin;
    gb_greedy_forget(&greedy);
    for (uint32_t run = 0; status == GBCAST_OK && run < RUNS && best->seconds > enough; run++) {
      if (gb_greedy_run(&greedy, &rule, best->made)) {
        *grown = true;
        status = consider(order, best, parent, err);
      }
    }
  }
  gb_greedy_free(&greedy);
  return status;
}

typedef struct lan_costs {
  double latency, gap; /* L, g */
} lan_costs;

static int build(const gb_switch_order *order, const gb_conflicts *conflicts, const void *context,
                 uint32_t *parent, gbcast_error *err) {
  const lan_costs *costs = context;
  const double latency = costs->latency, gap = costs->gap;
  uint32_t cost[3] = {0};
  choice best = {
      .latency = latency, .gap = gap, .seconds = -1, .made = malloc(order->count * sizeof *best.made)};
  bool grown = false;
  int status = best.made != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    gb_coverage_costs(latency, order->count <= MOST_BY_TIME ? gap : 0, UNITS, 2, cost);
    status = gb_coverage_build(order, conflicts, 2, cost, best.made, err);
  }
  if (status == GBCAST_OK) {
    status = consider(order, &best, parent, err);
  }
  if (status == GBCAST_OK && order->node_count > 1) {
    status = grow(order, false, &best, &grown, parent, err);
  }
  if (status == GBCAST_OK && order->node_count > 1 && !grown) { /* then fewer runs leave hosts out */
    status = grow(order, true, &best, &grown, parent, err);
  }
  free(best.made);
  return status;
}

int gb_shared_links_tree(const gb_intra_job *job, double latency, double gap, uint32_t *parent,
                         gbcast_error *err) {
  const lan_costs costs = {latency, gap};
  return gb_build_by_position(job, build, &costs, parent, err);
}

int gb_intra_build_binary_shared_links(const gb_intra_job *job, uint32_t *parent, gbcast_error *err) {
  if (job->count == 0)
    return GBCAST_OK;
  gb_lan lan = gb_lan_of(job->p, job->p->host[job->host[0]].cluster);
  uint64_t segment = gb_pipeline_segment(&lan, job->count, job->bytes, 2);
  return gb_shared_links_tree(job, gb_lan_latency(&lan, segment), gb_lan_gap(&lan, segment), parent, err);
}
