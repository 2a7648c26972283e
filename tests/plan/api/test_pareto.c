/* Plans of which none is beaten in both time and cost, on random priced grids. */
#include "plan/api/api.h"
#include "tests/support/priced_grid.h"
#include "tests/support/rounds.h"
#include <math.h>

static double usd(const gb_pareto *pareto, size_t i) {
  return gbcast_plan_cost(pareto->point[i].plan);
}

static double seconds(const gb_pareto *pareto, size_t i) {
  return gbcast_plan_predicted(pareto->point[i].plan);
}

/* The least cost that the list has within a time. */
static double least_within(const gb_pareto *pareto, double limit) {
  double least = INFINITY;
  for (size_t i = 0; i < pareto->count && seconds(pareto, i) <= limit; i++)
    least = usd(pareto, i);
  return least;
}

/* Each plan is slower and cheaper than the one before it, keeps the objective that it is listed with, and is
 * what one gets for that objective. Bounds hold. A plan for another limit beats the list by little. */
Test(pareto, nobody_beats_the_list) {
  uint64_t seed = 20261129;
  int listed = 0, tried = 0;
  double beaten = 0;
  for (int round = 0; round < ROUNDS(12); round++) {
    gbcast_platform *p = random_priced_grid(&seed);
    gbcast_request request = {.bytes = gb_size_class((1 + xorshift(&seed, 4000)) * 1000000ull),
                              .relays = true};
    gb_pareto pareto;
    cr_assert_eq(gb_pareto_make(p, &request, &pareto, NULL), GBCAST_OK);
    cr_assert_geq(pareto.count, 1);
    for (size_t i = 0; i < pareto.count; i++) {
      const gb_pareto_point *point = &pareto.point[i];
      cr_assert(seconds(&pareto, i) >= pareto.bound * 0.999999 &&
                usd(&pareto, i) >= pareto.cost_bound * 0.999999);
      cr_assert(i == 0 ||
                (seconds(&pareto, i) > seconds(&pareto, i - 1) && usd(&pareto, i) < usd(&pareto, i - 1)));
      cr_assert(point->within == 0 || seconds(&pareto, i) <= point->within);
      double within = -1;
      cr_assert(gb_read_objective(gb_text_objective(point->within).s, &within));
      request.within = within;
      gbcast_plan *again = make(p, request);
      cr_assert_eq(again->hash, point->plan->hash, "round %d: point %zu", round, i);
      gbcast_plan_free(again);
    }
    for (int k = 0; k < 3 && pareto.count > 1; k++) {
      const double share = (1 + xorshift(&seed, 98)) / 100.0;
      request.within =
          seconds(&pareto, 0) + share * (seconds(&pareto, pareto.count - 1) - seconds(&pareto, 0));
      gbcast_plan *other = make(p, request);
      const double least = least_within(&pareto, 1.02 * request.within); /* nearer ones are not listed */
      beaten = fmax(beaten, 1 - gbcast_plan_cost(other) / least);
      tried++;
      gbcast_plan_free(other);
    }
    listed += (int)pareto.count;
    gb_pareto_free(&pareto);
    gbcast_platform_free(p);
  }
  cr_assert_leq(beaten, 0.01, "%g", beaten);
  cr_assert(listed > ROUNDS(18) && tried >= ROUNDS(12), "%d, %d", listed, tried);
}

/* One site has nothing to choose; without prices there is no cost. */
Test(pareto, one_plan_or_none) {
  gb_pareto pareto;
  gbcast_error err = {""};
  gbcast_platform *p = parse("cluster a hire=1USD/h bandwidth=1Gbit/s latency=50us\na[0-3]\n");
  const gbcast_request request = {.bytes = 1 << 20};
  cr_assert_eq(gb_pareto_make(p, &request, &pareto, &err), GBCAST_OK);
  cr_assert_eq(pareto.count, 1);
  gb_pareto_free(&pareto);
  gbcast_platform_free(p);
  p = parse("cluster a\na0\ncluster b\nb0\nlink a b latency=1ms bandwidth=1Gbit/s\n");
  cr_assert_eq(gb_pareto_make(p, &request, &pareto, &err), GBCAST_EINPUT);
  cr_assert(strstr(err.message, "found no price above 0") != NULL, "%s", err.message);
  gbcast_platform_free(p);
}
