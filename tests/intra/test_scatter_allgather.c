/* Scatter and ring: each share a chain round all hosts, the ring without contention, and the formula. */
#include "intra/algorithms.h"
#include "plan/core/core.h"
#include "plan/sim/sim.h"
#include "tests/support/plans.h"
#include "tests/support/random_cluster.h"

enum { SHARES = GB_SCATTER_ALLGATHER_SHARES };

/* A host passes all shares on to the same one, the next of the ring; of the root's children none has more
 * than one share too many. */
Test(intra_scatter_allgather, each_share_goes_round_the_ring) {
  static cluster_fixture f;
  static uint32_t parent[SHARES * MOST];
  gbcast_error err;
  for (int round = 0; round < 2000; round++) {
    random_cluster(&f, rng(20), 1 + rng(40));
    uint32_t host[MOST] = {0}, next[MOST], firsts[MOST] = {0}, used[4 * MOST] = {0};
    const uint32_t count = pick(f.p.host_count, host);
    gb_intra_job job = job_of(&f, host, count);
    cr_assert_eq(gb_intra_build_scatter_allgather(&job, parent, &err), GBCAST_OK);
    for (uint32_t i = 0; i < count; i++)
      next[i] = GB_NONE;
    for (uint32_t share = 0; share < SHARES; share++) {
      const uint32_t *up = parent + (size_t)share * count;
      expect_spanning(up, count, "scatter-allgather");
      uint32_t children = 0;
      for (uint32_t i = 1; i < count; i++) {
        children += up[i] == 0;
        firsts[i] += up[i] == 0;
        if (up[i] == 0)
          continue;
        cr_assert(next[up[i]] == GB_NONE || next[up[i]] == i, "round %d: two rings", round);
        if (next[up[i]] == GB_NONE)
          mark_path(&f, host[up[i]], host[i], used);
        next[up[i]] = i;
      }
      cr_assert_eq(children, count > 1, "round %d: a share leaves the root once", round);
    }
    for (uint32_t i = 1; i < count; i++)
      cr_assert_leq(firsts[i], (SHARES + count - 2) / (count - 1));
    for (uint32_t link = 0; link < 4 * MOST; link++)
      cr_assert_leq(used[link], 1, "round %d: link %u has two hops of the ring", round, link);
  }
}

/* On one switch, with as many shares as hosts beside the root, as the walk has it: a host's first share comes
 * when the root has served those before it. */
Test(intra_scatter_allgather, takes_what_the_formula_says) {
  gbcast_platform *p = parse("cluster c latency=50us bandwidth=1Gbit/s overhead=2us\nh[0-16]\n");
  gb_lan lan = gb_lan_of(p, 0);
  lan.bandwidth *= gb_link_efficiency(false, false); /* of several trees at once */
  for (uint64_t bytes = 1 << 10; bytes <= 64 << 20; bytes *= 4) {
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes, .intra = "scatter-allgather"});
    const double formula = gb_intra_scatter_allgather(&lan, 17, bytes, 0);
    cr_assert_eq(plan->schedule.tree_count, SHARES);
    cr_assert_float_eq(plan->predicted, formula, 0.02 * formula, "%g and %g s", plan->predicted, formula);
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}
