/* Several trees at once: random trees with random shares over random grids, held against the second predictor
 * of naive_simulation.h. */
#include "plan/api/api.h"
#include "plan/build/label_order.h"
#include "plan/core/core.h"
#include "plan/sim/periodic.h"
#include "plan/sim/sim.h"
#include "tests/plan/sim/naive_simulation.h"

static const gb_grid_kind lan = {.sites = 1, .hosts = 12, .slots = 1};
static const gb_grid_kind grid = {
    .sites = 4, .hosts = 6, .slots = 2, .switches = true, .caps = true, .sparse = true};
enum { WALK_ALL = 1 << 20 };

/* A plan to be filled with trees. */
static gbcast_plan *empty_plan(const gbcast_platform *p, uint64_t bytes) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_plan_make(p, &(gbcast_request){.bytes = bytes}, &plan, &err), GBCAST_OK, "%s",
               err.message);
  return plan;
}

enum kind { ANY, CHAIN };

/* Hangs every endpoint below one that comes before it in a random order. */
static void random_tree(gb_random *r, enum kind kind, uint32_t n, uint32_t root, uint32_t *parent) {
  uint32_t *order = calloc(n, sizeof *order);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t at = random_below(r, v + 1);
    order[v] = order[at];
    order[at] = v;
  }
  uint32_t at = 0;
  while (order[at] != root)
    at++;
  order[at] = order[0];
  parent[order[0] = root] = GB_NONE;
  for (uint32_t i = 1; i < n; i++)
    parent[order[i]] = order[kind == CHAIN ? i - 1 : random_below(r, i)];
  free(order);
}

/* Prices the schedule at `flow` and writes it into the plan, which takes its trees. */
static void price(gbcast_plan *plan, gb_schedule *schedule, gb_flow flow) {
  gb_planner pl;
  gb_traffic traffic;
  gbcast_error err = {""};
  cr_assert_eq(gb_planner_new(&pl, plan, &err), GBCAST_OK);
  cr_assert_eq(gb_traffic_new(schedule, &traffic, &err), GBCAST_OK);
  for (uint32_t t = 0; t < schedule->tree_count; t++) {
    schedule->tree[t].segment = flow.segment;
    schedule->tree[t].start = calloc(schedule->endpoint_count, sizeof(double));
    schedule->tree[t].arrival = calloc(schedule->endpoint_count, sizeof(double));
  }
  cr_assert_eq(gb_schedule_order(&pl, schedule, &traffic, &flow, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_traffic_find(&pl.net, schedule, &flow, &traffic, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_simulate(schedule, &traffic, &flow, &plan->predicted, &err), GBCAST_OK, "%s", err.message);
  gb_traffic_free(&traffic);
  gb_planner_release(&pl);
  gb_schedule_free(&plan->schedule);
  plan->schedule = *schedule;
  *schedule = (gb_schedule){0};
  cr_assert_eq(gbcast_plan_check(plan, &err), GBCAST_OK, "%s", err.message);
}

static void new_schedule(const gbcast_plan *plan, uint32_t trees, gb_schedule *schedule) {
  gbcast_error err = {""};
  cr_assert_eq(gb_schedule_new(plan->schedule.endpoint, plan->schedule.endpoint_count, plan->schedule.root,
                               trees, schedule, &err),
               GBCAST_OK);
}

/* Random trees over a random grid; weights up to `heaviest`, in so many stages at most. Chains on one switch,
 * other trees over sites. */
static void compare_turns(gb_random *r, enum kind kind, uint32_t heaviest, uint32_t turns, uint32_t segments,
                          uint32_t simulated, double tolerance) {
  gbcast_platform *p = random_platform(r, kind == CHAIN ? lan : grid);
  uint64_t segment = 512 + random_below(r, 30000), bytes = segment * random_below(r, segments);
  bytes += random_below(r, 500);
  gbcast_plan *plan = empty_plan(p, bytes);
  gb_schedule schedule;
  new_schedule(plan, 1 + random_below(r, 4), &schedule);
  schedule.weight_total = 0;
  for (uint32_t t = 0; t < schedule.tree_count; t++) {
    schedule.tree[t].weight = 1 + random_below(r, heaviest);
    schedule.tree[t].stage = t == 0 ? 0 : schedule.tree[t - 1].stage;
    if (turns > 1 && t > 0 && random_below(r, 2) == 0)
      schedule.tree[t].stage++;
    schedule.weight_total += schedule.tree[t].weight;
    random_tree(r, kind, schedule.endpoint_count, schedule.root, schedule.tree[t].parent);
  }
  if (turns > 1 && schedule.tree[schedule.tree_count - 1].stage == 0)
    simulated = WALK_ALL;
  price(plan, &schedule, (gb_flow){.bytes = bytes, .segment = segment, .simulated = simulated});
  double expected = naive_simulation(plan, false);
  cr_assert_float_eq(plan->predicted, expected, tolerance * expected,
                     "%u trees, %llu bytes in segments of %llu: predicted %.12g, expected %.12g",
                     plan->schedule.tree_count, (unsigned long long)bytes, (unsigned long long)segment,
                     plan->predicted, expected);
  double last = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t v = 0; v < plan->schedule.endpoint_count; v++)
      last = v != plan->schedule.root && plan->schedule.tree[t].arrival[v] > last
                 ? plan->schedule.tree[t].arrival[v]
                 : last;
  cr_assert_eq(last, plan->predicted, "the last arrival is at %.12g, not %.12g", last, plan->predicted);
  cr_assert(simulated < WALK_ALL || plan->predicted >= plan->bound * (1 - 1e-12), "%.17g, the bound is %.17g",
            plan->predicted, plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

static void compare(gb_random *r, enum kind kind, uint32_t heaviest, uint32_t segments, uint32_t simulated,
                    double tolerance) {
  compare_turns(r, kind, heaviest, 1, segments, simulated, tolerance);
}

Test(trees, equals_the_rules) {
  gb_random r = {31};
  for (int round = 0; round < ROUNDS(300); round++)
    compare(&r, ANY, round % 2 ? 1 : 5, 40, WALK_ALL, 1e-9);
}

/* Shares of some hundredths and less, down to nothing. */
Test(trees, equals_the_rules_for_unlike_shares) {
  gb_random r = {32};
  for (int round = 0; round < ROUNDS(100); round++)
    compare(&r, ANY, 1000, 40, WALK_ALL, 1e-9);
}

Test(trees, equals_the_rules_for_few_bytes) {
  gb_random r = {33};
  for (int round = 0; round < ROUNDS(100); round++)
    compare(&r, ANY, 3, 1, WALK_ALL, 1e-9);
}

/* With turns all is walked, however little is asked for. */
Test(trees, equals_the_rules_in_turns) {
  gb_random r = {35};
  for (int round = 0; round < ROUNDS(200); round++)
    compare_turns(&r, ANY, round % 2 ? 1 : 5, 4, 40, round % 3 ? WALK_ALL : 8, 1e-9);
}

/* Long pipelines are not walked to their end; after a quarter of it the pace is found. */
Test(trees, carries_long_pipelines_on) {
  gb_random r = {34};
  for (int round = 0; round < ROUNDS(200); round++)
    compare(&r, CHAIN, round % 2 ? 1 : 5, 600, 128, 0.02);
}

/* Five segments a round, one a second, and two seconds for the other tree. */
Test(trees, the_pace_is_that_of_whole_rounds) {
  gb_pipe pipe = {.segments = 1000, .limit = 45, .period = 5};
  double at[45];
  for (int j = 0; j < 45; j++)
    at[j] = j + 2 * (j / 5);
  cr_assert_float_eq(gb_periodic_end(&pipe, at, 45), 999 + 2 * 199, 1e-9);
}

Test(trees, all_trees_are_cut_off_after_the_same_rounds) {
  gb_edge edge[2] = {{.bytes = 60000}, {.bytes = 40000}};
  gb_edge *edges[2] = {&edge[0], &edge[1]};
  gb_tree tree[2] = {{.weight = 6}, {.weight = 4}};
  gb_schedule schedule = {.endpoint_count = 1, .tree_count = 2, .weight_total = 10, .tree = tree};
  gb_traffic traffic = {.tree_count = 2, .edge = edges};
  gb_pipe pipe[2] = {{.limit = 0}, {.limit = 0}};
  gb_periodic_limits(&schedule, &traffic, &(gb_flow){.segment = 100, .simulated = 100}, pipe);
  cr_assert(pipe[0].segments == 600 && pipe[1].segments == 400);
  cr_assert(pipe[0].period == 3 && pipe[1].period == 2);
  cr_assert(pipe[0].limit == 99 && pipe[1].limit == 66, "%u, %u", pipe[0].limit, pipe[1].limit);
  cr_assert_eq(gb_periodic_length(&schedule, &traffic, &(gb_flow){.segment = 100, .simulated = 100}),
               99 + 66);
  edge[1].bytes = 0;
  gb_periodic_limits(&schedule, &traffic, &(gb_flow){.segment = 100, .simulated = 1000}, pipe);
  cr_assert(pipe[0].limit == 600 && pipe[1].limit == 0 && pipe[1].segments == 0);
}

/* Two halves down the same chain are one message down it. */
Test(trees, one_chain_twice_is_one_chain) {
  gb_random r = {35};
  for (int round = 0; round < ROUNDS(100); round++) {
    gb_grid_kind unmeasured = grid; /* one tree over measured gaps has all of them */
    unmeasured.caps = false;
    gbcast_platform *p = random_platform(&r, unmeasured);
    uint64_t segment = 512 + random_below(&r, 30000), bytes = 2 * segment * (2 + random_below(&r, 20));
    gb_flow flow = {.bytes = bytes, .segment = segment, .simulated = WALK_ALL};
    gbcast_plan *plan = empty_plan(p, bytes);
    gb_schedule one, two;
    new_schedule(plan, 1, &one);
    new_schedule(plan, 2, &two);
    random_tree(&r, CHAIN, one.endpoint_count, one.root, one.tree[0].parent);
    for (uint32_t t = 0; t < 2; t++)
      memcpy(two.tree[t].parent, one.tree[0].parent, one.endpoint_count * sizeof(uint32_t));
    price(plan, &one, flow);
    double once = plan->predicted;
    price(plan, &two, flow);
    if (plan->schedule.endpoint_count > 2) /* else it is one way, and flat */
      cr_assert_float_eq(plan->predicted, once, 1e-12 * once, "%.12g, one chain %.12g", plan->predicted,
                         once);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

static gbcast_plan *two_trees(const gbcast_platform *p) {
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  gbcast_request request = {.bytes = 1 << 20, .intra = "two-tree", .segment = 1 << 14};
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(plan->schedule.tree_count, 2);
  cr_assert_eq(plan->schedule.weight_total, 2);
  return plan;
}

static gbcast_platform *one_switch(const char *hosts) {
  gbcast_platform *p = NULL;
  gbcast_error err = {""};
  cr_assert_eq(gbcast_platform_parse(hosts, strlen(hosts), "text", &p, &err), GBCAST_OK, "%s", err.message);
  return p;
}

/* Half the message through each tree at once: nearer to what one link needs than a pipeline is. */
Test(trees, two_trees_fill_the_links) {
  gbcast_platform *p = one_switch("n[0-63]\n");
  gbcast_plan *plan = two_trees(p);
  cr_assert_leq(plan->predicted, 1.42 * plan->bound, "%g, the bound is %g", plan->predicted, plan->bound);
  for (uint32_t v = 1; v < plan->schedule.endpoint_count; v++)
    cr_assert(plan->schedule.tree[0].child_start[v] == plan->schedule.tree[0].child_start[v + 1] ||
                  plan->schedule.tree[1].child_start[v] == plan->schedule.tree[1].child_start[v + 1],
              "%u has children in both trees", v);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(trees, check_and_hash_see_the_second_tree) {
  gbcast_platform *p = one_switch("n[0-7]\n");
  gbcast_plan *plan = two_trees(p);
  gb_tree *second = &plan->schedule.tree[1];
  uint64_t hash = gb_plan_hash_decision(plan);
  uint32_t kept = second->child[0];
  second->child[0] = second->child[1];
  cr_assert_eq(gbcast_plan_check(plan, NULL), GBCAST_EINPUT, "a child twice");
  cr_assert_neq(gb_plan_hash_decision(plan), hash);
  second->child[0] = kept;
  cr_assert_eq(gb_plan_hash_decision(plan), hash);
  second->weight = 2;
  cr_assert_eq(gbcast_plan_check(plan, NULL), GBCAST_EINPUT, "three halves");
  cr_assert_neq(gb_plan_hash_decision(plan), hash);
  second->weight = 1;
  cr_assert_eq(gbcast_plan_check(plan, NULL), GBCAST_OK);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}
