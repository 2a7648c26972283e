/* What one message costs on a route (docs/planning.md, "What it knows"), and how long it takes each link:
 *
 *   Delta = injection, else o + m / own link      the sender is busy
 *   g     = max(Delta, o + m / narrowest link)    the message has left the narrowest link
 *   L + o                                         then it is there
 *
 * all in s. Measured values (plogp) replace them. */
#include "platform/cost/cost.h"

/* Inside a cluster the gap is that of the hosts' own links, so Delta = g. Between sites it is that of a link
 * far away: where os(m) was measured the sender is free after that.
 *
 *   own link   |1|2| |1|2| ...        os each: two slow sites are fed at the same time
 *   link 1     |===1===|===1===|      g each
 *   link 2       |===2===|===2===|                                                                      */
gb_cost gb_route_cost(const gb_route *r, uint64_t bytes) {
  if (r->plogp != NULL) {
    double gap = gb_plogp_gap(r->plogp, bytes);
    return (gb_cost){.delta = r->wan ? gb_plogp_send(r->plogp, bytes) : gap,
                     .gap = gap,
                     .tail = gb_plogp_latency(r->plogp, bytes)};
  }
  double size = (double)bytes;
  double delta = r->injection >= 0 ? r->injection : r->overhead + size / r->own_link;
  double through = r->overhead + size / r->narrowest;
  return (gb_cost){
      .delta = delta, .gap = delta > through ? delta : through, .tail = r->latency + r->overhead};
}

/* Where g was measured no link is busy for longer than that, and the hosts' own links are busy at least for
 * os and or. */
double gb_route_hop_time(const gb_route *r, const gb_cost *cost, uint32_t i, uint64_t bytes) {
  double time = (double)bytes / r->hop[i].bandwidth, least = 0;
  if (r->plogp == NULL) {
    return time;
  }
  if (i == 0) {
    least = cost->delta;
  } else if (i + 1 == r->hop_count) {
    least = r->wan ? gb_plogp_receive(r->plogp, bytes) : cost->gap;
  }
  time = time > least ? time : least;
  return time < cost->gap ? time : cost->gap;
}

void gb_route_add_work(const gb_route *r, double bytes, double *work) {
  for (uint32_t i = 0; i < r->hop_count; i++)
    work[r->hop[i].resource] += bytes / r->hop[i].bandwidth;
}
