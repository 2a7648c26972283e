/* How long an all-to-all takes, and what its contention is taken to cost.
 *
 * The busiest link has a message in every phase, so with the time tau that it needs for one, the overhead o
 * of a send and of a receive, the latency L between the hosts that are farthest apart, and s for a signal, a
 * short message from host to host on one switch (g + L of one byte), P phases of M hosts take
 *
 *     2 (M - 1) o + P tau (1 + contention) + L + what the signals cost
 *
 * where M - 1 stands for as many messages as a rank has for other hosts, where these have several.
 *
 * Contention costs up to c, the hosts file's contention=, where messages of different phases meet: as much of
 * that as (f - 1) / 9.6 where f phases may run into each other, and all of it at most. Where all messages are
 * under way at once it costs c (1 + 3 m / 16 KiB) for messages of m bytes, up to 4 c. Signals cost, between
 * those phases where they are sent: s from sender to sender; 2 s when the receiver sends them; s log2 M for a
 * barrier; and with any of these tau / 4 more a phase for blocks above 16 KiB. Paced phases take tau' / 0.95
 * + s each in place of tau, where tau' is the time of the slowest message.
 *
 * Sources of 0.3 (the default of c), 9.6, 4 c and tau / 4: docs/planning.md, "All-to-alls and pictures". */
#include "intra/intra.h"
#include "plan/alltoall/make.h"
#include "plan/sim/sim.h"

#include <math.h>

#define PHASES_TO_FULL_CONTENTION 9.6
#define QUEUES_OVERFLOW 16384 /* bytes: of messages that are under way all at once */
#define HANDING_OVER 0.25     /* of a long message's time, from its end until the next one is under way */

/* Messages to other hosts, of the rank that has the most. */
static uint64_t messages_of_a_rank(const gb_alltoall_site *site) {
  uint64_t least = site->all_ranks;
  for (uint32_t i = 0; i < site->machines.count; i++) {
    least = site->ranks[i] < least ? site->ranks[i] : least;
  }
  return site->all_ranks - least;
}

static double per_byte(const gb_alltoall_site *site, uint32_t link, uint64_t ranks, uint64_t all) {
  return (double)ranks * (double)(all - ranks) / gb_machines_bandwidth(&site->machines, link);
}

/* Seconds a byte that the busiest of the hosts' own links needs, with so many ranks in all. */
static double hosts_need(const gb_alltoall_site *site, uint64_t all) {
  double most = 0;
  for (uint32_t i = 0; i < site->machines.count; i++) {
    const double need = per_byte(site, 2 * i, site->ranks[i], all);
    most = need > most ? need : most;
  }
  return most;
}

/* *slowest: lowered to the bandwidth of the slowest cable that is needed. */
static double cables_need(const gb_alltoall_site *site, double *slowest) {
  const gb_switch_order *order = &site->machines.order;
  double most = 0;
  for (uint32_t v = 1; v < order->node_count; v++) {
    uint64_t below = 0;
    for (uint32_t place = order->first[v]; place < order->end[v]; place++) {
      below += site->ranks[order->host[place]];
    }
    const uint32_t link = 2 * (site->machines.count + v);
    const double need = per_byte(site, link, below, site->all_ranks);
    const double bandwidth = gb_machines_bandwidth(&site->machines, link);
    most = need > most ? need : most;
    *slowest = need > 0 && bandwidth < *slowest ? bandwidth : *slowest;
  }
  return most;
}

/* All ranks of one host send a block to all of another, over the slowest link. */
static double slowest_message(const gb_alltoall_site *site, double slowest) {
  double most[2] = {0, 0};
  for (uint32_t i = 0; i < site->machines.count; i++) {
    const double ranks = site->ranks[i], bandwidth = gb_machines_bandwidth(&site->machines, 2 * i);
    slowest = bandwidth < slowest ? bandwidth : slowest;
    most[1] = ranks > most[1] ? ranks : most[1];
    if (most[1] > most[0]) {
      const double least = most[0];
      most[0] = most[1];
      most[1] = least;
    }
  }
  return most[0] * most[1] / slowest;
}

/* Every link carries all blocks between the ranks on its two sides, in each direction. What goes to other
 * clusters takes none of the cables between switches (see platform/route.h). */
void gb_alltoall_rate(gb_alltoall *a) {
  uint64_t all = 0, pairs = 0;
  double most = 0;
  for (uint32_t s = 0; s < a->site_count; s++) {
    all += a->site[s].all_ranks;
  }
  for (uint32_t s = 0; s < a->site_count; s++) {
    gb_alltoall_site *site = &a->site[s];
    double slowest = INFINITY;
    const double hosts = hosts_need(site, site->all_ranks), cables = cables_need(site, &slowest);
    site->slowest_a_byte = slowest_message(site, slowest);
    site->messages = messages_of_a_rank(site);
    site->farthest = gb_machines_farthest(&site->machines);
    site->own_seconds = hosts_need(site, all);
    site->seconds_a_byte = hosts > cables ? hosts : cables;
    most = site->seconds_a_byte > most ? site->seconds_a_byte : most;
    most = site->own_seconds > most ? site->own_seconds : most;
    for (uint32_t i = 0; i < site->machines.count; i++) {
      pairs += site->ranks[i] * (all - site->ranks[i]);
    }
  }
  a->inside_a_byte = most;
  for (uint32_t r = 0; r < a->transfers.resource_count; r++) {
    most = a->transfers.resource[r].seconds_a_byte > most ? a->transfers.resource[r].seconds_a_byte : most;
  }
  a->seconds_a_byte = most;
  a->peak = most > 0 ? (double)pairs / most : 0;
}

/* How many phases may run into each other. */
static uint32_t apart(const gb_alltoall_site *site, gb_sync_choice choice) {
  const gb_sync *sync = choice.sync;
  const uint32_t free = sync->signaller == GB_SIGNALLER_NONE && !sync->barrier ? site->phases.count
                        : sync->within                                         ? 1
                                                                               : choice.block;
  return free < site->phases.count ? free : site->phases.count;
}

gb_lan gb_alltoall_lan(const gb_alltoall_site *site) {
  const gbcast_platform *p = site->machines.p;
  return gb_lan_of(p, p->host[site->host[0]].cluster);
}

double gb_alltoall_contention(const gb_alltoall_site *site) {
  const gbcast_platform *p = site->machines.p;
  return p->cluster[p->host[site->host[0]].cluster].contention;
}

double gb_alltoall_contention_of_all(const gb_alltoall_site *site, uint64_t bytes) {
  const double part = (double)bytes / QUEUES_OVERFLOW;
  return gb_alltoall_contention(site) * (1 + 3 * (part < 1 ? part : 1));
}

/* By what part of their time messages take longer. */
static double contention(const gb_alltoall_site *site, gb_sync_choice choice, uint64_t bytes) {
  const double most = gb_alltoall_contention(site);
  const double part = (apart(site, choice) - 1) / PHASES_TO_FULL_CONTENTION;
  return choice.sync->at_once ? gb_alltoall_contention_of_all(site, bytes) : most * (part < 1 ? part : 1);
}

/* What messages of so many bytes are measured to take where that is more than what the links need. */
static double message_time(const gb_lan *lan, double link, uint64_t bytes) {
  const double measured = lan->plogp != NULL ? gb_lan_gap(lan, bytes) - lan->overhead : 0;
  return measured > link ? measured : link;
}

double gb_alltoall_pace(const gb_alltoall_site *site, uint64_t bytes) {
  const gb_lan lan = gb_alltoall_lan(site);
  return message_time(&lan, (double)bytes * site->slowest_a_byte, bytes) / GB_PACED_FULL;
}

double gb_alltoall_site_time(const gb_alltoall_site *site, gb_sync_choice choice, uint64_t bytes) {
  const gb_lan lan = gb_alltoall_lan(site);
  const gb_sync *sync = choice.sync;
  const double phases = site->phases.count;
  if (bytes == 0) {
    return 0; /* empty blocks are not sent */
  }
  if (site->phases.count == 0 || sync->native) {
    return gb_alltoall_native_time(site, bytes);
  }
  if (sync->groups) {
    return gb_alltoall_groups_time(site, choice.block, bytes);
  }
  const double link = sync->paced ? gb_alltoall_pace(site, bytes)
                                  : message_time(&lan, (double)bytes * site->seconds_a_byte / phases, bytes);
  const double signal = gb_lan_short_message(&lan);
  const uint32_t all = site->phases.count - 1, between = all / choice.block;
  double signals = sync->barrier ? signal * gb_ceil_log2(site->machines.count) * between : 0;
  signals +=
      signal * (double)sync->signaller * (sync->within ? all - between : between); /* a receiver: twice */
  if (bytes > GB_EAGER_MOST && !sync->paced && (sync->signaller != GB_SIGNALLER_NONE || sync->barrier)) {
    signals += HANDING_OVER * link * all;
  }
  return 2 * (double)site->messages * lan.overhead + phases * link * (1 + contention(site, choice, bytes)) +
         gb_lan_latency(&lan, bytes) + site->farthest + signals;
}

double gb_alltoall_inside_time(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes) {
  double most = 0;
  for (uint32_t s = 0; s < a->site_count; s++) {
    const double time = gb_alltoall_site_time(&a->site[s], choice, bytes);
    most = time > most ? time : most;
  }
  return most;
}

/* The own link of the busiest host carries what it sends inside its site and to others, with o for each
 * message that it sends and for each that comes. */
static double hosts_time(const gb_alltoall *a, uint64_t bytes) {
  double most = 0, hosts = 0;
  for (uint32_t s = 0; s < a->site_count; s++) {
    hosts += a->site[s].machines.count;
  }
  for (uint32_t s = 0; s < a->site_count; s++) {
    const gb_alltoall_site *site = &a->site[s];
    const gb_lan lan = gb_alltoall_lan(site);
    const double time = (double)bytes * site->own_seconds + 2 * (hosts - 1) * lan.overhead + lan.latency;
    most = time > most ? time : most;
  }
  return most;
}

/* What goes on inside the sites and between them goes on at the same time. */
double gb_alltoall_time(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes) {
  const double inside = gb_alltoall_inside_time(a, choice, bytes);
  if (a->site_count == 1 || bytes == 0) {
    return inside;
  }
  const double between = gb_transfers_time(&a->transfers, bytes), hosts = hosts_time(a, bytes);
  const double most = inside > between ? inside : between;
  return hosts > most ? hosts : most;
}
