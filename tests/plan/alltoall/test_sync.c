/* What keeps the phases of an all-to-all apart: replayed with messages that take as long as they like. */
#include "plan/alltoall/alltoall.h"
#include "tests/support/random_exchange.h"

/* Messages start when their sender's last one is over, when all are over that it was told to wait for, and
 * behind the barriers; each takes 1 to 100. Whether two of them were on one link at a time. */
static bool overlaps(const cluster_fixture *f, const gb_alltoall_site *site, gb_sync_choice choice) {
  uint64_t free_link[LINKS] = {0}, own[HOSTS] = {0}, over[HOSTS * HOSTS] = {0}, last = 0, barrier = 0;
  bool overlap = false;
  size_t at = 0;
  for (uint32_t k = 0; k < site->phases.message_count; k++) {
    const gb_message *message = &site->phases.message[k];
    const uint32_t phase = site->phases.phase[k];
    if (choice.sync->barrier && k > 0 && phase / choice.block > site->phases.phase[k - 1] / choice.block)
      barrier = last;
    uint64_t start = own[message->from] > barrier ? own[message->from] : barrier;
    for (; at < site->order.count && site->order.dependence[at].after == k; at++)
      if (gb_alltoall_needs_signal(site, choice, &site->order.dependence[at]) &&
          over[site->order.dependence[at].before] > start)
        start = over[site->order.dependence[at].before];
    over[k] = own[message->from] = start + 1 + rng(100);
    last = over[k] > last ? over[k] : last;
    uint32_t used[LINKS] = {0};
    mark_path(f, site->host[message->from], site->host[message->to], used);
    for (uint32_t link = 0; link < LINKS; link++)
      if (used[link] > 0) {
        overlap |= start < free_link[link];
        free_link[link] = over[k] > free_link[link] ? over[k] : free_link[link];
      }
  }
  return overlap;
}

Test(alltoall_sync, full_schemes_never_let_two_on_one_link) {
  static const char *const full[] = {"sender-all", "receiver-all", "barrier-all", "barrier-partial-sender:3",
                                     "barrier-partial-receiver:4"};
  static const char *const loose[] = {"no-sync", "dummy", "sender-partial:3", "receiver-partial:4",
                                      "barrier-partial-none:3"};
  uint32_t loose_overlaps[5] = {0};
  for (uint32_t round = 0; round < 300; round++) {
    lone_exchange x;
    random_exchange(&x);
    for (size_t i = 0; i < 5; i++) {
      cr_assert(!overlaps(&x.f, &x.site, choice_of(full[i])), "%s", full[i]);
      loose_overlaps[i] += overlaps(&x.f, &x.site, choice_of(loose[i]));
    }
    drop(&x);
  }
  for (size_t i = 0; i < 5; i++)
    cr_assert_gt(loose_overlaps[i], 30, "%s: the replay tells nothing", loose[i]);
}

Test(alltoall_sync, partial_schemes_tell_between_blocks_or_within) {
  for (uint32_t round = 0; round < 50; round++) {
    lone_exchange x;
    random_exchange(&x);
    const size_t all = gb_alltoall_signals(&x.site, choice_of("sender-all"));
    for (uint32_t block = 1; block < 9; block++) {
      char text[40];
      (void)snprintf(text, sizeof text, "sender-partial:%u", block);
      const size_t between = gb_alltoall_signals(&x.site, choice_of(text));
      (void)snprintf(text, sizeof text, "barrier-partial-sender:%u", block);
      cr_assert_eq(between + gb_alltoall_signals(&x.site, choice_of(text)), all);
      cr_assert(block > 1 || between == all);
    }
    cr_assert_eq(gb_alltoall_signals(&x.site, choice_of("receiver-all")), all);
    cr_assert_eq(gb_alltoall_signals(&x.site, choice_of("barrier-all")), 0);
    cr_assert_eq(gb_alltoall_signals(&x.site, choice_of("no-sync")), 0);
    cr_assert_eq(gb_alltoall_barriers(&x.site, choice_of("barrier-all")), x.site.phases.count - 1);
    cr_assert_eq(gb_alltoall_barriers(&x.site, choice_of("barrier-partial-none:3")),
                 (x.site.phases.count + 2) / 3 - 1);
    cr_assert_eq(gb_alltoall_barriers(&x.site, choice_of("sender-partial:3")), 0);
    drop(&x);
  }
}

/* Ends that are still free on the switch of `host`, other than its own. */
static bool has_partner(const gb_alltoall_site *site, uint32_t host, const bool *taken) {
  for (uint32_t other = 0; other < site->machines.count; other++)
    if (other != host && site->machines.node[other] == site->machines.node[host] && !taken[other])
      return true;
  return false;
}

Test(alltoall_sync, dummies_keep_hosts_busy_that_have_a_partner) {
  uint32_t dummies = 0;
  for (uint32_t round = 0; round < 300; round++) {
    lone_exchange x;
    random_exchange(&x);
    for (uint32_t p = 0; p < x.site.phases.count; p++) {
      bool busy[2 * HOSTS], sends[HOSTS] = {false}, receives[HOSTS] = {false};
      gb_message dummy[HOSTS];
      for (uint32_t k = x.site.phases.start[p]; k < x.site.phases.start[p + 1]; k++)
        sends[x.site.phases.message[k].from] = receives[x.site.phases.message[k].to] = true;
      const uint32_t count = gb_alltoall_dummies(&x.site, p, busy, dummy);
      for (uint32_t i = 0; i < count; i++) {
        cr_assert(dummy[i].from != dummy[i].to && !sends[dummy[i].from] && !receives[dummy[i].to]);
        cr_assert_eq(x.site.machines.node[dummy[i].from], x.site.machines.node[dummy[i].to]);
        sends[dummy[i].from] = receives[dummy[i].to] = true;
      }
      for (uint32_t m = 0; m < x.site.machines.count; m++)
        cr_assert(sends[m] || receives[m] ||
                  !(has_partner(&x.site, m, receives) || has_partner(&x.site, m, sends)));
      dummies += count;
    }
    drop(&x);
  }
  cr_assert_gt(dummies, 1000);
}

Test(alltoall_sync, names_are_those_of_table_5_and_four) {
  static const char *const names[] = {"no-sync",
                                      "dummy",
                                      "sender-all",
                                      "sender-partial",
                                      "receiver-all",
                                      "receiver-partial",
                                      "barrier-all",
                                      "barrier-partial-none",
                                      "barrier-partial-sender",
                                      "barrier-partial-receiver",
                                      "paced",
                                      "at-once",
                                      "two-step",
                                      "native"};
  cr_assert_eq(gb_sync_count, sizeof names / sizeof *names);
  for (size_t i = 0; i < gb_sync_count; i++) {
    cr_assert_str_eq(gb_sync_table[i].name, names[i]);
    cr_assert_eq(choice_of(names[i]).sync, &gb_sync_table[i]);
    cr_assert_eq(choice_of(names[i]).block, strstr(names[i], "partial") != NULL ? GB_SYNC_BLOCK
                                            : strcmp(names[i], "two-step") == 0 ? GB_SYNC_BEST
                                                                                : 1);
  }
  cr_assert_eq(choice_of("sender-partial:2147483647").block, 2147483647);
  cr_assert_null(choice_of("auto").sync);
  cr_assert_null(choice_of(NULL).sync);
  static const char *const wrong[] = {"",  "sender", "sender-all:2", "sender-partial:0", "sender-partial:",
                                      ":", "none",   "no-sync:1",    "Sender-all",       "sender-partial:2x"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gb_sync_choice choice;
    gbcast_error err = {""};
    cr_assert_eq(gb_sync_read(wrong[i], &choice, &err), GBCAST_EUSAGE, "%s", wrong[i]);
    cr_assert_not_null(strstr(err.message, wrong[i]));
  }
}
