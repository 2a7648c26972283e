/* The trees over sites of one algorithm, for the planner's sites. */
#include "plan/build/site_trees.h"
#include "plan/build/multipath_scatter.h"
#include "plan/build/site_loads.h"
#include <stdlib.h>
#include <string.h>

#define MOST_WEIGHT 32u

static int pack(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, const gb_host_choice *choice,
                gb_inter_pack *packing, gb_site_trees *out, gbcast_error *err) {
  gb_site_graph loaded = *graph;
  gb_flow sized = *flow;
  uint32_t *blocks = NULL;
  if (gb_carries_blocks(flow->operation)) {
    sized.segment = flow->bytes;
    loaded.blocks = blocks = malloc(graph->n * sizeof *blocks);
    for (uint32_t s = 0; blocks && s < graph->n; s++)
      blocks[s] = pl->plan->site[s].endpoint_count;
    if (!blocks)
      return gb_no_memory(err);
  }
  int status = gb_site_loads_find(pl, &sized, graph, choice, &loaded.loads, err);
  loaded.most_weight = flow->simulated / 4 < MOST_WEIGHT ? flow->simulated / 4 : MOST_WEIGHT;
  const uint32_t most = pl->most_trees / gb_flow_lanes(flow);
  loaded.most_trees = most < 1 ? 1 : most < GB_SITE_TREES_MOST ? most : GB_SITE_TREES_MOST;
  loaded.simulated = flow->simulated;
  loaded.messages = flow->bytes > 0 ? (double)flow->bytes / (double)flow->segment : 1;
  if (status == GBCAST_OK)
    status = packing(&loaded, out, err);
  free(blocks);
  return status;
}

/* Allocates one tree. */
static int one_tree(uint32_t sites, gb_site_trees *out, gbcast_error *err) {
  *out = (gb_site_trees){.count = 1, .weight = {1}, .parent = malloc(sites * sizeof *out->parent)};
  return out->parent ? GBCAST_OK : gb_no_memory(err);
}

static int build(const gb_site_graph *graph, gb_inter_build *algorithm, gb_site_trees *out,
                 gbcast_error *err) {
  int status = one_tree(graph->n, out, err);
  if (status == GBCAST_OK)
    status = algorithm(graph, out->parent, err);
  if (status != GBCAST_OK)
    gb_site_trees_free(out);
  return status;
}

int gb_site_trees_make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, size_t inter, gb_site_trees *out, gbcast_error *err) {
  const gb_inter_algorithm *algorithm = &gb_inter_table[inter];
  const uint32_t alone = GB_NONE;
  if (pl->plan->site_count == 1)
    return gb_site_trees_copy(&alone, 1, out, err);
  if (algorithm->multipath && gb_carries_blocks(flow->operation))
    return gb_multipath_trees(pl, flow, out, err);
  int status = algorithm->pack ? pack(pl, flow, graph, choice, algorithm->pack, out, err)
                               : build(graph, algorithm->build, out, err);
  if (status != GBCAST_EINPUT)
    return status;
  const gb_cluster *root = &pl->net.p->cluster[pl->plan->site[pl->plan->root_site].cluster];
  return gb_fail_at(err, &root->where,
                    "%s finds no way from site '%s' to all others over links between sites that take part",
                    algorithm->name, root->name);
}

int gb_site_trees_copy(const uint32_t *parent, uint32_t sites, gb_site_trees *out, gbcast_error *err) {
  int status = one_tree(sites, out, err);
  if (status == GBCAST_OK)
    memcpy(out->parent, parent, sites * sizeof *parent);
  return status;
}
