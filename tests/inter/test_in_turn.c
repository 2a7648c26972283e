/* Trees over sites one after the other: their shares, and what plans gain by them. */
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_sites.h"

static random_sites sites;

static gb_site_trees build(const gb_site_graph *g) {
  gb_site_trees trees;
  gbcast_error err = {""};
  cr_assert_eq(gb_inter_in_turn(g, &trees, &err), GBCAST_OK, "%s", err.message);
  return trees;
}

/* An edge that takes `latency`, and of whose sender's uplink `busy`. */
static void join(size_t u, size_t v, double latency, double busy) {
  const size_t e = 3 * u + v;
  sites.delta[e] = 0.001;
  sites.weight[e] = latency + busy;
  sites.use[e] = (struct gb_site_use){(uint32_t)u, busy};
}

/* r's uplink takes 1 s for each copy, and a and b are 5 s from it and from each other. Straight to both, a
 * message takes 6 s, and 2 s of the uplink; over a it takes 11 s and 1. So what leaves within the last 5 s
 * goes straight, of 41 messages 1 + 5 / 2, and a little more than that. */
Test(in_turn, what_leaves_late_goes_straight) {
  for (size_t e = 0; e <= 9; e++) {
    sites.start[e] = e;
    if (e < 9)
      join(e / 3, e % 3, 5, e < 3 ? 1 : 0.01);
  }
  for (size_t v = 0; v < 3; v++) {
    sites.delta[4 * v] = sites.weight[4 * v] = INFINITY;
    sites.use[4 * v].busy = 0;
  }
  join(0, 2, 5.001, 1);
  sites.loads = (gb_site_loads){.resources = 3, .start = sites.start, .use = sites.use};
  gb_site_graph g = {.n = 3,
                     .delta = sites.delta,
                     .weight = sites.weight,
                     .loads = &sites.loads,
                     .messages = 41,
                     .simulated = 100};
  gb_site_trees trees = build(&g);
  cr_assert_eq(trees.count, 2);
  cr_assert(trees.stage[0] == 0 && trees.stage[1] == 1);
  cr_assert_eq(trees.weight[0] + trees.weight[1], 41);
  cr_assert(trees.weight[1] >= 4 && trees.weight[1] <= 5, "%u go straight", trees.weight[1]);
  cr_assert(trees.parent[1] == 0 && trees.parent[2] == 1, "b hears from a first");
  cr_assert(trees.parent[4] == 0 && trees.parent[5] == 0, "and then from r");
  gb_site_trees_free(&trees);
  g.simulated = 40;
  trees = build(&g);
  cr_assert(trees.count == 1 && trees.parent[2] == 1, "of more than can be walked all go over a");
  gb_site_trees_free(&trees);
  g.simulated = 100;
  g.messages = 1;
  trees = build(&g);
  cr_assert(trees.count == 1 && trees.weight[0] == 1 && trees.parent[2] == 0, "a short one goes straight");
  gb_site_trees_free(&trees);
}

/* From turn to turn ways become shorter and links busier, and the shares are those for which each turn begins
 * 1.3 times as long before the next one as its ways are longer. */
Test(in_turn, shares_fill_the_time_between_the_ways) {
  gb_random r = {41};
  static double load[3 * SITES_MOST + SITES_MOST * SITES_MOST];
  uint32_t several = 0;
  for (uint32_t round = 0; round < 400; round++) {
    draw_sites(&r, 2 + random_below(&r, 11), 0, true, &sites);
    gb_site_graph *g = &sites.g;
    g->messages = 1 + random_below(&r, 200) + 0.25 * random_below(&r, 4);
    g->simulated = 500;
    gb_site_trees trees = build(g);
    double way = 0, period = 0;
    uint32_t weights = 0;
    cr_assert(trees.count >= 1 && trees.count <= GB_SITE_TREES_MOST);
    for (uint32_t t = 0; t < trees.count; t++) {
      const uint32_t *parent = trees.parent + (size_t)t * g->n;
      double its_way;
      memset(load, 0, g->loads->resources * sizeof *load);
      add_tree_load(g, parent, 1, load);
      cr_assert_eq(gb_inter_makespan(g, parent, &its_way, NULL, NULL), GBCAST_OK);
      cr_assert_eq(trees.stage[t], t);
      if (t > 0) {
        cr_assert_lt(its_way, way, "round %u", round);
        cr_assert_gt(fullest(g, load), period, "round %u", round);
        const double wanted = 1.3 * (way - its_way) / fullest(g, load) + (t + 1 == trees.count);
        cr_assert_leq(fabs(trees.weight[t] - wanted), 1, "round %u: %u, not %g", round, trees.weight[t],
                      wanted);
      }
      way = its_way;
      period = fullest(g, load);
      weights += trees.weight[t];
    }
    cr_assert_leq(fabs(weights - g->messages), 0.501, "round %u: %u of %g", round, weights, g->messages);
    several += trees.count > 1;
    gb_site_trees_free(&trees);
  }
  cr_assert_gt(several, 100, "%u", several);
}

Test(in_turn, unreachable_sites) {
  gb_random r = {42};
  draw_sites(&r, 4, 0, true, &sites);
  gbcast_error err = {""};
  gb_site_trees trees;
  const uint32_t cut = (sites.g.root + 1) % 4;
  for (uint32_t u = 0; u < 4; u++)
    sites.delta[u * 4 + cut] = sites.weight[u * 4 + cut] = INFINITY;
  cr_assert_eq(gb_inter_in_turn(&sites.g, &trees, &err), GBCAST_EINPUT);
  cr_assert_not_null(strstr(err.message, "4 sites"));
}

/* The slow site of bench/peers' star: without turns 1.09 of the bound. */
static const char *const slow = "cluster a bandwidth=1Gbit/s overhead=3us\na[1-16]\n"
                                "cluster b bandwidth=1Gbit/s wan-bandwidth=200Mbit/s overhead=3us\nb[1-16]\n"
                                "cluster r bandwidth=1Gbit/s wan-bandwidth=100Mbit/s overhead=3us\nr[1-16]\n"
                                "link a b latency=7ms bandwidth=200Mbit/s overhead=3us\n"
                                "link a r latency=32ms bandwidth=100Mbit/s overhead=3us\n"
                                "link b r latency=35ms bandwidth=100Mbit/s overhead=3us\n";

Test(in_turn, a_plan_from_a_slow_site) {
  gbcast_platform *p = parse(slow);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 65536, .root = "r1", .inter = "in-turn"});
  gbcast_plan *alone = make(p, (gbcast_request){.bytes = 65536, .root = "r1", .inter = "exact"});
  const gb_tree *last = &plan->schedule.tree[plan->schedule.tree_count - 1];
  cr_assert_gt(last->stage, plan->schedule.tree[0].stage);
  cr_assert_lt(plan->predicted, 0.99 * alone->predicted, "%g and %g", plan->predicted, alone->predicted);
  cr_assert_lt(plan->predicted, 1.075 * plan->bound);
  for (uint32_t s = 0; s < 2; s++)
    cr_assert_eq(last->parent[plan->site[s].leader], plan->schedule.root, "straight to site %u at last", s);
  cr_assert_neq(plan->schedule.tree[0].parent[plan->site[0].leader],
                plan->schedule.tree[0].parent[plan->site[1].leader]);
  gbcast_plan_free(plan);
  gbcast_plan_free(alone);
  gbcast_platform_free(p);
}

/* In the first turn s1 hears from s6, which is 35 ms away, in the second from s0, 89 ms away. What left s6
 * later gets there at the same time as what left s0 sooner, over a link that takes 93 ms for the message. */
Test(in_turn, hears_from_far_and_from_near_no_faster_than_its_link) {
  static const struct {
    double way; /* ms, to what joins the sites */
    unsigned rate;
  } site[] = {{57.5, 155}, {31.9, 45}, {23.2, 45}, {23.2, 100}, {41.9, 200}, {17.3, 155}, {2.6, 622}};
  char text[4000];
  size_t length = 0;
  for (uint32_t s = 0; s < 7; s++)
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "cluster s%u wan-bandwidth=%uMbit/s\nh%u\n", s, site[s].rate, s);
  for (uint32_t s = 0; s < 7; s++)
    for (uint32_t v = s + 1; v < 7; v++)
      length +=
          (size_t)snprintf(text + length, sizeof text - length,
                           "link s%u s%u latency=%gms bandwidth=1Gbit/s\n", s, v, site[s].way + site[v].way);
  gbcast_platform *p = parse(text);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 524288, .inter = "in-turn", .segment = 131072});
  bool both = false;
  for (uint32_t v = 0; v < 7; v++)
    both = both ||
           plan->schedule.tree[0].parent[v] != plan->schedule.tree[plan->schedule.tree_count - 1].parent[v];
  cr_assert(both);
  cr_assert_geq(plan->predicted, plan->bound, "%g, but the bound is %g", plan->predicted, plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* A turn is more than one tree where an algorithm inside the sites makes several. */
Test(in_turn, each_turn_has_all_trees_of_a_site) {
  gbcast_platform *p = parse(slow);
  gbcast_plan *plan =
      make(p, (gbcast_request){.bytes = 65536, .root = "r1", .inter = "in-turn", .intra = "two-tree"});
  cr_assert_eq(plan->schedule.tree_count, 4);
  for (uint32_t t = 0; t < 4; t += 2) {
    cr_assert_eq(plan->schedule.tree[t].stage, t / 2);
    cr_assert_eq(plan->schedule.tree[t].stage, plan->schedule.tree[t + 1].stage);
    cr_assert_eq(plan->schedule.tree[t].weight, plan->schedule.tree[t + 1].weight);
    uint32_t unlike = 0;
    for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
      unlike += plan->schedule.tree[t].parent[e] != plan->schedule.tree[t + 1].parent[e];
    cr_assert_gt(unlike, 20, "both trees of two-tree");
  }
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(in_turn, is_for_broadcasts) {
  gbcast_platform *p = parse(slow);
  gbcast_plan *plan = NULL;
  gbcast_error err = {""};
  const gbcast_request request = {.operation = GBCAST_SCATTER, .bytes = 1000, .inter = "in-turn"};
  cr_assert_eq(gbcast_plan_make(p, &request, &plan, &err), GBCAST_EUSAGE);
  cr_assert_not_null(strstr(err.message, "'in-turn' is for a bcast"), "%s", err.message);
  gbcast_platform_free(p);
}
