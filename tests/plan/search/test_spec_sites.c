/* Larger plans: trees over sites that are far from the best are not simulated, and nothing is lost by that.
 */
#include "inter/inter.h"
#include "tests/support/planners.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

#define SITES 9u

/* SITES sites of `hosts` hosts each, with unlike links. */
static gbcast_platform *grid(gb_random *r, uint32_t hosts) {
  static const unsigned rate[] = {50, 100, 622, 1000};
  char text[4096];
  int at = 0;
  for (uint32_t s = 0; s < SITES; s++)
    at += snprintf(text + at, sizeof text - (size_t)at, "cluster c%u\nn[1-%u].c%u\n", s, hosts, s);
  for (uint32_t a = 0; a < SITES; a++)
    for (uint32_t b = 0; b < a; b++) {
      unsigned ms = 1 + random_below(r, 60), mbit = rate[random_below(r, 4)];
      at += snprintf(text + at, sizeof text - (size_t)at, "link c%u c%u latency=%ums bandwidth=%uMbit/s\n", a,
                     b, ms, mbit);
    }
  return parse(text);
}

/* The least price in segments of `segment` bytes among the algorithms first <= inter < end. */
static double price(const gbcast_platform *p, uint64_t segment, size_t first, size_t end) {
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20});
  gb_planner pl;
  gbcast_error err;
  double least = INFINITY;
  new_planner(plan, &pl);
  cr_assert_eq(gb_specs_price(&pl, segment, 1, GB_INTRA_MIXED, GB_HOST_OPTIONS_ALL, first, end, keep_least,
                              &least, &err),
               GBCAST_OK);
  gb_planner_release(&pl);
  gbcast_plan_free(plan);
  return least;
}

/* Whether the plan has a candidate of an algorithm between sites in segments. */
static bool is_cut(const gbcast_plan *plan, const char *inter) {
  for (size_t i = 0; i < plan->candidate_count; i++)
    if (strcmp(plan->candidate[i].inter, inter) == 0 && plan->candidate[i].segment < plan->bytes)
      return true;
  return false;
}

Test(spec_sites, only_large_plans_leave_trees_out) {
  gb_random r = {41};
  for (int round = 0; round < 3 / GB_ROUNDS_PART; round++) {
    gb_random again = r;
    gbcast_platform *small = grid(&again, 4), *large = grid(&r, 60);
    gbcast_request request = {.bytes = 1 << 20};
    gbcast_plan *all = make(small, request), *some = make(large, request);
    cr_assert(is_cut(all, "flat") && is_cut(all, "chain") && is_cut(all, "binomial"));
    cr_assert(!is_cut(some, "flat") || !is_cut(some, "chain") || !is_cut(some, "binomial"));
    gbcast_plan_free(all);
    gbcast_plan_free(some);
    gbcast_platform_free(small);
    gbcast_platform_free(large);
  }
}

Test(spec_sites, the_best_tree_is_not_left_out) {
  gb_random r = {42};
  for (int round = 0; round < 4 / GB_ROUNDS_PART; round++) {
    gbcast_platform *p = grid(&r, 60);
    const uint64_t segment = (uint64_t)4096 << random_below(&r, 5);
    const size_t end = gb_inter_find("exact");
    double least = INFINITY;
    for (size_t i = 0; i < end; i++) { /* alone none is far */
      double alone = price(p, segment, i, i + 1);
      cr_assert(alone < INFINITY, "%s", gb_inter_table[i].name);
      least = alone < least ? alone : least;
    }
    cr_assert_eq(price(p, segment, 0, end), least);
    gbcast_platform_free(p);
  }
}
