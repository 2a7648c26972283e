/* Levels into one tree: WAN edges join the leaders, LAN edges the hosts of a site, node edges the ranks of a
 * host. */
#include "plan/compose.h"
#include "plan/edges.h"
#include "plan/local.h"
#include "plan/order.h"
#include "plan/shape.h"
#include "plan/walk.h"
#include <stdlib.h>

static int join(gb_planner *pl, const uint32_t *site_parent, const gb_locals *locals, uint32_t *parent,
                gbcast_error *err) {
  const gbcast_plan *plan = pl->plan;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    const uint32_t *local;
    int status = gb_local_tree(pl, s, locals->intra[s], &local, err);
    if (status != GBCAST_OK)
      return status;
    for (uint32_t i = 0; i < site->endpoint_count; i++)
      parent[site->first_endpoint + i] = local[i] == GB_NONE ? GB_NONE : site->first_endpoint + local[i];
    if (site_parent[s] != GB_NONE)
      parent[site->leader] = plan->site[site_parent[s]].leader;
  }
  return GBCAST_OK;
}

int gb_compose(gb_planner *pl, const uint32_t *site_parent, const gb_locals *locals, const gb_flow *decided,
               const gb_flow *walked, gb_composed *out, gbcast_error *err) {
  uint32_t n = pl->plan->endpoint_count;
  *out = (gb_composed){.label = malloc(n * sizeof(double)),
                       .start = malloc(n * sizeof(double)),
                       .arrival = malloc(n * sizeof(double))};
  int status = out->label && out->start && out->arrival ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK)
    status = gb_shape_new(pl->plan->endpoint, n, &out->shape, err);
  if (status == GBCAST_OK)
    status = gb_edges_new(n, &out->edges, err);
  out->shape.root = pl->plan->root;
  if (status == GBCAST_OK)
    status = join(pl, site_parent, locals, out->shape.parent, err);
  if (status == GBCAST_OK)
    status = gb_order_children(pl, &out->shape, decided, &out->edges, out->label, err);
  if (status == GBCAST_OK)
    status = gb_edges_for_walk(pl, &out->shape, walked, &out->edges, err);
  if (status == GBCAST_OK)
    status = gb_walk(&out->shape, walked, &out->edges, out->start, out->arrival, &out->makespan, err);
  if (status != GBCAST_OK)
    gb_composed_free(out);
  return status;
}

void gb_composed_free(gb_composed *c) {
  gb_shape_free(&c->shape);
  gb_edges_free(&c->edges);
  free(c->label);
  free(c->start);
  free(c->arrival);
  *c = (gb_composed){0};
}
