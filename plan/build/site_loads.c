/* What several trees over sites share: each leader, and every directed link on the paths between leaders, as
 * in the simulation (plan/sim/shared_links.c).
 *
 *   leader u   Delta of each message to another site or, if that is longer, m / its own link; Delta of
 *              each to a host of its own site
 *   link       m / B of each message that crosses it; if measured, as gb_route_hop_time says
 *   u -> v     m / B of the stream, if that is narrower than all links
 *
 * all in seconds per message. With several lanes a site's leaders share what goes to other sites, but each is
 * taken to send every message inside its site: so the trees leave leaders some capacity to spare. A message
 * that only one of them receives keeps its link busy for that much less. */
#include "plan/build/site_loads.h"
#include <stdlib.h>

typedef struct gb_uses {
  struct gb_site_use *item;
  size_t count, capacity;
  uint32_t resources;
  uint32_t *number; /* by resource of the platform: its number here, from 1; 0: none */
} gb_uses;

static int add_use(gb_uses *uses, uint32_t resource, double busy, gbcast_error *err) {
  if (uses->count == uses->capacity) {
    size_t capacity = uses->capacity ? 2 * uses->capacity : 64;
    struct gb_site_use *grown = realloc(uses->item, capacity * sizeof *grown);
    if (!grown)
      return gb_no_memory(err);
    uses->item = grown;
    uses->capacity = capacity;
  }
  uses->item[uses->count++] = (struct gb_site_use){resource, busy};
  return GBCAST_OK;
}

/* Adds a message over the route from site u. */
static int add_route(gb_uses *uses, const gb_route *route, uint64_t bytes, uint32_t lanes, uint32_t u,
                     gbcast_error *err) {
  const gb_cost cost = gb_route_cost(route, bytes);
  const double own = gb_route_hop_time(route, &cost, 0, bytes);
  const double stream = (route->plogp ? cost.gap : (double)bytes / route->narrowest) / lanes;
  double longest = (own > cost.delta ? own : cost.delta) / lanes;
  int status = add_use(uses, u, longest, err);
  for (uint32_t i = 1; status == GBCAST_OK && i < route->hop_count; i++) {
    const double busy = gb_route_hop_time(route, &cost, i, bytes) / (i + 1 == route->hop_count ? lanes : 1);
    longest = busy > longest ? busy : longest;
    uint32_t *number = &uses->number[route->hop[i].resource];
    if (*number == 0)
      *number = ++uses->resources;
    status = add_use(uses, *number - 1, busy, err);
  }
  if (status == GBCAST_OK && stream > longest)
    status = add_use(uses, uses->resources++, stream, err);
  return status;
}

/* Adds all that messages from site u keep busy. */
static int add_site(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, uint32_t u,
                    size_t *start, gb_uses *uses, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t v = 0; status == GBCAST_OK && v < graph->n; v++) {
    start[v] = uses->count;
    if (u == v) {
      double busy = 0;
      for (uint32_t i = graph->local_start[u]; i < graph->local_start[u + 1]; i++)
        busy += graph->local_delta[i];
      status = add_use(uses, u, busy, err);
      continue;
    }
    status = gb_planner_site_route(pl, u, v, err);
    if (status == GBCAST_OK)
      status = add_route(uses, &pl->net.route, flow->segment, gb_flow_lanes(flow), u, err);
  }
  return status;
}

static int make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, gb_site_loads *loads,
                gbcast_error *err) {
  const uint32_t n = graph->n;
  size_t *start = malloc(((size_t)n * n + 1) * sizeof *start);
  gb_uses uses = {.resources = n, .number = calloc(gb_resource_count(pl->net.p), sizeof *uses.number)};
  int status = start && uses.number ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t u = 0; status == GBCAST_OK && u < n; u++)
    status = add_site(pl, flow, graph, u, start + (size_t)u * n, &uses, err);
  if (status == GBCAST_OK)
    start[(size_t)n * n] = uses.count;
  free(uses.number);
  *loads = (gb_site_loads){.resources = uses.resources, .start = start, .use = uses.item};
  if (status != GBCAST_OK)
    gb_site_loads_free(loads);
  return status;
}

void gb_site_loads_free(gb_site_loads *loads) {
  free((void *)loads->start);
  free((void *)loads->use);
  *loads = (gb_site_loads){0};
}

int gb_site_loads_find(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph,
                       const gb_host_choice *choice, const gb_site_loads **loads, gbcast_error *err) {
  const uint64_t key[] = {flow->segment, gb_flow_lanes(flow), gb_checksum(choice, graph->n * sizeof *choice)};
  const uint64_t sum = gb_checksum(key, sizeof key);
  int status = GBCAST_OK;
  *loads = &pl->loads;
  if (pl->loads.start && pl->loads_key == sum)
    return GBCAST_OK;
  gb_site_loads_free(&pl->loads);
  status = make(pl, flow, graph, &pl->loads, err);
  pl->loads_key = sum;
  return status;
}
