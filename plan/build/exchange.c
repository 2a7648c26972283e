/* The time of an allreduce in which the leaders of all sites exchange what their sites have. For few bytes
 * that is the fastest way: a message crosses every distance once, where a tree takes it up and down.
 *
 *   site a   up ===> leader a --- to b, c -->  combines a, b, c   down ===>
 *   site b   up ===> leader b --- to a, c -->  combines a, b, c   down ===>
 *   site c   up ===> leader c --- to a, b -->  combines a, b, c   down ===>
 *
 * All leaders combine in the order of the sites, so all get the same bits. Seconds:
 *
 *   2 D + max((s - 2) Delta + g + L + o, L + o + work)
 *
 *   D      one message from a leader to the last rank of its site, and as long the other way
 *   s      sites; a leader sends s - 1 messages, of which the last may be the longest
 *   work   all of these messages on the link that carries most of them */
#include "plan/build/build.h"
#include <stdlib.h>

typedef struct gb_crossing {  /* over all messages between leaders */
  double *work;               /* of each link, s */
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

int gb_exchange_time(gb_network *net, const gbcast_plan *plan, const gb_composed *composed, uint64_t bytes,
                     double *seconds, gbcast_error *err) {
  const uint64_t links = gb_resource_count(net->p);
  const gb_endpoint *endpoint = plan->schedule.endpoint;
  gb_crossing x = {.work = calloc(links, sizeof *x.work)};
  double inside = 0, most = 0;
  int status = x.work ? gb_time_down(composed, &inside, err) : gb_no_memory(err);
  for (uint32_t from = 0; from < plan->site_count; from++)
    for (uint32_t to = 0; status == GBCAST_OK && to < plan->site_count; to++)
      if (to != from)
        status = add_message(net, endpoint[composed->leaders[from]], endpoint[composed->leaders[to]], bytes,
                             &x, err);
  for (uint64_t r = 0; status == GBCAST_OK && r < links; r++)
    most = gb_larger(most, x.work[r]);
  const double last = (plan->site_count - 2) * x.delta + x.length;
  *seconds = gb_larger(2 * inside + gb_larger(last, x.tail + most), plan->bound);
  free(x.work);
  return status;
}

void gb_exchange_times(gbcast_plan *plan) {
  gb_tree *tree = &plan->schedule.tree[0];
  double longest = 0;
  for (uint32_t s = 0; s < plan->site_count; s++) {
    gb_site *site = &plan->site[s];
    site->label = 0;
    for (uint32_t v = site->first_endpoint; v < site->first_endpoint + site->endpoint_count; v++)
      site->label = gb_larger(site->label, tree->arrival[v] - tree->arrival[plan->leaders[s]]);
    longest = gb_larger(longest, site->label);
  }
  for (uint32_t s = 0; s < plan->site_count; s++) {
    const gb_site *site = &plan->site[s];
    const double later = plan->predicted - longest - tree->arrival[plan->leaders[s]];
    for (uint32_t v = site->first_endpoint; v < site->first_endpoint + site->endpoint_count; v++) {
      tree->start[v] = gb_larger(tree->start[v] + later, 0);
      tree->arrival[v] += later;
    }
  }
}
