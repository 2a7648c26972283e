/* What a schedule puts on the network: memory for its edges, and the shares of its trees. */
#include "plan/sim/sim.h"
#include <stdlib.h>

int gb_traffic_new(const gb_schedule *schedule, gb_traffic *traffic, gbcast_error *err) {
  const uint32_t n = schedule->endpoint_count, trees = schedule->tree_count;
  *traffic = (gb_traffic){.tree_count = trees,
                          .edge = calloc(trees, sizeof(gb_edge *)),
                          .sender = calloc(n, sizeof *traffic->sender),
                          .group = calloc(n, sizeof *traffic->group)};
  bool all = traffic->edge && traffic->sender && traffic->group;
  for (uint32_t t = 0; all && t < trees; t++) {
    traffic->edge[t] = calloc(n, sizeof *traffic->edge[t]);
    all = traffic->edge[t] != NULL;
  }
  if (all)
    return GBCAST_OK;
  gb_traffic_free(traffic);
  return gb_no_memory(err);
}

void gb_traffic_free(gb_traffic *traffic) {
  for (uint32_t t = 0; traffic->edge && t < traffic->tree_count; t++)
    free(traffic->edge[t]);
  free(traffic->edge);
  free(traffic->use);
  free(traffic->sender);
  free(traffic->group);
  *traffic = (gb_traffic){0};
}

gb_flow gb_schedule_share(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree) {
  uint32_t before = 0, total = schedule->weight_total;
  for (uint32_t t = 0; t < tree; t++)
    before += schedule->tree[t].weight;
  gb_flow share = *flow;
  share.bytes = gb_share_begin(flow->bytes, before + schedule->tree[tree].weight, total) -
                gb_share_begin(flow->bytes, before, total);
  share.interleave = (double)total / (double)schedule->tree[tree].weight;
  return share;
}

double gb_schedule_fed(const gb_schedule *schedule, const gb_flow *flow, uint32_t tree, uint64_t index) {
  double interleave = (double)schedule->weight_total / (double)schedule->tree[tree].weight;
  return ((double)index * interleave + (double)tree) * flow->feed_interval;
}

double gb_schedule_copies(const gb_schedule *schedule, const gbcast_platform *p) {
  double copies = 0;
  const uint32_t home = schedule->endpoint[schedule->root].host;
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    const uint32_t *parent = schedule->tree[t].parent;
    uint32_t edges = 0;
    for (uint32_t v = 0; v < schedule->endpoint_count; v++) {
      const uint32_t to = schedule->endpoint[v].host;
      edges += parent[v] != GB_NONE && schedule->endpoint[parent[v]].host == home && to != home &&
               p->host[to].cluster == p->host[home].cluster;
    }
    copies += edges * (double)schedule->tree[t].weight / schedule->weight_total;
  }
  return copies;
}
