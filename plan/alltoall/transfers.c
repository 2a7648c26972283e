/* What goes between the clusters of an all-to-all: how many lanes each way has, and how long it takes.
 *
 * A message from host to host (of mean size; all ranks' blocks together) keeps its lane busy for g, its gap.
 * Its sender knows that it is over later, after a lag of 2 L: a long message is asked for before it leaves,
 * or its end is acknowledged. So 1 + lag / g are under way at a time. The next host of the lane is told,
 * which takes w (g + L of one byte inside the site), when as many of the last messages are not over yet as
 * make up for lag and word, so that it begins when the last one leaves the lane free, or somewhat later:
 *
 *   a0   |==b1==|==b2==|==b3==|              lag + w = 2.3 g: told when b1 is over,
 *   a1           lag and word    |==b1==|    idle for 0.3 g
 *
 * Long messages begin one after the other, paced, whenever those before them are over; there a host tells the
 * next when it begins its last, and e and w do not count.
 *
 * So a lane sends one message every
 *
 *     t = g + max(lag + w - e g, 0) / receivers      e = floor((lag + w) / g), less than receivers
 *
 * The narrowest link, where all hosts of a site together make one, takes u for a message. So t / u lanes fill
 * it; 15/16 of that will do, as another lane makes all of them slower for little. The way takes
 *
 *     max(the longest lane's messages t, all messages u)
 *
 * and L more until all is there. g, L and u are those of the design's "What a message costs". */
#include "plan/alltoall/alltoall.h"

#include "intra/intra.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>

#define FULL (15.0 / 16)

typedef struct maker {
  const gbcast_plan *plan;
  gb_alltoall *a;
  gb_ways *ways;
  gb_network net;   /* for its routes */
  uint32_t *number; /* by resource of the platform: its number here, from 1 */
  uint32_t use_capacity, resource_capacity;
} maker;

static uint32_t at_most(double count, uint32_t limit) {
  return count < limit ? (uint32_t)count : limit;
}

/* Rounded up. */
static uint32_t at_most_whole(double count, uint32_t limit) {
  const uint32_t below = at_most(count, limit);
  return below < limit && below < count ? below + 1 : below;
}

/* Mean bytes from host to host, at least one. */
static uint64_t message_bytes(const maker *m, const gb_way *way) {
  const gb_alltoall_site *from = &m->a->site[way->from], *to = &m->a->site[way->to];
  const double pairs = way->pairs / ((double)from->machines.count * to->machines.count);
  const double bytes = (double)m->ways->bytes * pairs;
  if (bytes >= 0x1p60) {
    return (uint64_t)1 << 60;
  }
  const uint64_t below = (uint64_t)bytes;
  return (double)below < bytes || below == 0 ? below + 1 : below;
}

static uint32_t number_of(maker *m, uint64_t id, gbcast_error *err) {
  gb_ways *ways = m->ways;
  if (m->number[id] == 0) {
    gb_way_resource *grown =
        gb_grow(ways->resource, ways->resource_count, &m->resource_capacity, sizeof *grown);
    if (grown == NULL) {
      (void)gb_no_memory(err);
      return GB_NONE;
    }
    ways->resource = grown;
    grown[ways->resource_count++] = (gb_way_resource){.id = id};
    m->number[id] = ways->resource_count;
  }
  return m->number[id] - 1;
}

/* What the way, which goes over the planner's route, takes of what is between the hosts' own links. */
static int add_uses(maker *m, gb_way *way, const gb_cost *cost, uint64_t bytes, double messages,
                    gbcast_error *err) {
  gb_ways *ways = m->ways;
  const gb_route *route = &m->net.route;
  const size_t count = ways->first_use[way - ways->way];
  const double measured = route->plogp != NULL ? 1 / gb_plogp_bandwidth(route->plogp) : INFINITY;
  for (uint32_t i = 1; i + 1 < route->hop_count; i++) {
    gb_way_use *grown = gb_grow(ways->use, count + i - 1, &m->use_capacity, sizeof *grown);
    ways->use = grown != NULL ? grown : ways->use;
    const uint32_t number = grown == NULL ? GB_NONE : number_of(m, route->hop[i].resource, err);
    if (number == GB_NONE) {
      return gb_no_memory(err);
    }
    gb_way_resource *resource = &ways->resource[number];
    const double given = 1 / route->hop[i].bandwidth;
    resource->seconds_a_byte += way->pairs * (given < measured ? given : measured);
    ways->use[count + i - 1] =
        (gb_way_use){number, messages * gb_route_hop_time(route, cost, i, bytes) / way->alone};
  }
  ways->first_use[way - ways->way + 1] = count + route->hop_count - 2;
  return GBCAST_OK;
}

/* Its lanes and its time, over the planner's route. */
static void set_pace(const maker *m, gb_way *way, const gb_cost *cost, uint64_t bytes, double messages,
                     uint32_t *shift) {
  const gb_route *route = &m->net.route;
  const uint32_t senders = m->a->site[way->from].machines.count;
  const uint32_t receivers = m->a->site[way->to].machines.count, last = route->hop_count - 1;
  const double lag = 2 * cost->tail;
  way->paced = m->ways->bytes > GB_EAGER_MOST;
  const double late = way->paced ? 0 : lag + m->ways->word[way->from];
  way->early = at_most(late / cost->gap, receivers - 1);
  way->ahead =
      at_most_whole((way->paced ? GB_PACED_AHEAD : FULL) * (1 + lag / cost->gap), GB_SENDS_IN_FLIGHT) - 1;
  const double gap = gb_larger(cost->gap, (cost->gap + lag) / (way->ahead + 1) * FULL);
  const double idle = gb_larger(late - way->early * cost->gap, 0);
  double narrowest = gb_larger(gb_route_hop_time(route, cost, 0, bytes) / senders,
                               gb_route_hop_time(route, cost, last, bytes) / receivers);
  for (uint32_t i = 1; i < last; i++) {
    narrowest = gb_larger(narrowest, gb_route_hop_time(route, cost, i, bytes));
  }
  way->lanes = at_most_whole(FULL * (gap + idle / receivers) / narrowest, senders);
  const double part = gb_ways_deal(m->a, way, *shift);
  *shift += way->lanes;
  const double turns = part * senders > 1 ? part * senders - 1 : 0;
  const double lane = part * messages * gap + turns * idle, wire = messages * narrowest;
  way->streams = lane > wire / FULL;
  way->alone = way->streams ? lane : wire;
  way->extra = gb_larger(lane - way->alone, 0) / (way->paced ? GB_PACED_FULL : 1);
  way->tail = cost->tail;
}

static int add_way(maker *m, gb_way *way, uint32_t *shift, gbcast_error *err) {
  const gb_alltoall_site *from = &m->a->site[way->from], *to = &m->a->site[way->to];
  const int status = gb_network_route(&m->net, from->host[0], to->host[0], err);
  if (status != GBCAST_OK) {
    return status;
  }
  way->pairs = (double)from->all_ranks * (double)to->all_ranks;
  const uint64_t bytes = message_bytes(m, way);
  const gb_cost cost = gb_route_cost(&m->net.route, bytes);
  const double messages = (double)from->machines.count * to->machines.count;
  set_pace(m, way, &cost, bytes, messages, shift);
  return add_uses(m, way, &cost, bytes, messages, err);
}

/* All ways, in their order, with the arrays that their lanes are in. */
static int add_ways(maker *m, gbcast_error *err) {
  gb_ways *ways = m->ways;
  const uint32_t sites = m->a->site_count;
  uint32_t *lane = ways->lane, w = 0;
  gb_turn *turn = ways->turn;
  int status = GBCAST_OK;
  for (uint32_t from = 0; from < sites; from++) {
    uint32_t shift = 0;
    const uint32_t senders = m->a->site[from].machines.count;
    const gb_lan lan = gb_lan_of(m->plan->platform, m->plan->site[from].cluster);
    ways->word[from] = gb_lan_short_message(&lan);
    for (uint32_t to = 0; status == GBCAST_OK && to < sites; to++) {
      if (to != from) {
        gb_way *way = &ways->way[w++];
        *way = (gb_way){.from = from, .to = to, .lane = lane, .turn = turn};
        status = add_way(m, way, &shift, err);
        lane += senders + 1;
        turn += 2 * (size_t)senders;
      }
    }
  }
  return status;
}

/* A way has at most as many lanes as senders, each of which has at most two turns. */
static bool allocate(gb_ways *ways, const gb_alltoall *a, size_t resources, uint32_t **number) {
  const size_t sites = a->site_count, others = sites - 1;
  size_t hosts = 0;
  for (size_t s = 0; s < sites; s++) {
    hosts += a->site[s].machines.count;
  }
  ways->count = (uint32_t)(sites * others);
  ways->way = calloc(ways->count + (size_t)1, sizeof *ways->way);
  ways->first_use = calloc(ways->count + (size_t)1, sizeof *ways->first_use);
  ways->tracks = calloc(sites, sizeof *ways->tracks);
  ways->word = calloc(sites, sizeof *ways->word);
  ways->lane = calloc(others * (hosts + sites), sizeof *ways->lane);
  ways->turn = calloc(others * hosts, 2 * sizeof *ways->turn);
  *number = calloc(resources, sizeof **number);
  return ways->way != NULL && ways->first_use != NULL && ways->tracks != NULL && ways->word != NULL &&
         ways->lane != NULL && ways->turn != NULL && *number != NULL;
}

int gb_ways_make(gbcast_plan *plan, gb_alltoall *a, gbcast_error *err) {
  maker m = {.plan = plan, .a = a, .ways = &a->ways};
  if (a->site_count < 2) {
    return GBCAST_OK;
  }
  a->ways.bytes = plan->class_bytes;
  const bool enough = allocate(&a->ways, a, gb_resource_count(plan->platform), &m.number);
  int status = enough ? gb_network_new(&m.net, plan->platform, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    status = add_ways(&m, err);
  }
  if (status == GBCAST_OK) {
    status = gb_ways_time_turns(&a->ways, a->site_count, err);
  }
  if (status == GBCAST_OK) {
    status = gb_ways_lay_tracks(&a->ways, a->site_count, err);
  }
  gb_network_release(&m.net);
  free(m.number);
  return status;
}

void gb_ways_free(gb_ways *ways) {
  free(ways->way);
  free(ways->first_use);
  free(ways->use);
  free(ways->resource);
  free(ways->tracks);
  free(ways->word);
  free(ways->lane);
  free(ways->turn);
}
