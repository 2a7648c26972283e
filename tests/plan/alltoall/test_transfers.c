/* What an all-to-all sends between clusters: lanes, turns and times. */
#include "plan/alltoall/make.h"
#include "plan/api/api.h"
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

#include <math.h>

static gbcast_plan *exchange(const gbcast_platform *p, uint64_t bytes) {
  return make(p, (gbcast_request){.operation = GBCAST_ALLTOALL, .bytes = bytes});
}

/* 1 MiB takes 8.388608 ms on the link, 33.554432 ms in a stream; long blocks go at 0.95 of that. */
#define FOUR_STREAMS                                                                                         \
  "cluster a latency=48us bandwidth=1Gbit/s\na[0-3]\ncluster b latency=48us bandwidth=1Gbit/s\nb[0-3]\n"     \
  "link a b latency=1ms bandwidth=1Gbit/s stream-bandwidth=250Mbit/s\n"

Test(alltoall_transfers, lanes_fill_the_link) {
  gbcast_platform *p = parse(FOUR_STREAMS);
  gbcast_plan *plan = exchange(p, 1 << 20);
  for (uint32_t w = 0; w < 2; w++) {
    const gb_site_transfer *transfer = &plan->alltoall->transfers.transfer[w];
    cr_assert_eq(transfer->lanes, 4);
    cr_assert(transfer->paced && transfer->early == 0);
    cr_assert_eq(transfer->ahead, 4); /* and one: four times the 1.06 that fill it */
    for (uint32_t l = 0; l < 4; l++)
      cr_assert(transfer->lane[l] == l && transfer->slot[l].count == 4);
  }
  cr_assert_float_eq(plan->bound, 16 * 8.388608e-3 + 1e-3, 1e-12);
  cr_assert_float_eq(plan->predicted, 4 * (33.554432e-3 + 2e-6) / 0.95 + 1.002e-3, 1e-12);
  cr_assert_float_eq(plan->alltoall->peak, 8 * 7 / (16 / 125e6), 1);
  gbcast_plan_free(plan);

  /* a message takes 2.032 us, its sender learns that it is over 2.004 ms later */
  plan = exchange(p, 1);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].early, 3);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].ahead, GB_SENDS_IN_FLIGHT - 1);
  gbcast_plan_free(plan);

  /* 128 us, and 2.052 ms for lag and word: 16 are gone when a host is told, of as many that are under way */
  gbcast_platform_free(p);
  p = parse("cluster a latency=48us bandwidth=1Gbit/s\na[0-9]\ncluster b latency=48us bandwidth=1Gbit/s\n"
            "b[0-39]\nlink a b latency=1ms bandwidth=1Gbit/s\n");
  plan = exchange(p, 16384);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].lanes, 1);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].early, 15);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].ahead, 15);
  cr_assert_lt(plan->predicted, 1.05 * plan->bound);
  gbcast_plan_free(plan);

  /* 524 us, in turn */
  plan = exchange(p, 65536);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].lanes, 1);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].early, 0);
  cr_assert_eq(plan->alltoall->transfers.transfer[0].ahead, 19);
  cr_assert_lt(plan->predicted, 1.03 / 0.95 * plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(alltoall_transfers, empty_blocks_take_no_time) {
  gbcast_platform *p = parse(FOUR_STREAMS);
  gbcast_plan *plan = exchange(p, 0);
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  cr_assert_eq(plan->predicted, 0);
  cr_assert_eq(gb_alltoall_site_time(&plan->alltoall->site[0], plan->alltoall->sync, 0), 0);
  for (uint32_t w = 0; w < 2; w++) {
    cr_assert_eq(gb_transfer_start(transfers, &transfers->transfer[w], 0), 0);
    cr_assert_eq(gb_transfer_arrival(transfers, &transfers->transfer[w], 0), 0);
  }
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* By position: the receivers of all lanes that have one. */
static void check_lanes(const gb_alltoall *a, const gb_site_transfer *transfer, bool alike) {
  const uint32_t senders = a->site[transfer->from].machines.count,
                 receivers = a->site[transfer->to].machines.count;
  uint32_t longest = 0;
  cr_assert_gt(transfer->lanes, 0);
  cr_assert_leq(transfer->lane[transfer->lanes], senders + transfer->lanes - 1);
  for (uint32_t l = 0; l < transfer->lanes; l++) {
    const gb_lane_slot *last = &transfer->slot[transfer->lane[l + 1] - 1];
    longest = last->before + last->count > longest ? last->before + last->count : longest;
  }
  if (!alike)
    return;
  cr_assert_eq(longest, (senders * receivers + transfer->lanes - 1) / transfer->lanes);
  for (uint32_t position = 0;
       position < longest && transfer->lanes <= receivers && senders % transfer->lanes == 0; position++) {
    bool taken[64] = {false};
    for (uint32_t l = 0; l < transfer->lanes; l++)
      for (uint32_t i = transfer->lane[l]; i < transfer->lane[l + 1]; i++) {
        const gb_lane_slot *slot = &transfer->slot[i];
        const uint32_t receiver = (slot->first + position - slot->before) % receivers;
        if (position < slot->before || position >= slot->before + slot->count)
          continue;
        cr_assert(!taken[receiver], "two lanes of %u -> %u send to %u", transfer->from, transfer->to,
                  receiver);
        taken[receiver] = true;
      }
  }
}

/* All ways over a resource that have ended until then: no more than it can carry. */
static double carried(const gb_site_transfers *transfers, uint32_t resource, double until) {
  double sum = 0;
  for (uint32_t w = 0; w < transfers->count; w++)
    for (size_t i = transfers->first_use[w]; i < transfers->first_use[w + 1]; i++)
      if (transfers->use[i].resource == resource && transfers->transfer[w].end <= until)
        sum += transfers->use[i].share * transfers->transfer[w].alone;
  return sum;
}

static void check_times(const gb_site_transfers *transfers) {
  for (uint32_t w = 0; w < transfers->count; w++) {
    const gb_site_transfer *transfer = &transfers->transfer[w];
    const double full = transfer->paced ? GB_PACED_FULL : 1, start = transfer->start * full,
                 end = transfer->end * full;
    double loads = 0;
    for (size_t i = transfers->first_use[w]; i < transfers->first_use[w + 1]; i++) {
      const uint32_t resource = transfers->use[i].resource;
      cr_assert_leq(transfers->use[i].share, 1 + 1e-9);
      cr_assert_leq(carried(transfers, resource, transfer->end), end * (1 + 1e-6), "%u is asked too much",
                    resource);
      loads += carried(transfers, resource, INFINITY);
    }
    /* While a way waits one of its resources is used for three quarters, while it goes slowly for all. */
    cr_assert_geq(end - start, transfer->alone * (1 - 1e-9));
    cr_assert_leq(start, loads / 0.75 * (1 + 1e-9), "%u -> %u waits for nothing", transfer->from,
                  transfer->to);
    cr_assert_leq(end, (transfer->alone + loads / 0.75) * (1 + 1e-9));
  }
}

Test(alltoall_transfers, resources_are_neither_idle_nor_asked_too_much) {
  gb_random r = {17};
  uint32_t waited = 0;
  for (uint32_t round = 0; round < 300; round++) {
    const bool alike = random_below(&r, 2) == 1, sparse = random_below(&r, 2) == 1;
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){9, 12, alike ? 1 : 4, false, true, sparse, round % 4 == 0, false});
    const uint64_t bytes = round % 16 == 0 ? 0 : UINT64_C(3) << random_below(&r, 24);
    gbcast_plan *plan = exchange(p, bytes);
    const gb_site_transfers *transfers = &plan->alltoall->transfers;
    for (uint32_t w = 0; w < transfers->count; w++) {
      check_lanes(plan->alltoall, &transfers->transfer[w], alike);
      waited += transfers->transfer[w].start > 0;
    }
    check_times(transfers);
    cr_assert_geq(plan->predicted, plan->bound);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
  cr_assert_gt(waited, 300);
}

/* Sites that are alike, whose uplinks carry one way at a time: rounds in which each has another receiver. */
Test(alltoall_transfers, alike_sites_go_round) {
  char text[4096];
  int length = 0;
  for (int s = 0; s < 7; s++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "cluster s%d wan-bandwidth=500Mbit/s\nh[0-3].s%d\n", s, s);
  for (int s = 0; s < 7; s++)
    for (int t = 0; t < s; t++)
      length += snprintf(text + length, sizeof text - (size_t)length,
                         "link s%d s%d latency=%dms bandwidth=1Gbit/s\n", s, t, 1 + (s * t) % 5);
  gbcast_platform *p = parse(text);
  gbcast_plan *plan = exchange(p, 1 << 20);
  const gb_site_transfers *transfers = &plan->alltoall->transfers;
  for (uint32_t w = 0; w < transfers->count; w++) {
    const gb_site_transfer *transfer = &transfers->transfer[w];
    const uint32_t before = transfer->previous;
    cr_assert_eq(transfers->tracks[transfer->from], 2);
    cr_assert_eq((transfer->to + 7 - transfer->from) % 7,
                 before == GB_NONE ? 1 : (transfers->transfer[before].to + 8 - transfer->from) % 7);
  }
  cr_assert_lt(plan->predicted, 1.05 / 0.95 * plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(alltoall_transfers, hash_and_check_cover_them) {
  gbcast_platform *p =
      parse("cluster a wan-bandwidth=1Gbit/s\na[0-2]\ncluster b\nb[0-2]\ncluster c\nc[0-1]\n"
            "link a b latency=1ms bandwidth=1Gbit/s stream-bandwidth=600Mbit/s\n"
            "link a c latency=1ms bandwidth=1Gbit/s\nlink b c latency=1ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = exchange(p, 1 << 20);
  gb_site_transfers *transfers = &plan->alltoall->transfers;
  gb_site_transfer *transfer = transfers->transfer;
  cr_assert(transfer->lanes == 2 && transfer->lane[1] == 2 && transfer->lane[2] == 4);
  uint32_t *const part[] = {
      &transfer->lanes,         &transfer->lane[1], &transfer->slot[0].machine,      &transfer->slot[1].first,
      &transfer->slot[2].count, &transfer->track,   &transfers->transfer[1].previous};
  gbcast_error err = {""};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    const uint32_t kept = *part[i];
    *part[i] = kept == GB_NONE ? 1 : kept + 1;
    cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_EINPUT, "%zu", i);
    cr_assert(i == 0 || gb_plan_hash_decision(plan) != plan->decision, "%zu", i);
    *part[i] = kept;
  }
  cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_OK, "%s", err.message);
  transfer->early++;
  cr_assert_neq(gb_plan_hash_decision(plan), plan->decision);
  transfer->early--;
  transfer->ahead++;
  cr_assert_neq(gb_plan_hash_decision(plan), plan->decision);
  transfer->ahead--;
  transfers->tracks[2]++;
  cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_EINPUT);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}
