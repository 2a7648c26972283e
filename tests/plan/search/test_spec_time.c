/* Trees that were simulated are not simulated again, and cost what a simulation of their own says; those that
 * are far behind are not simulated to the end. */
#include "plan/search/kept_host_choices.h"
#include "plan/search/spec_time.h"
#include "tests/support/planners.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

/* A random tree over the sites, below their root. */
static void random_sites(gb_random *r, const gbcast_plan *plan, uint32_t *parent) {
  for (uint32_t k = 0; k < plan->site_count; k++) {
    const uint32_t site = (plan->root_site + k) % plan->site_count;
    parent[site] = k ? (plan->root_site + random_below(r, k)) % plan->site_count : GB_NONE;
  }
}

/* Prices the trial with the flow's best LAN algorithms. *full: s, the same trees walked to their
 * end. */
static void walk(gb_planner *pl, uint32_t *parent, const gb_flow *flow, gb_spec *spec, double *full) {
  const gb_site_trees trees = gb_one_site_tree(parent);
  const gb_host_choice *choice;
  gb_composed fresh;
  cr_assert_eq(gb_host_choices_find(pl, flow, GB_INTRA_MIXED, GB_HOST_OPTIONS_ALL, &choice, NULL), GBCAST_OK);
  cr_assert_eq(gb_spec_simulate(pl, &trees, choice, flow, spec, NULL), GBCAST_OK);
  cr_assert_eq(gb_compose(pl, &trees, choice, flow, &fresh, NULL), GBCAST_OK);
  cr_assert_eq(gb_composed_simulate(pl, flow, &fresh, NULL), GBCAST_OK);
  *full = fresh.makespan;
  gb_composed_free(&fresh);
}

/* Two trees over sites at two segment sizes in one and two lanes, each twice and in turn. */
Test(spec_time, the_same_trees_are_simulated_once) {
  gb_random r = {7};
  for (int round = 0; round < ROUNDS(40); round++) {
    gbcast_platform *p = random_platform(&r, (gb_grid_kind){.sites = 5, .hosts = 4, .slots = 2});
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 100000});
    gb_planner pl;
    uint32_t parent[2][5];
    gb_spec first[8];
    new_planner(plan, &pl);
    random_sites(&r, plan, parent[0]);
    random_sites(&r, plan, parent[1]);
    const bool alike = memcmp(parent[0], parent[1], plan->site_count * sizeof *parent[0]) == 0;
    for (int i = 0; i < 16; i++) {
      const uint32_t lanes = i & 4 ? 2 : 1;
      const gb_flow flow = gb_spec_flow(&pl, i & 2 ? 4096 : 8192, lanes);
      gb_spec spec = {.lanes = lanes, .segment = flow.segment};
      const size_t before = pl.simulated_count;
      double full;
      walk(&pl, parent[i & 1], &flow, &spec, &full);
      cr_assert_eq(spec.predicted, full, "round %d, %d: %.17g, a walk says %.17g", round, i, spec.predicted,
                   full);
      cr_assert_eq(spec.site_trees, 1);
      const bool known = i >= 8 || (alike && i % 2 == 1);
      cr_assert_eq(pl.simulated_count, before + !known, "round %d, %d: %zu walks", round, i,
                   pl.simulated_count);
      if (i < 8)
        first[i] = spec;
      cr_assert_eq(spec.copies, first[i % 8].copies);
      cr_assert_eq(spec.terms.start_up, first[i % 8].terms.start_up);
      cr_assert_eq(spec.terms.pipeline, first[i % 8].terms.pipeline);
      cr_assert_eq(spec.terms.delay, first[i % 8].terms.delay);
    }
    gb_planner_release(&pl);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

Test(spec_time, first_segments_are_enough_for_what_is_far_behind) {
  gb_random r = {8};
  int previewed = 0;
  for (int round = 0; round < 60 / GB_ROUNDS_PART; round++) {
    gbcast_platform *p = random_platform(&r, (gb_grid_kind){.sites = 5, .hosts = 4, .slots = 2});
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 16 << 20});
    gb_planner pl;
    new_planner(plan, &pl);
    const gb_flow flow = gb_spec_flow(&pl, 8192, 1);
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
      uint32_t parent[5];
      gb_spec spec = {.lanes = 1, .segment = flow.segment, .tree_inter = (size_t)i};
      double full;
      random_sites(&r, plan, parent);
      walk(&pl, parent, &flow, &spec, &full);
      if (spec.previewed) {
        cr_assert_gt(full, 1.05 * least, "round %d: %g, the fastest %g", round, full, least);
        cr_assert_float_eq(spec.predicted, full, 0.05 * full, "round %d: %g, in full %g", round,
                           spec.predicted, full);
        previewed++;
      } else
        cr_assert_eq(spec.predicted, full);
      least = full < least ? full : least;
      cr_assert_eq(pl.fastest.predicted, least);
    }
    gb_planner_release(&pl);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
  cr_assert_gt(previewed, 30 / GB_ROUNDS_PART, "%d", previewed);
}

/* Both trees are of one algorithm: after one that was near the next is walked in full, after one that was far
 * not. */
Test(spec_time, what_was_near_is_walked_at_once) {
  gbcast_platform *p =
      parse("cluster a\na[0-3]\ncluster b\nb[0-3]\ncluster c\nc[0-3]\n"
            "link a b latency=1ms bandwidth=1Gbit/s\nlink b c latency=1ms bandwidth=1Gbit/s\n"
            "link a c latency=1ms bandwidth=10Mbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 16 << 20});
  uint32_t near[] = {GB_NONE, 0, 1}, far[] = {GB_NONE, 0, 0};
  gb_planner pl;
  new_planner(plan, &pl);
  for (int i = 0; i < 6; i++) {
    const gb_flow flow = gb_spec_flow(&pl, 4096 + 512 * (uint64_t)i, 1);
    gb_spec spec = {.lanes = 1, .segment = flow.segment};
    double full;
    walk(&pl, i == 0 || i == 3 ? near : far, &flow, &spec, &full);
    cr_assert_eq(spec.previewed, i == 2 || i == 5, "%d", i);
  }
  gb_planner_release(&pl);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}
