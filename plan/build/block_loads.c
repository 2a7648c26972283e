/* How long a scatter takes down trees over sites, without a simulation: so long as the link that works
 * longest takes for all blocks that cross it, and the longest way to a site.
 *
 *   root ==a,b==> a ==b==> b      the link to a carries the blocks of both sites
 *
 *   T = max over links of (sum of blocks / bandwidth) + max over sites of (sum of L along the way)   [s]
 *
 * Blocks go to the hosts of a site directly, so its leader's own link counts only for what it passes on. */
#include "plan/build/block_loads.h"
#include <stdlib.h>

typedef struct gb_block_loads {
  gb_planner *pl;
  double *work;     /* of each link, s */
  uint32_t *blocks; /* by site: its ranks, and those of the sites below it in the tree */
  double *latency;  /* by site: of the edge to it, s; 0: there is none */
  double longest;   /* s: the latencies on the longest way to a site */
  double passed_on; /* bytes that others than the root's site send */
} gb_block_loads;

static void count_blocks(gb_block_loads *l, const uint32_t *parent) {
  const gbcast_plan *plan = l->pl->plan;
  for (uint32_t s = 0; s < plan->site_count; s++)
    l->blocks[s] = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    for (uint32_t up = s; up != GB_NONE; up = parent[up])
      l->blocks[up] += plan->site[s].endpoint_count;
}

/* Adds the edge to a site, which carries `share` bytes of each block. */
static int add_edge(gb_block_loads *l, uint32_t from, uint32_t to, double share, gbcast_error *err) {
  const gbcast_plan *plan = l->pl->plan;
  const int status = gb_planner_site_route(l->pl, from, to, err);
  if (status != GBCAST_OK)
    return status;
  const gb_route *route = &l->pl->net.route;
  const gb_hop *last = &route->hop[route->hop_count - 1];
  gb_route_add_work(route, share * l->blocks[to], l->work);
  l->work[last->resource] -= share * plan->site[to].endpoint_count / last->bandwidth;
  l->passed_on += from == plan->root_site ? 0 : share * l->blocks[to];
  l->latency[to] = route->latency;
  return GBCAST_OK;
}

static int add_tree(gb_block_loads *l, const uint32_t *parent, double share, gbcast_error *err) {
  const uint32_t n = l->pl->plan->site_count;
  int status = GBCAST_OK;
  count_blocks(l, parent);
  for (uint32_t s = 0; status == GBCAST_OK && s < n; s++)
    status = parent[s] == GB_NONE ? GBCAST_OK : add_edge(l, parent[s], s, share, err);
  for (uint32_t s = 0; status == GBCAST_OK && s < n; s++) {
    double way = 0;
    for (uint32_t v = s; parent[v] != GB_NONE; v = parent[v])
      way += l->latency[v];
    l->longest = gb_larger(l->longest, way);
  }
  return status;
}

int gb_block_loads_estimate(gb_planner *pl, const gb_site_trees *trees, gb_score *score, gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  const uint64_t links = gb_resource_count(pl->net.p);
  gb_block_loads l = {.pl = pl,
                      .work = calloc(links, sizeof *l.work),
                      .blocks = malloc(plan->site_count * sizeof *l.blocks),
                      .latency = calloc(plan->site_count, sizeof *l.latency)};
  double busiest = 0;
  int status = l.work && l.blocks && l.latency ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees->count; t++)
    status = add_tree(&l, trees->parent + (size_t)t * plan->site_count,
                      gb_site_share(trees, t, (double)plan->class_bytes), err);
  for (uint64_t r = 0; status == GBCAST_OK && r < links; r++)
    busiest = gb_larger(busiest, l.work[r]);
  score->predicted = busiest + l.longest;
  score->trees = trees->count;
  score->copies = l.passed_on;
  free(l.work);
  free(l.blocks);
  free(l.latency);
  return status;
}
