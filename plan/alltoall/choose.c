/* Which scheme an all-to-all runs. */
#include "plan/alltoall/make.h"

static int check_groups(const gb_alltoall_site *site, gb_sync_choice choice, gbcast_error *err) {
  if (site->all_ranks > site->machines.count) {
    return gb_fail(err, GBCAST_EUSAGE, "'%s' is for one rank on each host; here are %llu on %u",
                   choice.sync->name, (unsigned long long)site->all_ranks, site->machines.count);
  }
  if (choice.block != GB_SYNC_BEST && site->machines.count % choice.block != 0) {
    return gb_fail(err, GBCAST_EUSAGE, "%u hosts do not make groups of %u each; expected '%s' or a divisor",
                   site->machines.count, choice.block, choice.sync->name);
  }
  return GBCAST_OK;
}

int gb_alltoall_fits(const gb_alltoall *a, gb_sync_choice choice, gbcast_error *err) {
  if (a->site_count > 1 && choice.sync->barrier) {
    return gb_fail(err, GBCAST_EUSAGE,
                   "'%s' would have %u clusters wait for each other in every block of phases; "
                   "expected a scheme without barriers",
                   choice.sync->name, a->site_count);
  }
  if (a->site_count > 1 && (choice.sync->groups || choice.sync->native)) {
    return gb_fail(err, GBCAST_EUSAGE, "'%s' is for one cluster; here are %u", choice.sync->name,
                   a->site_count);
  }
  return choice.sync->groups ? check_groups(a->site, choice, err) : GBCAST_OK;
}

gb_sync_choice gb_alltoall_with_group(const gb_alltoall *a, gb_sync_choice choice, uint64_t bytes) {
  if (choice.block == GB_SYNC_BEST) {
    choice.block = gb_alltoall_group(a->site, bytes);
  }
  return choice;
}

/* The first of equals. So ranks that share memory are left to MPI, and where contention costs nothing all
 * messages go at once, which leaves no link idle. */
gb_sync_choice gb_alltoall_choose(const gb_alltoall *a, uint64_t bytes) {
  static const char *const candidate[] = {
      "native",           "at-once",          "two-step",         "no-sync",    "sender-partial:16",
      "sender-partial:8", "sender-partial:4", "sender-partial:2", "sender-all", "paced"};
  gb_sync_choice best = {NULL, 1};
  double least = 0;
  for (size_t i = 0; i < sizeof candidate / sizeof *candidate; i++) {
    gb_sync_choice choice;
    if (gb_sync_read(candidate[i], &choice, NULL) != GBCAST_OK ||
        gb_alltoall_fits(a, choice, NULL) != GBCAST_OK) {
      continue;
    }
    choice = gb_alltoall_with_group(a, choice, bytes);
    if (choice.sync->groups && choice.block == 1) { /* at-once, with copies */
      continue;
    }
    const double time = gb_alltoall_inside_time(a, choice, bytes);
    if (best.sync == NULL || time < least) {
      best = choice;
      least = time;
    }
  }
  return best;
}
