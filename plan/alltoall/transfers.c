/* What goes between the clusters of an all-to-all: how many lanes each transfer has, and how long it takes.
 *
 * A message from host to host (of mean size; all ranks' blocks together) keeps its lane busy for g, its gap.
 * Its sender knows that it is over later, after a lag of 2 L: a long message is asked for before it leaves,
 * or its end is acknowledged. So 1 + lag / g are under way at a time. The next host of the lane gets a
 * signal, which takes w (g + L of one byte inside the site), when as many of the last messages are not over
 * yet as make up for lag and signal, so that it begins when the last one leaves the lane free, or later:
 *
 *   a0   |==b1==|==b2==|==b3==|              lag + w = 2.3 g: signalled when b1 is over,
 *   a1           lag and signal  |==b1==|    idle for 0.3 g
 *
 * Long messages begin one after the other, paced, whenever those before them are over; there a host signals
 * the next one when it begins its last, and e and w do not count.
 *
 * So a lane sends one message every
 *
 *     t = g + max(lag + w - e g, 0) / receivers      e = floor((lag + w) / g), less than receivers
 *
 * The narrowest link, where all hosts of a site together make one, takes u for a message. So t / u lanes fill
 * it; 15/16 of that will do, as another lane makes all of them slower for little. The transfer takes
 *
 *     max(the longest lane's messages t, all messages u)
 *
 * and L more until all has arrived. g, L and u are those of the design's "What a message costs". */
#include "plan/alltoall/make.h"

#include "intra/intra.h"
#include "plan/sim/sim.h"
#include "platform/text/text.h"

#include <math.h>
#include <stdlib.h>

#define FULL (15.0 / 16)

typedef struct maker {
  const gbcast_plan *plan;
  gb_alltoall *a;
  gb_site_transfers *transfers;
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
static uint64_t message_bytes(const maker *m, const gb_site_transfer *transfer) {
  const gb_alltoall_site *from = &m->a->site[transfer->from], *to = &m->a->site[transfer->to];
  const double pairs = transfer->pairs / ((double)from->machines.count * to->machines.count);
  const double bytes = (double)m->transfers->bytes * pairs;
  if (bytes >= 0x1p60) {
    return (uint64_t)1 << 60;
  }
  const uint64_t below = (uint64_t)bytes;
  return (double)below < bytes || below == 0 ? below + 1 : below;
}

static uint32_t number_of(maker *m, uint64_t id, gbcast_error *err) {
  gb_site_transfers *transfers = m->transfers;
  if (m->number[id] == 0) {
    gb_transfer_resource *grown =
        gb_grow(transfers->resource, transfers->resource_count, &m->resource_capacity, sizeof *grown);
    if (grown == NULL) {
      (void)gb_no_memory(err);
      return GB_NONE;
    }
    transfers->resource = grown;
    grown[transfers->resource_count++] = (gb_transfer_resource){.id = id};
    m->number[id] = transfers->resource_count;
  }
  return m->number[id] - 1;
}

/* Adds what the transfer, which follows the planner's route, takes of the links between the hosts' own. */
static int add_uses(maker *m, gb_site_transfer *transfer, const gb_cost *cost, uint64_t bytes,
                    double messages, gbcast_error *err) {
  gb_site_transfers *transfers = m->transfers;
  const gb_route *route = &m->net.route;
  const size_t count = transfers->first_use[transfer - transfers->transfer];
  const double measured = route->plogp != NULL ? 1 / gb_plogp_bandwidth(route->plogp) : INFINITY;
  for (uint32_t i = 1; i + 1 < route->hop_count; i++) {
    gb_transfer_use *grown = gb_grow(transfers->use, count + i - 1, &m->use_capacity, sizeof *grown);
    transfers->use = grown != NULL ? grown : transfers->use;
    const uint32_t number = grown == NULL ? GB_NONE : number_of(m, route->hop[i].resource, err);
    if (number == GB_NONE) {
      return gb_no_memory(err);
    }
    gb_transfer_resource *resource = &transfers->resource[number];
    const double given = 1 / route->hop[i].bandwidth;
    resource->seconds_a_byte += transfer->pairs * (given < measured ? given : measured);
    transfers->use[count + i - 1] =
        (gb_transfer_use){number, messages * gb_route_hop_time(route, cost, i, bytes) / transfer->alone};
  }
  transfers->first_use[transfer - transfers->transfer + 1] = count + route->hop_count - 2;
  return GBCAST_OK;
}

/* Its lanes and its time, over the planner's route. */
static void set_pace(const maker *m, gb_site_transfer *transfer, const gb_cost *cost, uint64_t bytes,
                     double messages, uint32_t *shift) {
  const gb_route *route = &m->net.route;
  const uint32_t senders = m->a->site[transfer->from].machines.count;
  const uint32_t receivers = m->a->site[transfer->to].machines.count, last = route->hop_count - 1;
  const double lag = 2 * cost->tail;
  transfer->paced = m->transfers->bytes > GB_EAGER_MOST;
  const double handover = transfer->paced ? 0 : lag + m->transfers->signal_time[transfer->from];
  transfer->early = at_most(handover / cost->gap, receivers - 1);
  transfer->ahead =
      at_most_whole((transfer->paced ? GB_PACED_AHEAD : FULL) * (1 + lag / cost->gap), GB_SENDS_IN_FLIGHT) -
      1;
  const double gap = gb_larger(cost->gap, (cost->gap + lag) / (transfer->ahead + 1) * FULL);
  const double idle = gb_larger(handover - transfer->early * cost->gap, 0);
  double narrowest = gb_larger(gb_route_hop_time(route, cost, 0, bytes) / senders,
                               gb_route_hop_time(route, cost, last, bytes) / receivers);
  for (uint32_t i = 1; i < last; i++) {
    narrowest = gb_larger(narrowest, gb_route_hop_time(route, cost, i, bytes));
  }
  transfer->lanes = at_most_whole(FULL * (gap + idle / receivers) / narrowest, senders);
  const double part = gb_transfer_fill_lanes(m->a, transfer, *shift);
  *shift += transfer->lanes;
  const double slots = part * senders > 1 ? part * senders - 1 : 0;
  const double lane = part * messages * gap + slots * idle, wire = messages * narrowest;
  transfer->streams = lane > wire / FULL;
  transfer->alone = transfer->streams ? lane : wire;
  transfer->extra = gb_larger(lane - transfer->alone, 0) / (transfer->paced ? GB_PACED_FULL : 1);
  transfer->tail = cost->tail;
}

static int add_transfer(maker *m, gb_site_transfer *transfer, uint32_t *shift, gbcast_error *err) {
  const gb_alltoall_site *from = &m->a->site[transfer->from], *to = &m->a->site[transfer->to];
  const int status = gb_network_route(&m->net, from->host[0], to->host[0], err);
  if (status != GBCAST_OK) {
    return status;
  }
  transfer->pairs = (double)from->all_ranks * (double)to->all_ranks;
  const uint64_t bytes = message_bytes(m, transfer);
  const gb_cost cost = gb_route_cost(&m->net.route, bytes);
  const double messages = (double)from->machines.count * to->machines.count;
  set_pace(m, transfer, &cost, bytes, messages, shift);
  return add_uses(m, transfer, &cost, bytes, messages, err);
}

/* All transfers, in their order, with the arrays that their lanes are in. */
static int add_transfers(maker *m, gbcast_error *err) {
  gb_site_transfers *transfers = m->transfers;
  const uint32_t sites = m->a->site_count;
  uint32_t *lane = transfers->lane, w = 0;
  gb_lane_slot *slot = transfers->slot;
  int status = GBCAST_OK;
  for (uint32_t from = 0; from < sites; from++) {
    uint32_t shift = 0;
    const uint32_t senders = m->a->site[from].machines.count;
    const gb_lan lan = gb_lan_of(m->plan->platform, m->plan->site[from].cluster);
    transfers->signal_time[from] = gb_lan_short_message(&lan);
    for (uint32_t to = 0; status == GBCAST_OK && to < sites; to++) {
      if (to != from) {
        gb_site_transfer *transfer = &transfers->transfer[w++];
        *transfer = (gb_site_transfer){.from = from, .to = to, .lane = lane, .slot = slot};
        status = add_transfer(m, transfer, &shift, err);
        lane += senders + 1;
        slot += 2 * (size_t)senders;
      }
    }
  }
  return status;
}

/* A transfer has at most as many lanes as senders, each of which has at most two slots. */
static bool allocate(gb_site_transfers *transfers, const gb_alltoall *a, size_t resources,
                     uint32_t **number) {
  const size_t sites = a->site_count, others = sites - 1;
  size_t hosts = 0;
  for (size_t s = 0; s < sites; s++) {
    hosts += a->site[s].machines.count;
  }
  transfers->count = (uint32_t)(sites * others);
  transfers->transfer = calloc(transfers->count + (size_t)1, sizeof *transfers->transfer);
  transfers->first_use = calloc(transfers->count + (size_t)1, sizeof *transfers->first_use);
  transfers->tracks = calloc(sites, sizeof *transfers->tracks);
  transfers->signal_time = calloc(sites, sizeof *transfers->signal_time);
  transfers->lane = calloc(others * (hosts + sites), sizeof *transfers->lane);
  transfers->slot = calloc(others * hosts, 2 * sizeof *transfers->slot);
  *number = calloc(resources, sizeof **number);
  return transfers->transfer != NULL && transfers->first_use != NULL && transfers->tracks != NULL &&
         transfers->signal_time != NULL && transfers->lane != NULL && transfers->slot != NULL &&
         *number != NULL;
}

int gb_transfers_make(gbcast_plan *plan, gb_alltoall *a, gbcast_error *err) {
  maker m = {.plan = plan, .a = a, .transfers = &a->transfers};
  if (a->site_count < 2) {
    return GBCAST_OK;
  }
  a->transfers.bytes = plan->class_bytes;
  const bool enough = allocate(&a->transfers, a, gb_resource_count(plan->platform), &m.number);
  int status = enough ? gb_network_new(&m.net, plan->platform, err) : gb_no_memory(err);
  if (status == GBCAST_OK) {
    status = add_transfers(&m, err);
  }
  if (status == GBCAST_OK) {
    status = gb_transfers_set_times(&a->transfers, a->site_count, err);
  }
  if (status == GBCAST_OK) {
    status = gb_transfers_set_tracks(&a->transfers, a->site_count, err);
  }
  gb_network_release(&m.net);
  free(m.number);
  return status;
}

void gb_transfers_free(gb_site_transfers *transfers) {
  free(transfers->transfer);
  free(transfers->first_use);
  free(transfers->use);
  free(transfers->resource);
  free(transfers->tracks);
  free(transfers->signal_time);
  free(transfers->lane);
  free(transfers->slot);
}
