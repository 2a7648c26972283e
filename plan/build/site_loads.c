/* What several trees over sites share: each leader, and every directed link on the paths between leaders, as
 * in the simulation (plan/sim/shared_links.c).
 *
 *   leader u   Delta of each message to another site or, if that is longer, m / its own link; Delta of
 *              each to a host of its own site
 *   link       m / B of each message that crosses it; if measured, as gb_route_hop_time says
 *   u -> v     m / B of the stream, if that is narrower than all links
 *
 * all in seconds per message. With several lanes a site's leaders share what goes to other sites, and what
 * comes from there. Inside the site the one that sends most counts. */
#include "plan/build/site_loads.h"
#include "plan/build/host_trees.h"
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

/* How many hosts of a site lead lanes. */
static uint32_t leaders_of(const gbcast_plan *plan, uint32_t site, uint32_t lanes) {
  const uint32_t most = gb_lane_hosts(plan, site, lanes);
  return lanes < most ? lanes : most;
}

/* Adds a message over the route from site u to v. */
static int add_route(gb_uses *uses, const gbcast_plan *plan, const gb_route *route, const gb_flow *flow,
                     uint32_t u, uint32_t v, gbcast_error *err) {
  const uint64_t bytes = flow->segment;
  const uint32_t lanes = gb_flow_lanes(flow), senders = leaders_of(plan, u, lanes),
                 receivers = leaders_of(plan, v, lanes);
  const uint32_t streams = senders * receivers < lanes ? senders * receivers : lanes;
  const gb_cost cost = gb_route_cost(route, bytes);
  const double own = gb_route_hop_time(route, &cost, 0, bytes);
  const double stream = (route->plogp ? cost.gap : (double)bytes / route->narrowest) / streams;
  double longest = (own > cost.delta ? own : cost.delta) / senders;
  int status = add_use(uses, u, longest, err);
  for (uint32_t i = 1; status == GBCAST_OK && i < route->hop_count; i++) {
    const bool last = i + 1 == route->hop_count;
    const double busy = gb_route_hop_time(route, &cost, i, bytes) / (last ? receivers : 1);
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

/* Adds to sent, by the first endpoint of each host of a site, what the hosts send each other in one tree. */
static void count_sends(const gb_endpoint *endpoint, const uint32_t *parent, uint32_t count, uint32_t *sent) {
  for (uint32_t i = 0; i < count; i++)
    if (parent[i] != GB_NONE && endpoint[parent[i]].host != endpoint[i].host)
      sent[parent[i] - endpoint[parent[i]].k]++;
}

/* Sets *most to what the busiest leader of several lanes sends inside a site, in copies of a message. */
static int find_most_sent(gb_planner *pl, uint32_t s, gb_host_choice choice, uint32_t lanes, double *most,
                          gbcast_error *err) {
  const gb_site *site = &pl->plan->site[s];
  const gb_endpoint *endpoint = pl->plan->schedule.endpoint + site->first_endpoint;
  const uint32_t count = site->endpoint_count, trees = lanes * gb_intra_trees(choice.intra);
  uint32_t *parent = calloc(3 * (size_t)count, sizeof *parent), leader = 0, copies = 0;
  if (parent == NULL)
    return gb_no_memory(err);
  uint32_t *sent = parent + count, *leads = sent + count;
  int status = GBCAST_OK;
  for (uint32_t t = 0; status == GBCAST_OK && t < trees; t++) {
    status = gb_host_tree(pl, s, choice, t, lanes, parent, &leader, err);
    if (status != GBCAST_OK)
      break;
    count_sends(endpoint, parent, count, sent);
    leads[leader - endpoint[leader].k] = 1;
  }
  for (uint32_t i = 0; i < count; i++)
    copies = leads[i] && sent[i] > copies ? sent[i] : copies;
  *most = (double)copies / trees;
  free(parent);
  return status;
}

/* Adds what a message keeps a site's leaders busy inside. */
static int add_inside(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, gb_host_choice choice,
                      uint32_t u, gb_uses *uses, gbcast_error *err) {
  const uint32_t lanes = gb_flow_lanes(flow), sends = graph->local_start[u + 1] - graph->local_start[u];
  double busy = 0, most = sends;
  for (uint32_t i = graph->local_start[u]; i < graph->local_start[u + 1]; i++)
    busy += graph->local_delta[i];
  int status = lanes > 1 && sends > 0 ? find_most_sent(pl, u, choice, lanes, &most, err) : GBCAST_OK;
  return status == GBCAST_OK ? add_use(uses, u, sends > 0 ? busy / sends * most : 0, err) : status;
}

/* Adds all that messages from site u keep busy. */
static int add_site(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, gb_host_choice choice,
                    uint32_t u, size_t *start, gb_uses *uses, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t v = 0; status == GBCAST_OK && v < graph->n; v++) {
    start[v] = uses->count;
    if (u == v) {
      status = add_inside(pl, flow, graph, choice, u, uses, err);
      continue;
    }
    status = gb_planner_site_route(pl, u, v, err);
    if (status == GBCAST_OK)
      status = add_route(uses, pl->plan, &pl->net.route, flow, u, v, err);
  }
  return status;
}

static int make(gb_planner *pl, const gb_flow *flow, const gb_site_graph *graph, const gb_host_choice *choice,
                gb_site_loads *loads, gbcast_error *err) {
  const uint32_t n = graph->n;
  size_t *start = malloc(((size_t)n * n + 1) * sizeof *start);
  gb_uses uses = {.resources = n, .number = calloc(gb_resource_count(pl->net.p), sizeof *uses.number)};
  int status = start && uses.number ? GBCAST_OK : gb_no_memory(err);
  for (uint32_t u = 0; status == GBCAST_OK && u < n; u++)
    status = add_site(pl, flow, graph, choice[u], u, start + (size_t)u * n, &uses, err);
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
  status = make(pl, flow, graph, choice, &pl->loads, err);
  pl->loads_key = sum;
  return status;
}
