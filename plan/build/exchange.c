/* The time of an allreduce or an allgather in which the leaders of all sites exchange what their sites have.
 * A message crosses every distance once, where a tree takes it up and down.
 *
 *   site a   up ===> leader a --- to b, c -->  has a, b, c   down ===>
 *   site b   up ===> leader b --- to a, c -->  has a, b, c   down ===>
 *   site c   up ===> leader c --- to a, b -->  has a, b, c   down ===>
 *
 * In an allreduce all leaders combine in the order of the sites, so all get the same bits. Seconds:
 *
 *   U + D + max((s - 2) Delta + g + L + o, L + o + work)
 *
 *   U, D   one segment up inside a site, and down
 *   s      sites; a leader sends s - 1 messages, of which the last may be the longest
 *   work   all of these messages on the link that carries most of them, or combined by the processor that
 *          gets most of them; in an allgather also what goes up and down inside the sites, as it is under way
 *          at the same time */
#include "plan/build/build.h"
#include <stdlib.h>

typedef struct gb_crossing {  /* over all messages between leaders */
  double *work;               /* of each link, s */
  double combining;           /* of the host that combines most, s */
  double delta, length, tail; /* the greatest Delta, g + L + o, and L + o */
} gb_crossing;

static int add_message(gb_network *net, gb_endpoint from, gb_endpoint to, uint64_t bytes, gb_crossing *x,
                       gbcast_error *err) {
  gb_cost cost;
  const int status = gb_edge_cost(net, from, to, bytes, 1, &cost, err);
  if (status != GBCAST_OK)
    return status;
  x->delta = gb_larger(x->delta, cost.delta);
  x->length = gb_larger(x->length, cost.gap + cost.tail);
  x->tail = gb_larger(x->tail, cost.tail);
  gb_route_add_work(&net->route, (double)bytes, x->work);
  return GBCAST_OK;
}

double gb_combining_time(const gb_network *net, uint32_t host, double bytes) {
  return net->combines ? bytes * net->p->cluster[net->p->host[host].cluster].reduce : 0;
}

/* The bytes that a site's leader sends to each other one. */
static uint64_t bytes_of(const gbcast_plan *plan, uint32_t site, uint64_t bytes) {
  return gb_carries_parts(plan->operation)
             ? bytes / plan->schedule.endpoint_count * plan->site[site].endpoint_count
             : bytes;
}

/* An allgather: adds the work of the edges inside the sites, and finds how long a segment takes up to the
 * leaders. order, below: memory, one for each endpoint. */
static int add_inside(gb_network *net, const gb_composed *composed, uint64_t bytes, uint32_t *order,
                      uint32_t *below, double *up, gb_crossing *x, gbcast_error *err) {
  const gb_schedule *schedule = &composed->schedule;
  const gb_tree *tree = &schedule->tree[0];
  const uint32_t n = schedule->endpoint_count;
  const gb_edge *edge = composed->traffic.edge[0];
  int status = GBCAST_OK;
  gb_tree_sizes(tree, schedule->root, n, order, below);
  for (uint32_t i = n; status == GBCAST_OK && i-- > 1;) {
    const uint32_t v = order[i], u = tree->parent[v];
    const gb_endpoint parent = schedule->endpoint[u], child = schedule->endpoint[v];
    const uint64_t blocks = bytes / n * below[v];
    const double children = tree->child_start[v + 1] - tree->child_start[v];
    gb_cost cost;
    x->combining =
        gb_larger(x->combining, gb_combining_time(net, schedule->endpoint[v].host, children * (double)bytes));
    if (edge[v].wan)
      continue;
    status = gb_edge_cost(net, child, parent, blocks < tree->segment ? blocks : tree->segment, 1, &cost, err);
    if (status != GBCAST_OK)
      break;
    up[u] = gb_larger(up[u], up[v] + cost.gap + cost.tail);
    if (parent.host == child.host)
      continue;
    gb_route_add_work(&net->route, (double)blocks, x->work);
    status = gb_network_route(net, parent.host, child.host, err);
    if (status == GBCAST_OK)
      gb_route_add_work(&net->route, (double)bytes, x->work);
  }
  return status;
}

static int find_inside(gb_network *net, const gb_composed *composed, uint64_t bytes, double *longest,
                       gb_crossing *x, gbcast_error *err) {
  const uint32_t n = composed->schedule.endpoint_count;
  uint32_t *order = malloc(2 * (size_t)n * sizeof *order);
  double *up = calloc(n, sizeof *up);
  const int status = order != NULL && up != NULL
                         ? add_inside(net, composed, bytes, order, order + n, up, x, err)
                         : gb_no_memory(err);
  *longest = 0;
  for (uint32_t v = 0; status == GBCAST_OK && v < n; v++)
    *longest = gb_larger(*longest, up[v]);
  free(order);
  free(up);
  return status;
}

static int find_time(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                     gb_crossing *x, double *seconds, gbcast_error *err) {
  const uint64_t links = gb_resource_count(net->p);
  const gb_endpoint *endpoint = plan->schedule.endpoint;
  double down = 0, most = 0;
  int status = gb_time_down(composed, &down, err);
  double up = down;
  if (status == GBCAST_OK && gb_carries_parts(plan->operation))
    status = find_inside(net, composed, bytes, &up, x, err);
  for (uint32_t from = 0; from < plan->site_count; from++) {
    const gb_endpoint leader = endpoint[composed->leaders[from]];
    const uint64_t each = bytes_of(plan, from, bytes);
    for (uint32_t to = 0; status == GBCAST_OK && to < plan->site_count; to++)
      if (to != from)
        status = add_message(net, leader, endpoint[composed->leaders[to]], each, x, err);
    x->combining =
        gb_larger(x->combining, gb_combining_time(net, leader.host, (double)each * (plan->site_count - 1)));
  }
  most = x->combining;
  for (uint64_t r = 0; status == GBCAST_OK && r < links; r++)
    most = gb_larger(most, x->work[r]);
  const double last = (plan->site_count - 2) * x->delta + x->length;
  *seconds = up + down + gb_larger(last, x->tail + most);
  return status;
}

int gb_leaders_time(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                    double *seconds, gbcast_error *err) {
  gb_crossing x = {.work = calloc(gb_resource_count(net->p), sizeof *x.work)};
  if (x.work == NULL)
    return gb_no_memory(err);
  const int status = find_time(net, plan, composed, bytes, &x, seconds, err);
  *seconds = gb_larger(*seconds, plan->bound);
  free(x.work);
  return status;
}

/* s from the leader having all until all of its site have it. In the simulation the root has all at the
 * start, and its site gets it at the pace of the links between sites: no later than the other sites, then. */
static void set_labels(gbcast_plan *plan) {
  const gb_tree *tree = &plan->schedule.tree[0];
  double elsewhere = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    gb_site *site = &plan->site[s];
    site->label = 0;
    for (uint32_t v = site->first_endpoint; v < site->first_endpoint + site->endpoint_count; v++)
      site->label = gb_larger(site->label, tree->arrival[v] - tree->arrival[plan->leaders[s]]);
    if (s != plan->root_site)
      elsewhere = gb_larger(elsewhere, site->label);
  }
  if (gb_carries_parts(plan->operation))
    plan->site[plan->root_site].label = gb_smaller(plan->site[plan->root_site].label, elsewhere);
}

static void set_leaders_times(gbcast_plan *plan) {
  gb_tree *tree = &plan->schedule.tree[0];
  double longest = 0;
  set_labels(plan);
  for (uint32_t s = 0; s < plan->site_count; s++)
    longest = gb_larger(longest, plan->site[s].label);
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    const double leader = tree->arrival[plan->leaders[s]], there = gb_larger(plan->predicted - longest, 0);
    for (uint32_t v = site->first_endpoint; v < site->first_endpoint + site->endpoint_count; v++) {
      tree->arrival[v] = there + gb_smaller(tree->arrival[v] - leader, site->label);
      tree->start[v] = gb_smaller(gb_larger(tree->start[v] + there - leader, 0), tree->arrival[v]);
    }
  }
}

/* All ranks send and receive until the end. */
static void set_rings_times(gbcast_plan *plan) {
  gb_tree *tree = &plan->schedule.tree[0];
  for (uint32_t s = 0; s < plan->site_count; s++)
    plan->site[s].label = plan->predicted;
  for (uint32_t v = 0; v < plan->schedule.endpoint_count; v++) {
    tree->start[v] = 0;
    tree->arrival[v] = plan->predicted;
  }
}

void gb_exchange_times(gbcast_plan *plan) {
  if (plan->schedule.exchange == GB_EXCHANGE_RINGS)
    set_rings_times(plan);
  else
    set_leaders_times(plan);
}
