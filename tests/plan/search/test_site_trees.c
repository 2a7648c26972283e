/* Plans with several trees over the sites. */
#include "plan/core/core.h"
#include "plan/show/show.h"
#include "tests/support/mesh.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static double predict(const gbcast_platform *p, uint64_t bytes, const char *root, const char *inter) {
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .root = root, .inter = inter});
  const double ratio = plan->predicted / plan->bound;
  gbcast_plan_free(plan);
  return ratio;
}

Test(site_trees, fill_the_narrowest_cut_of_a_mesh) {
  static const char *const root[] = {"a0", "c0"};
  gbcast_platform *p = NULL;
  cr_assert_eq(gbcast_platform_parse(mesh, sizeof mesh - 1, "mesh", &p, NULL), GBCAST_OK);
  for (int r = 0; r < 2; r++) {
    for (uint64_t bytes = 1 << 20; bytes <= 16 << 20; bytes *= 4) {
      const double single = predict(p, bytes, root[r], "exact"), several = predict(p, bytes, root[r], "auto");
      cr_assert_leq(several, 1.3, "from %s, %llu bytes: %g times the bound", root[r],
                    (unsigned long long)bytes, several);
      cr_assert_leq(several, 0.95 * single, "from %s, %llu bytes: %g, with one tree %g", root[r],
                    (unsigned long long)bytes, several, single);
    }
    cr_assert_leq(predict(p, 16 << 20, root[r], "packing"), 1.45);
  }
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 16 << 20, .root = "c0", .inter = "packing"});
  cr_assert_gt(plan->schedule.tree_count, 2);
  cr_assert_gt(plan->schedule.tree[0].weight, plan->schedule.tree[plan->schedule.tree_count - 1].weight);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Sites of a few hosts: leaders lead as many lanes each, or what one of them sends would hold up the rest. */
Test(site_trees, fill_the_narrowest_cut_from_small_sites) {
  for (int last = 1; last < 8; last++) {
    gbcast_platform *p = NULL;
    char text[400];
    const int length =
        snprintf(text, sizeof text,
                 "cluster a bandwidth=20Mbit/s\na[0-%d]\ncluster b bandwidth=20Mbit/s\nb[0-%d]\n"
                 "cluster c bandwidth=20Mbit/s\nc[0-%d]\nlink a b latency=5ms bandwidth=20Mbit/s\n"
                 "link a c latency=20ms bandwidth=10Mbit/s\nlink b c latency=40ms bandwidth=10Mbit/s\n",
                 last, last, last);
    cr_assert_eq(gbcast_platform_parse(text, (size_t)length, "small", &p, NULL), GBCAST_OK);
    const double ratio = predict(p, 1 << 20, "a0", "auto");
    cr_assert_leq(ratio, 1.9, "%d hosts a site: %g", last + 1, ratio);
    cr_assert_leq(predict(p, 8 << 20, "a0", "auto"), 1.9, "%d hosts a site", last + 1);
    gbcast_platform_free(p);
  }
}

static const gb_grid_kind grid = {
    .sites = 7, .hosts = 5, .slots = 2, .switches = true, .caps = true, .sparse = true};

Test(site_trees, plans_of_random_grids) {
  static const char *const intra[] = {NULL, "two-tree", "linear-contention-free", "flat-segmented"};
  gb_random r = {51};
  int rounds = ROUNDS(150), several = 0;
  for (int round = 0; round < rounds; round++) {
    gbcast_platform *p = random_platform(&r, grid);
    gbcast_request request = {.bytes = gb_size_class(1 + random_below(&r, 8000000)), .inter = "packing"};
    request.intra = intra[random_below(&r, 4)];
    gbcast_plan *plan = make(p, request), *again = make(p, request);
    cr_assert_eq(gbcast_plan_hash(plan), gbcast_plan_hash(again));
    cr_assert_leq(plan->schedule.tree_count, 8);
    cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-12));
    uint32_t weight = 0;
    bool unlike = false;
    for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
      weight += plan->schedule.tree[t].weight;
      for (uint32_t s = 0; s < plan->site_count; s++)
        unlike = unlike || plan->schedule.tree[t].parent[plan->site[s].leader] !=
                               plan->schedule.tree[0].parent[plan->site[s].leader];
    }
    cr_assert_eq(weight, plan->schedule.weight_total);
    several += unlike;
    gbcast_plan_free(plan);
    gbcast_plan_free(again);
    gbcast_platform_free(p);
  }
  cr_assert_gt(several, rounds / 10, "%d", several);
}

Test(site_trees, auto_takes_what_is_faster) {
  gb_random r = {52};
  int taken = 0;
  for (int round = 0; round < 60; round++) {
    gbcast_platform *p = random_platform(&r, grid);
    const uint64_t bytes = gb_size_class(1 + random_below(&r, 8000000));
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes});
    gbcast_plan *single = make(p, (gbcast_request){.bytes = bytes, .inter = "exact"});
    const bool packed = strcmp(plan->inter, "packing") == 0;
    cr_assert_leq(plan->predicted, 1.05 * single->predicted, "round %d: %g and %g", round, plan->predicted,
                  single->predicted);
    for (size_t i = 0; i < plan->candidate_count; i++)
      cr_assert_leq(plan->predicted, 1.05 * plan->candidate[i].predicted);
    taken += packed;
    gbcast_plan_free(plan);
    gbcast_plan_free(single);
    gbcast_platform_free(p);
  }
  cr_assert(taken > 3 && taken < 55, "%d", taken);
}
