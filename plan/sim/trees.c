/* Several trees over the same endpoints. */
#include "plan/sim/sim.h"
#include <stdlib.h>

int gb_forest_new(const gb_endpoint *endpoint, uint32_t n, uint32_t root, uint32_t trees, gb_forest *forest,
                  gbcast_error *err) {
  *forest = (gb_forest){.n = n,
                        .root = root,
                        .count = trees,
                        .weight_total = trees,
                        .part = calloc(trees, sizeof *forest->part),
                        .sender = calloc(n, sizeof *forest->sender),
                        .group = calloc(n, sizeof *forest->group)};
  int status = forest->part && forest->sender && forest->group ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    gb_part *part = &forest->part[t];
    part->weight = 1;
    part->edge = calloc(n, sizeof *part->edge);
    status = part->edge ? gb_shape_new(endpoint, n, &part->shape, err) : gb_no_memory(err);
    part->shape.root = root;
  }
  if (status != GBCAST_OK)
    gb_forest_free(forest);
  return status;
}

void gb_forest_free(gb_forest *forest) {
  for (uint32_t t = 0; forest->part && t < forest->count; t++) {
    gb_part *part = &forest->part[t];
    gb_shape_free(&part->shape);
    free(part->edge);
    free(part->label);
    free(part->start);
    free(part->arrival);
  }
  free(forest->part);
  free(forest->use);
  free(forest->late);
  free(forest->sender);
  free(forest->group);
  *forest = (gb_forest){0};
}

gb_flow gb_forest_flow(const gb_forest *forest, const gb_flow *flow, uint32_t tree) {
  uint32_t before = 0, total = forest->weight_total;
  for (uint32_t t = 0; t < tree; t++)
    before += forest->part[t].weight;
  gb_flow part = *flow;
  part.bytes = gb_share_begin(flow->bytes, before + forest->part[tree].weight, total) -
               gb_share_begin(flow->bytes, before, total);
  part.turns = (double)total / (double)forest->part[tree].weight;
  return part;
}

double gb_forest_fed(const gb_forest *forest, const gb_flow *flow, uint32_t tree, uint64_t index) {
  double turns = (double)forest->weight_total / (double)forest->part[tree].weight;
  return ((double)index * turns + (double)tree) * flow->pace;
}

double gb_forest_copies(const gbcast_platform *p, const gb_forest *forest) {
  double copies = 0;
  for (uint32_t t = 0; t < forest->count; t++) {
    const gb_shape *shape = &forest->part[t].shape;
    uint32_t home = shape->endpoint[forest->root].host, edges = 0;
    for (uint32_t v = 0; v < forest->n; v++) {
      uint32_t to = shape->endpoint[v].host;
      edges += shape->parent[v] != GB_NONE && shape->endpoint[shape->parent[v]].host == home && to != home &&
               p->host[to].cluster == p->host[home].cluster;
    }
    copies += edges * (double)forest->part[t].weight / forest->weight_total;
  }
  return copies;
}
