/* A plan's price over another platform than the one it was made for. */
#include "plan/search/search.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

static double price(const gbcast_plan *plan, const gbcast_platform *p) {
  double seconds = NAN;
  gbcast_error err = {""};
  cr_assert_eq(gb_plan_price(plan, p, &seconds, &err), GBCAST_OK, "%s", err.message);
  return seconds;
}

/* Over its own platform it is what was predicted, to the bit. */
Test(price, is_the_prediction_at_home, .timeout = 170) {
  gb_random r = {2026};
  for (int round = 0; round < ROUNDS(150); round++) {
    gbcast_platform *p =
        random_platform(&r, (gb_grid_kind){5, 5, 3, round % 2, round % 3, round % 5, round % 7, false});
    for (unsigned k = 0; k < WITH_TREES; k++) {
      const enum gbcast_operation operation = with_trees[k];
      gbcast_request request = {.operation = operation};
      request.bytes = (uint64_t)1 << random_below(&r, 24);
      request.bytes += random_below(&r, 1000);
      request.lanes = random_below(&r, 3);
      if (operation == GBCAST_BCAST && round % 4 == 0)
        request.intra = "binomial-rendezvous";
      gbcast_plan *plan = make(p, request);
      double again = price(plan, p);
      cr_assert_eq(again, plan->predicted, "round %d, operation %u, %llu bytes: %.17g, predicted %.17g",
                   round, operation, (unsigned long long)request.bytes, again, plan->predicted);
      gbcast_plan_free(plan);
    }
    gbcast_platform_free(p);
  }
}

#define SITES "cluster a\na[0-1]\ncluster b\nb[0-1]\ncluster c\nc[0-1]\n"
#define LINK(ends, rate) "link " ends " latency=5ms bandwidth=" rate "\n"

Test(price, follows_the_links) {
  gbcast_platform *good =
      parse(SITES LINK("a b", "100Mbit/s") LINK("a c", "100Mbit/s") LINK("b c", "100Mbit/s"));
  gbcast_platform *bad =
      parse(SITES LINK("a b", "100Mbit/s") LINK("a c", "2Mbit/s") LINK("b c", "100Mbit/s"));
  gbcast_platform *cut = parse(SITES LINK("a b", "100Mbit/s") LINK("b c", "50Mbit/s"));
  gbcast_plan *old = make(good, (gbcast_request){.bytes = 1 << 20, .inter = "flat"});
  gbcast_plan *new = make(bad, (gbcast_request){.bytes = 1 << 20});
  double slow = 8.0 * (1 << 20) / 2e6;
  cr_expect_gt(price(old, bad), slow, "the old plan goes over the slow link");
  cr_expect_lt(price(old, bad), 1.1 * slow);
  cr_expect_lt(price(new, bad), 0.1 * slow, "the new one goes around it");
  double round = 8.0 * (1 << 20) / 50e6;
  cr_expect_gt(price(old, cut), round, "what went straight to c goes by b's link");
  cr_expect_lt(price(old, cut), 2 * round);
  gbcast_plan_free(old);
  gbcast_plan_free(new);
  gbcast_platform_free(good);
  gbcast_platform_free(bad);
  gbcast_platform_free(cut);
}

/* A native plan has a formula. */
Test(price, of_the_library_s_own) {
  gbcast_platform *p = parse("cluster a latency=50us\nn[0-7]\n");
  gbcast_platform *far = parse("cluster a latency=500us\nn[0-7]\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 100, .intra = "native"});
  cr_assert(plan->native);
  cr_expect_eq(price(plan, p), plan->predicted);
  cr_expect_gt(price(plan, far), 2 * plan->predicted);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  gbcast_platform_free(far);
}
