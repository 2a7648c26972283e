/* What plans cost, and plans that are made for least cost: an example by hand, and random priced grids. */
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/priced_grid.h"
#include "tests/support/rounds.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MB 1000000ull

/* b is cheaper to reach over the relay r: 0.02 + 0.03 instead of 0.09 USD/GB. */
#define HEAD "cluster a bandwidth=1Gbit/s egress=0.09USD/GB hire=0.36USD/h\na[0-1]\n"
#define TAIL                                                                                                 \
  "cluster b bandwidth=1Gbit/s hire=0.36USD/h\nb[0-2]\n"                                                     \
  "cluster r bandwidth=1Gbit/s hire=3.6USD/h relay\nr0\n"                                                    \
  "link a b latency=10ms bandwidth=100Mbit/s\nlink r b latency=10ms bandwidth=100Mbit/s egress=0.03USD/GB\n" \
  "link a -> r latency=10ms bandwidth=100Mbit/s egress=0.02USD/GB\n"                                         \
  "link r -> a latency=10ms bandwidth=100Mbit/s egress=0.02USD/GB\n"

static uint32_t relays_of(const gbcast_plan *plan) {
  uint32_t count = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    count += plan->site[s].relay;
  return count;
}

Test(costs, example_by_hand) {
  gbcast_platform *p = parse(HEAD TAIL);
  gbcast_request request = {.bytes = 10000 * MB, .relays = true};
  gbcast_plan *plan = make(p, request);
  cr_assert_float_eq(plan->cost.egress, 0.9, 1e-9);
  cr_assert_float_eq(plan->cost.hire, 5 * 1e-4 * plan->predicted, 1e-9);
  cr_assert(isnan(plan->cost_bound)); /* relays may undercut it */
  cr_assert_eq(plan->site_count, 2);
  gbcast_plan_free(plan);
  request.within = INFINITY; /* the relay saves 0.4 USD, and its 800 s cost 0.8 USD */
  plan = make(p, request);
  cr_assert_float_eq(plan->cost.egress, 0.9, 1e-9);
  cr_assert_float_eq(plan->cost_bound, 0.5 + 5 * 1e-4 * plan->bound,
                     1e-9); /* the relay's own price is left out */
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  p = parse("cluster a bandwidth=1Gbit/s egress=0.09USD/GB\na[0-1]\n"
            "cluster b bandwidth=1Gbit/s\nb[0-2]\ncluster r bandwidth=1Gbit/s relay hire=0.36USD/h\nr0\n"
            "link a b latency=10ms bandwidth=100Mbit/s\n"
            "link r b latency=10ms bandwidth=100Mbit/s egress=0.03USD/GB\n"
            "link a r latency=10ms bandwidth=100Mbit/s egress=0.02USD/GB\n");
  plan = make(p, request); /* now only 0.08 */
  cr_assert_float_eq(plan->cost.egress, 0.5, 1e-9);
  cr_assert_float_eq(plan->cost.hire, 1e-4 * plan->predicted, 1e-9);
  cr_assert_float_eq(plan->cost_bound, 0.5, 1e-9);
  cr_assert_eq(relays_of(plan), 1);
  cr_assert_eq(plan->schedule.endpoint_count, 6);
  cr_assert_eq(gbcast_plan_print(plan, GBCAST_C, stderr), GBCAST_EUSAGE);
  gbcast_plan_free(plan);
  request.relays = false;
  plan = make(p, request);
  cr_assert_float_eq(plan->cost.egress, 0.9, 1e-9);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Data go the way that is charged: to one site and from it, once and as often as there are ranks. */
Test(costs, every_operation_is_charged_for_what_crosses) {
  gbcast_platform *p = parse("cluster a bandwidth=1Gbit/s egress=1USD/GB\na[0-1]\n"
                             "cluster b bandwidth=1Gbit/s egress=10USD/GB\nb[0-2]\n"
                             "link a b latency=10ms bandwidth=100Mbit/s\n");
  static const struct {
    enum gbcast_operation operation;
    double there, back; /* MB */
  } cases[] = {{GBCAST_BCAST, 1, 0},    {GBCAST_SCATTER, 3, 0},           {GBCAST_REDUCE, 0, 1},
               {GBCAST_GATHER, 0, 3},   {GBCAST_ALLREDUCE, 1, 1},         {GBCAST_ALLGATHER, 0.4, 0.6},
               {GBCAST_ALLTOALL, 6, 6}, {GBCAST_REDUCE_SCATTER, 0.6, 0.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bool rooted = gb_way_of(cases[i].operation) != GB_WAY_BOTH && cases[i].operation != GBCAST_ALLTOALL;
    gbcast_plan *plan =
        make(p, (gbcast_request){.operation = cases[i].operation, .bytes = MB, .root = rooted ? "a0" : NULL});
    const double least = 1e-3 * cases[i].there + 1e-2 * cases[i].back, most = 1e-3 + 1e-2;
    if (gb_carries_parts(cases[i].operation)) /* all blocks may go one of the ways */
      cr_assert(plan->cost.egress > least * 0.999 && plan->cost.egress < most * 1.001, "%zu: %g", i,
                plan->cost.egress);
    else
      cr_assert_float_eq(plan->cost.egress, least, 1e-9, "%zu: %g, not %g", i, plan->cost.egress, least);
    cr_assert_eq(plan->cost.hire, 0);
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}

/* Free links lead everywhere, and links that are faster cost: least cost is free, and a limit is kept. */
Test(costs, free_trees_are_taken) {
  gbcast_platform *p =
      parse("cluster a\na0\ncluster b\nb0\ncluster c\nc0\n"
            "link a b latency=5ms bandwidth=100Mbit/s\nlink b c latency=5ms bandwidth=100Mbit/s\n"
            "link a c latency=5ms bandwidth=900Mbit/s egress=0.1USD/GB\n"
            "link c -> b latency=5ms bandwidth=900Mbit/s egress=0.1USD/GB\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1000 * MB, .within = INFINITY});
  cr_assert_eq(plan->cost.egress, 0);
  const double seconds = plan->predicted;
  gbcast_plan_free(plan);
  plan = make(p, (gbcast_request){.bytes = 1000 * MB, .within = seconds / 2});
  cr_assert(plan->cost.egress > 0 && plan->predicted <= seconds / 2, "%g USD, %g s", plan->cost.egress,
            plan->predicted);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(costs, unknown_without_prices) {
  gbcast_platform *p = parse("cluster a\na0\ncluster b relay\nb0\nlink a b latency=1ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = MB});
  gbcast_error err = {""};
  cr_assert(isnan(gbcast_plan_cost(plan)));
  cr_assert_eq(plan->schedule.endpoint_count, 1); /* a relay has no ranks */
  gbcast_plan_free(plan);
  const gbcast_request request = {.bytes = MB, .within = INFINITY};
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_EINPUT);
  cr_assert_str_eq(
      err.message,
      "text:1:9: found no price above 0, expected egress= or hire= for an objective other than time");
  gbcast_platform_free(p);
}

/* Least cost is at most that of the fastest plan; with a time limit the plan keeps it, and costs no less. */
Test(costs, objectives_are_kept) {
  uint64_t seed = 20261128;
  int cheaper = 0, relayed = 0, between = 0;
  for (int round = 0; round < ROUNDS(60); round++) {
    gbcast_platform *p = random_priced_grid(&seed);
    gbcast_request request = {
        .bytes = gb_size_class((1 + xorshift(&seed, 4000)) * MB), .relays = true, .chosen_only = true};
    gbcast_plan *fast = make(p, request);
    request.within = INFINITY;
    gbcast_plan *cheap = make(p, request);
    request.within = fmax((fast->predicted + cheap->predicted) / 2, 1.02 * fast->predicted);
    gbcast_plan *within = make(p, request);
    const double fast_usd = gbcast_plan_cost(fast), cheap_usd = gbcast_plan_cost(cheap),
                 within_usd = gbcast_plan_cost(within);
    cr_assert_leq(cheap_usd, fast_usd * 1.001, "round %d: %g, fastest %g", round, cheap_usd, fast_usd);
    cr_assert_leq(within->predicted, request.within * 1.000001, "round %d", round);
    cr_assert_geq(within_usd, cheap_usd * 0.999, "round %d: %g, cheapest %g", round, within_usd, cheap_usd);
    cr_assert_leq(within_usd, fast_usd * 1.02, "round %d: %g, fastest %g", round, within_usd, fast_usd);
    cheaper += cheap_usd < fast_usd * 0.99;
    relayed += relays_of(cheap) > 0;
    between += within_usd > cheap_usd * 1.001 && within_usd < fast_usd * 0.999;
    gbcast_plan_free(fast);
    gbcast_plan_free(cheap);
    gbcast_plan_free(within);
    gbcast_platform_free(p);
  }
  cr_assert(cheaper > ROUNDS(20) && relayed > ROUNDS(5) && between > ROUNDS(3), "%d, %d, %d", cheaper,
            relayed, between);
}
