/* Trees in each of which other sites pass on. */
#include "inter/inter.h"
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

#define MOST_SITES 40

/* Sites of `hosts` hosts behind uplinks of mbit[s], each as far from all others. */
static gbcast_platform *star(uint32_t sites, uint32_t hosts, const uint32_t *mbit) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  for (uint32_t s = 0; s < sites; s++)
    fprintf(out,
            "cluster c%u bandwidth=1Gbit/s latency=50us wan-bandwidth=%uMbit/s overhead=2us\nh[0-%u].c%u\n",
            s, mbit[s], hosts - 1, s);
  for (uint32_t s = 0; s < sites; s++)
    for (uint32_t v = 0; v < s; v++)
      fprintf(out, "link c%u c%u latency=10ms bandwidth=%uMbit/s overhead=2us\n", s, v,
              mbit[s] < mbit[v] ? mbit[s] : mbit[v]);
  fclose(out);
  gbcast_platform *p = parse(text);
  free(text);
  return p;
}

static void fill(uint32_t *mbit, uint32_t value) {
  for (uint32_t s = 0; s < MOST_SITES; s++)
    mbit[s] = value;
}

/* Of one host each: how many copies of a share a host sends over all trees, and in how many it sends any. */
static uint32_t copies_of(const gbcast_plan *plan, uint32_t host, uint32_t *trees) {
  uint32_t copies = 0;
  *trees = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    const uint32_t children =
        plan->schedule.tree[t].child_start[host + 1] - plan->schedule.tree[t].child_start[host];
    copies += children;
    *trees += children > 0;
  }
  return copies;
}

static uint32_t depth_of(const gbcast_plan *plan, uint32_t tree, uint32_t host) {
  uint32_t depth = 0;
  for (; host != plan->schedule.root; host = plan->schedule.tree[tree].parent[host])
    depth++;
  return depth;
}

Test(disjoint, alike_sites_send_what_they_receive) {
  uint32_t mbit[MOST_SITES];
  fill(mbit, 100);
  for (uint32_t sites = 3; sites <= MOST_SITES; sites++) {
    gbcast_platform *p = star(sites, 1, mbit);
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .inter = "disjoint", .segment = 4096});
    uint32_t passing = 0;
    for (uint32_t h = 0; h < sites; h++) {
      uint32_t trees;
      cr_assert_leq(copies_of(plan, h, &trees), plan->schedule.tree_count, "%u sites, host %u", sites, h);
      passing += h == plan->schedule.root ? 0 : trees;
    }
    cr_assert_leq(passing, sites - 1 + plan->schedule.tree_count, "%u sites",
                  sites); /* but for the last ones each in one */
    for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
      for (uint32_t h = 0; h < sites; h++)
        cr_assert_leq(depth_of(plan, t, h), 5, "%u sites", sites);
    cr_assert_leq(plan->predicted, 1.3 * plan->bound, "%u sites: %g, bound %g", sites, plan->predicted,
                  plan->bound);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

Test(disjoint, wide_uplinks_carry_more) {
  uint32_t mbit[MOST_SITES], trees;
  fill(mbit, 100);
  mbit[3] = mbit[7] = 500;
  gbcast_platform *p = star(16, 1, mbit);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .inter = "disjoint", .segment = 4096});
  for (uint32_t h = 0; h < 16; h++)
    if (mbit[h] == 100)
      cr_assert_leq(copies_of(plan, h, &trees), plan->schedule.tree_count);
  cr_assert_gt(copies_of(plan, 3, &trees) + copies_of(plan, 7, &trees), 3 * plan->schedule.tree_count);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* A root that sends once in the time in which the others hear twice: time is the root's. */
Test(disjoint, a_slow_root_sends_once) {
  uint32_t mbit[MOST_SITES], trees;
  fill(mbit, 100);
  mbit[0] = 50;
  gbcast_platform *p = star(12, 1, mbit);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .inter = "disjoint", .segment = 4096});
  cr_assert_eq(plan->schedule.root, 0);
  cr_assert_eq(copies_of(plan, 0, &trees), plan->schedule.tree_count);
  cr_assert_leq(plan->predicted, 1.3 * plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Also where there are fewer segments than trees, or two sites. */
Test(disjoint, short_messages_and_few_sites) {
  static const uint64_t bytes[] = {0, 1, 3, 1000, 5000, 20000};
  uint32_t mbit[MOST_SITES];
  fill(mbit, 100);
  for (uint32_t sites = 2; sites <= MOST_SITES; sites += 19) {
    gbcast_platform *p = star(sites, 1, mbit);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
      gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes[i],
                                                   .inter = "disjoint",
                                                   .intra = "linear-contention-free",
                                                   .root = "h0.c1",
                                                   .segment = 1000});
      cr_assert_leq(plan->schedule.tree_count, sites == 2 || bytes[i] <= 1000 ? 1 : GB_SITE_TREES_MOST,
                    "%u sites", sites);
      for (uint32_t h = 0; h < sites && bytes[i] <= 1000; h++)
        cr_assert_leq(depth_of(plan, 0, h), 3, "%u sites", sites);
      gbcast_plan_free(plan);
    }
    gbcast_platform_free(p);
  }
}

static double predict(const gbcast_platform *p, uint64_t bytes, const char *inter) {
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .inter = inter});
  const double predicted = plan->predicted;
  gbcast_plan_free(plan);
  return predicted;
}

/* Between sites behind alike uplinks, in `part` of the time of one tree. Returns the number of lanes. */
static uint32_t auto_takes_them(uint32_t sites, uint32_t hosts, uint32_t uplink, uint64_t bytes,
                                double part) {
  uint32_t mbit[MOST_SITES];
  fill(mbit, uplink);
  gbcast_platform *p = star(sites, hosts, mbit);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes});
  const uint32_t lanes = plan->lanes;
  cr_assert_str_eq(plan->inter, "disjoint");
  cr_assert_leq(plan->predicted, 0.95 * predict(p, bytes, "packing"));
  cr_assert_leq(plan->predicted, part * predict(p, bytes, "exact"));
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  return lanes;
}

Test(disjoint, auto_takes_them_between_many_alike_sites) {
  auto_takes_them(24, 2, 100, 1 << 20, 0.4);
}

/* One host of a site feeds no more than its own link carries: lanes and these trees go together. */
Test(disjoint, in_lanes) {
  cr_assert_gt(auto_takes_them(MOST_SITES, 4, 2000, 8 << 20, 0.4), 1);
}

static gbcast_platform *random_star(gb_random *r) {
  uint32_t mbit[MOST_SITES];
  const uint32_t sites = 3 + random_below(r, 18);
  for (uint32_t s = 0; s < sites; s++)
    mbit[s] = 100 * (1 + random_below(r, 2));
  return star(sites, 1 + random_below(r, 3), mbit);
}

Test(disjoint, plans_of_random_grids) {
  gb_random r = {81};
  const gb_grid_kind grid = {
      .sites = 14, .hosts = 4, .slots = 2, .switches = true, .caps = true, .sparse = true, .windows = true};
  uint32_t several = 0;
  for (int round = 0; round < ROUNDS(150); round++) {
    gbcast_platform *p = round % 2 ? random_platform(&r, grid) : random_star(&r);
    const uint64_t bytes = gb_size_class(1 + random_below(&r, 8000000));
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .inter = "disjoint"}),
                *again = make(p, (gbcast_request){.bytes = bytes, .inter = "disjoint"});
    cr_assert_eq(plan->hash, again->hash);
    cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-12), "round %d: %.17g below %.17g", round,
                  plan->predicted, plan->bound);
    several += plan->schedule.tree_count > 2;
    gbcast_plan_free(plan);
    gbcast_plan_free(again);
    gbcast_platform_free(p);
  }
  cr_assert_gt(several, ROUNDS(150) / 6, "%u", several);
}
