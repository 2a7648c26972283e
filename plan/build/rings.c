/* The time of an allgather in which blocks go round rings, one for each site, in the order of the tree. A
 * rank sends its own block round its ring and to one rank of each other site, from which it goes round that
 * ring:
 *
 *   site a    a0 --> a1 --> a2 --> a0      each link carries all blocks but one in n of each site
 *              |      |      |
 *              v      v      v             each block crosses once to each other site
 *   site b    b0 --> b1 --> b2 --> b0
 *
 * Own blocks are under way while those of other sites cross. A block waits for the one before it, and takes
 * no less than its first segment needs to the next rank. With n ranks in the largest site, seconds:
 *
 *   max((n - 1) h, w_own, w_all, h_wan + w_far + (n - 1) h) + L + o
 *
 *   h, h_wan   L + o + g(first segment) to the next rank, and to another site: the greatest
 *   w          all that a link carries of a site's own blocks in its ring, of the others, and of both: of the
 *              link that works longest; or combined by the processor that combines most
 *
 * With one site this is the ring of P. Patarasuk and X. Yuan, JPDC 69, 2009. */
#include "plan/build/build.h"
#include <stdlib.h>

typedef struct gb_ring_load {
  gb_network *net;
  const gb_schedule *schedule;
  const gb_site *site;
  uint32_t sites;
  const uint32_t *order; /* gb_rings_order */
  uint64_t block;        /* bytes */
  double *own, *far;     /* of each link, s */
  double combining;      /* of the host that combines most, s */
  double hop, hop_wan, tail;
} gb_ring_load;

/* What the first segment of a block costs. */
static int first_cost(const gb_ring_load *l, uint32_t from, uint32_t to, double efficiency, gb_cost *cost,
                      gbcast_error *err) {
  const uint64_t segment = l->schedule->tree[0].segment;
  return gb_edge_cost(l->net, l->schedule->endpoint[from], l->schedule->endpoint[to],
                      l->block < segment ? l->block : segment, efficiency, cost, err);
}

static int add_ring(gb_ring_load *l, const gb_site *site, gbcast_error *err) {
  const uint32_t n = site->endpoint_count, all = l->schedule->endpoint_count;
  const double own = (double)l->block * (n - 1), far = (double)l->block * (all - n) * (n - 1) / n;
  for (uint32_t i = 0; n > 1 && i < n; i++) {
    const uint32_t from = l->order[site->first_endpoint + i],
                   to = l->order[site->first_endpoint + (i + 1) % n];
    const uint32_t host = l->schedule->endpoint[from].host;
    gb_cost cost;
    const int status = first_cost(l, from, to, gb_link_efficiency(false, false), &cost, err);
    if (status != GBCAST_OK)
      return status;
    l->hop = gb_larger(l->hop, cost.gap + cost.tail);
    l->tail = gb_larger(l->tail, cost.tail);
    l->combining = gb_larger(l->combining, gb_combining_time(l->net, host, own + far));
    if (host == l->schedule->endpoint[to].host)
      continue;
    gb_route_add_work(&l->net->route, own, l->own);
    gb_route_add_work(&l->net->route, far, l->far);
  }
  return GBCAST_OK;
}

static int add_blocks_across(gb_ring_load *l, const gb_site *from, const gb_site *to, gbcast_error *err) {
  for (uint32_t place = 0; place < from->endpoint_count; place++) {
    const uint32_t entry = to->first_endpoint + gb_rings_entry(from, place, to);
    gb_cost cost;
    const int status = first_cost(l, l->order[from->first_endpoint + place], l->order[entry], 1, &cost, err);
    if (status != GBCAST_OK)
      return status;
    l->hop_wan = gb_larger(l->hop_wan, cost.gap + cost.tail);
    gb_route_add_work(&l->net->route, (double)l->block, l->far);
  }
  return GBCAST_OK;
}

static int add_all(gb_ring_load *l, gbcast_error *err) {
  int status = GBCAST_OK;
  for (uint32_t s = 0; status == GBCAST_OK && s < l->sites; s++) {
    status = add_ring(l, &l->site[s], err);
    for (uint32_t to = 0; status == GBCAST_OK && to < l->sites; to++)
      if (to != s)
        status = add_blocks_across(l, &l->site[s], &l->site[to], err);
  }
  return status;
}

static double time_of(const gb_ring_load *l) {
  double own = 0, far = 0, all = l->combining, longest = 0;
  for (uint64_t r = 0; r < gb_resource_count(l->net->p); r++) {
    own = gb_larger(own, l->own[r]);
    far = gb_larger(far, l->far[r]);
    all = gb_larger(all, l->own[r] + l->far[r]);
  }
  for (uint32_t s = 0; s < l->sites; s++)
    longest = gb_larger(longest, (l->site[s].endpoint_count - 1) * l->hop);
  if (l->sites > 1)
    all = gb_larger(all, l->hop_wan + far + longest);
  return gb_larger(gb_larger(longest, own), all) + l->tail;
}

int gb_rings_time(gb_network *net, const gbcast_plan *plan, const gb_schedule *schedule, uint64_t bytes,
                  double *seconds, gbcast_error *err) {
  const uint64_t links = gb_resource_count(net->p);
  uint32_t *order = malloc(2 * (size_t)schedule->endpoint_count * sizeof *order);
  double *work = calloc(2 * links, sizeof *work);
  gb_ring_load l = {.net = net,
                    .schedule = schedule,
                    .site = plan->site,
                    .sites = plan->site_count,
                    .order = order,
                    .block = bytes / schedule->endpoint_count,
                    .own = work,
                    .far = work + links};
  int status = order != NULL && work != NULL ? GBCAST_OK : gb_no_memory(err);
  if (status == GBCAST_OK) {
    gb_rings_order(schedule, plan->site, plan->site_count, order);
    status = add_all(&l, err);
  }
  *seconds = status == GBCAST_OK ? gb_larger(time_of(&l), plan->bound) : 0;
  free(order);
  free(work);
  return status;
}
