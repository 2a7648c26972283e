/* The search over trees of sites, held against all trees that there are. */
#include "inter/inter.h"
#include "intra/intra.h"
#include "plan/core/core.h"
#include "plan/search/host_trees.h"
#include "plan/search/kept_host_choices.h"
#include "plan/search/request.h"
#include "plan/search/site_moves.h"
#include "plan/search/site_skeleton.h"
#include "plan/search/spec.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

#define MOST_SITES 5u

/* Sites around a backbone, each behind an uplink, or each pair with a link of its own. */
static gbcast_platform *random_sites(gb_random *r, uint32_t most, bool star, uint32_t slots) {
  static const unsigned rate[] = {50, 100, 200, 622, 1000, 10000};
  char text[8192];
  uint32_t sites = 2 + random_below(r, most - 1), up[16], far[16];
  size_t at = 0;
  for (uint32_t s = 0; s < sites; s++) {
    up[s] = rate[random_below(r, 6)];
    far[s] = 300 + random_below(r, 40000);
    uint32_t hosts = 1 + random_below(r, 8);
    at += (size_t)snprintf(text + at, sizeof text - at, "cluster s%u bandwidth=%uMbit/s", s,
                           random_below(r, 4) ? 1000 : 10000);
    if (star)
      at += (size_t)snprintf(text + at, sizeof text - at, " wan-bandwidth=%uMbit/s", up[s]);
    at += (size_t)snprintf(text + at, sizeof text - at, "\nh[1-%u].s%u:%u\n", hosts, s,
                           1 + random_below(r, slots));
  }
  for (uint32_t a = 0; a < sites; a++)
    for (uint32_t b = 0; b < a; b++) {
      uint32_t latency = star ? far[a] + far[b] : 500 + random_below(r, 60000);
      uint32_t mbit = star ? (up[a] < up[b] ? up[a] : up[b]) : rate[random_below(r, 6)];
      at += (size_t)snprintf(text + at, sizeof text - at, "link s%u s%u latency=%uus bandwidth=%uMbit/s\n", a,
                             b, latency, mbit);
    }
  return parse(text);
}

static bool is_tree(const uint32_t *parent, uint32_t n) {
  for (uint32_t v = 0; v < n; v++) {
    uint32_t u = v, steps = 0;
    while (parent[u] != GB_NONE && steps++ < n)
      u = parent[u];
    if (parent[u] != GB_NONE)
      return false;
  }
  return true;
}

/* The least predicted time over all trees of sites. */
static double least_of_all(gb_planner *pl, const gb_flow *flow, const gb_host_choice *choice) {
  uint32_t n = pl->plan->site_count, parent[MOST_SITES];
  uint64_t codes = 1;
  double least = INFINITY;
  for (uint32_t s = 1; s < n; s++)
    codes *= n;
  for (uint64_t code = 0; code < codes; code++) {
    uint64_t rest = code;
    for (uint32_t s = 0; s < n; s++) {
      parent[s] = s == pl->plan->root_site ? GB_NONE : (uint32_t)(rest % n);
      rest /= s == pl->plan->root_site ? 1 : n;
    }
    if (!is_tree(parent, n))
      continue;
    const gb_site_trees tree = gb_one_site_tree(parent);
    gb_composed composed;
    cr_assert_eq(gb_compose(pl, &tree, choice, flow, &composed, NULL), GBCAST_OK);
    cr_assert_eq(gb_composed_simulate(pl, flow, &composed, NULL), GBCAST_OK);
    least = composed.makespan < least ? composed.makespan : least;
    gb_composed_free(&composed);
  }
  return least;
}

/* A planner without a plan, to price trees with. */
typedef struct bench {
  gbcast_plan plan;
  gb_planner planner;
  gb_limits limits;
  const gb_host_choice *choice; /* the planner's */
  gb_flow flow;
  uint32_t ranks[72];
} bench;

static void open_bench(const gbcast_platform *p, const gbcast_request *request, bench *b) {
  *b = (bench){.plan = {.platform = p, .bytes = request->bytes, .class_bytes = request->bytes}};
  for (uint32_t h = 0; h < p->host_count; h++)
    b->ranks[h] = p->host[h].slots;
  gb_job job = {.ranks = b->ranks};
  cr_assert_eq(gb_request_root(p, request, &job, NULL), GBCAST_OK);
  cr_assert_eq(gb_layout(&b->plan, &job, NULL), GBCAST_OK);
  cr_assert_eq(gb_planner_new(&b->planner, &b->plan, NULL), GBCAST_OK);
  cr_assert_eq(gb_request_limits(&b->planner, request, &b->limits, NULL), GBCAST_OK);
  b->flow = gb_spec_flow(&b->planner, request->segment, 1);
  cr_assert_eq(
      gb_host_choices_find(&b->planner, &b->flow, b->limits.intra, GB_HOST_OPTIONS_ALL, &b->choice, NULL),
      GBCAST_OK);
}

static void close_bench(bench *b) {
  gb_planner_release(&b->planner);
  free(b->plan.schedule.endpoint);
  free(b->plan.site);
}

static gbcast_request random_request(gb_random *r, const gbcast_platform *p, char root[16]) {
  static const char *const intra[] = {"binomial-segmented", "chain-segmented", "linear-contention-free"};
  snprintf(root, 16, "%u", random_below(r, gbcast_platform_slots(p)));
  gbcast_request request = {.root = root, .intra = intra[random_below(r, 3)]};
  request.segment = (uint64_t)1024 << random_below(r, 7);
  request.bytes = (request.segment * 8) << random_below(r, 7);
  return request;
}

/* At the same segment size and LAN algorithm: 296 of these 300 are within 1 % of the best of all trees;
 * without the search, 261 are. */
Test(local_search, nearly_always_finds_the_best_tree) {
  gb_random r = {21};
  int rounds = ROUNDS(300), close = 0;
  for (int round = 0; round < rounds; round++) {
    gbcast_platform *p = random_sites(&r, MOST_SITES, round % 2 == 0, 1);
    char root[16];
    gbcast_request request = random_request(&r, p, root);
    bench b;
    open_bench(p, &request, &b);
    request.inter = "exact"; /* several trees may be faster still */
    gbcast_plan *plan = make(p, request);
    double least = least_of_all(&b.planner, &b.flow, b.choice);
    cr_assert_geq(plan->predicted, least * (1 - 1e-12));
    close += plan->predicted <= 1.01 * least;
    gbcast_plan_free(plan);
    close_bench(&b);
    gbcast_platform_free(p);
  }
  cr_assert_geq(close, rounds * 95 / 100, "%d of %d are within 1 %%", close, rounds);
}

Test(local_search, is_never_worse_than_any_algorithm_alone) {
  gb_random r = {22};
  for (int round = 0; round < 60; round++) {
    gbcast_platform *p = random_sites(&r, 9, round % 2 == 0, round % 3 ? 1 : 5);
    char root[16];
    gbcast_request request = random_request(&r, p, root);
    gbcast_plan *plan = make(p, request);
    for (size_t i = 0; i < gb_inter_count; i++) {
      gbcast_request forced = request;
      forced.inter = gb_inter_table[i].name;
      gbcast_plan *other = make(p, forced);
      const double wanted =
          strcmp(forced.inter, "in-turn") == 0 ? 0.99 : 1; /* to gain less is not worth it */
      cr_assert_leq(plan->predicted * wanted, other->predicted * (1 + 1e-12), "round %d: %s is better", round,
                    forced.inter);
      gbcast_plan_free(other);
    }
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* What the outline leaves out is taken from a walk of the whole plan: for the tree of that walk it is exact,
 * for others nearly. */
Test(local_search, the_outline_takes_as_long_as_the_plan) {
  gb_random r = {23};
  int trees = 0, close = 0, exact = 0;
  for (int round = 0; round < 100; round++) {
    gbcast_platform *p = random_sites(&r, 8, round % 2 == 0, round % 3 ? 1 : 5);
    char root[16];
    gbcast_request request = random_request(&r, p, root);
    if (random_below(&r, 3) == 0)
      request.intra = "two-tree";
    bench b;
    open_bench(p, &request, &b);
    uint32_t n = b.plan.site_count, parent[8], last;
    gb_site_skeleton skeleton;
    double time;
    cr_assert_eq(gb_site_skeleton_new(&b.planner, &b.flow, b.choice, &skeleton, NULL), GBCAST_OK);
    for (int tree = 0; tree < 4; tree++) {
      for (uint32_t k = 0; k < n; k++) /* counted from the root's site, below any that comes before */
        parent[(b.plan.root_site + k) % n] = k ? (b.plan.root_site + random_below(&r, k)) % n : GB_NONE;
      const gb_site_trees one = gb_one_site_tree(parent);
      gb_composed composed;
      cr_assert_eq(gb_compose(&b.planner, &one, b.choice, &b.flow, &composed, NULL), GBCAST_OK);
      cr_assert_eq(gb_composed_simulate(&b.planner, &b.flow, &composed, NULL), GBCAST_OK);
      if (tree == 0)
        cr_assert_eq(gb_site_skeleton_fit(&b.planner, &composed, &skeleton, NULL), GBCAST_OK);
      cr_assert_eq(gb_site_skeleton_simulate(&b.planner, &skeleton, parent, &time, &last, NULL), GBCAST_OK);
      double off = fabs(time / composed.makespan - 1);
      exact += tree == 0 && off < 1e-9;
      trees++;
      close += off < 0.02;
      gb_composed_free(&composed);
    }
    gb_site_skeleton_free(&skeleton);
    close_bench(&b);
    gbcast_platform_free(p);
  }
  cr_assert_geq(close, trees * 98 / 100, "%d of %d outlines are within 2 %%", close, trees);
  cr_assert_geq(exact, trees / 4 * 80 / 100, "%d of %d outlines are exact", exact, trees / 4);
}

/* The site that feeds another one. */
static uint32_t feeder(const gbcast_plan *plan, uint32_t site) {
  uint32_t s = 0;
  while (s < plan->site_count &&
         plan->site[s].leader != plan->schedule.tree[0].parent[plan->site[site].leader])
    s++;
  return s;
}

static uint32_t children(const gbcast_plan *plan, uint32_t site) {
  uint32_t count = 0;
  for (uint32_t s = 0; s < plan->site_count; s++)
    count += feeder(plan, s) == site;
  return count;
}

/* Sending twice from the slow site would cost more than going straight saves. */
Test(local_search, a_slow_root_hands_over_to_a_fast_site) {
  gbcast_platform *p = parse("cluster slow wan-bandwidth=100Mbit/s\na[1-4]\n"
                             "cluster fast wan-bandwidth=10Gbit/s\nb[1-4]\n"
                             "cluster third wan-bandwidth=1Gbit/s\nc[1-4]\n"
                             "cluster fourth wan-bandwidth=1Gbit/s\nd[1-4]\n"
                             "link slow fast    latency=60ms bandwidth=100Mbit/s\n"
                             "link slow third   latency=72ms bandwidth=100Mbit/s\n"
                             "link slow fourth  latency=70ms bandwidth=100Mbit/s\n"
                             "link fast third   latency=62ms bandwidth=1Gbit/s\n"
                             "link fast fourth  latency=60ms bandwidth=1Gbit/s\n"
                             "link third fourth latency=66ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20});
  cr_assert_eq(children(plan, 0), 1, "the slow site sends %u times", children(plan, 0));
  cr_assert_eq(feeder(plan, 1), 0);
  cr_assert_eq(children(plan, 1), 2);
  gbcast_plan_free(plan);
  plan = make(p, (gbcast_request){.bytes = 64});
  cr_assert_eq(children(plan, 0), 3, "a short message goes straight to all");
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(local_search, goes_round_a_slow_link) {
  gbcast_platform *p = parse("cluster a\na[1-4]\ncluster b\nb[1-4]\ncluster c\nc[1-4]\n"
                             "link a b latency=10ms bandwidth=10Mbit/s\n"
                             "link a c latency=8ms bandwidth=1Gbit/s\n"
                             "link c b latency=8ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20});
  cr_assert_eq(feeder(plan, 1), 2, "over c, at its leader");
  cr_assert_eq(plan->schedule.tree[0].parent[plan->site[1].leader], plan->site[2].leader);
  gbcast_plan_free(plan);
  plan = make(p, (gbcast_request){.bytes = 64});
  cr_assert_eq(feeder(plan, 1), 0, "a short message takes the shorter way");
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* Of the whole message. */
static double copies_at_home(const gbcast_plan *plan) {
  double copies = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t v = 0; v < plan->schedule.endpoint_count; v++)
      if (plan->schedule.tree[t].parent[v] == plan->schedule.root &&
          gb_plan_level(plan, plan->schedule.root, v) == GB_LEVEL_LAN)
        copies += (double)plan->schedule.tree[t].weight / plan->schedule.weight_total;
  return copies;
}

/* All have the predicted time; on a network, what the leader sends at home slows its streams down. */
Test(local_search, a_leader_that_feeds_two_sites_sends_once_at_home) {
  for (uint32_t hosts = 2; hosts <= 16; hosts++) {
    char text[512];
    snprintf(text, sizeof text,
             "cluster a bandwidth=1Gbit/s\na[1-%u]\ncluster b\nb[1-4]\ncluster c\nc[1-4]\n"
             "link a b latency=46ms bandwidth=200Mbit/s\nlink a c latency=2ms bandwidth=100Mbit/s\n",
             hosts);
    gbcast_platform *p = parse(text);
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20});
    cr_assert_eq(children(plan, 0), 2);
    cr_assert_leq(copies_at_home(plan), 1, "%g copies for %u hosts", copies_at_home(plan), hosts);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* Few segments: by itself a site of 16 hosts is fastest with several copies from its leader. */
Test(local_search, the_roots_site_is_chosen_for_what_it_leaves_to_the_others) {
  gbcast_platform *p = parse("cluster a bandwidth=1Gbit/s\na[1-16]\ncluster b bandwidth=1Gbit/s\nb[1-16]\n"
                             "link a b latency=10ms bandwidth=100Mbit/s\n");
  gbcast_request request = {.bytes = 1 << 20, .segment = 1 << 18, .intra = "flat-segmented"};
  double copies[2] = {0, 0};
  bench b;
  open_bench(p, &request, &b);
  cr_assert_eq(
      gb_host_choices_find(&b.planner, &b.flow, GB_INTRA_MIXED, GB_HOST_OPTIONS_ALL + 1, &b.choice, NULL),
      GBCAST_OK);
  for (uint32_t s = 0; s < 2; s++) {
    uint32_t parent[16];
    uint32_t leader;
    cr_assert_eq(gb_host_tree(&b.planner, s, b.choice[s], 0, 1, false, parent, &leader, NULL), GBCAST_OK);
    for (uint32_t v = 0; v < 16; v++)
      copies[s] += parent[v] == b.plan.site[s].leader - b.plan.site[s].first_endpoint;
  }
  cr_assert_eq(copies[0], 1, "%g copies at the root", copies[0]);
  cr_assert_gt(copies[1], 1, "%g copies elsewhere", copies[1]);
  close_bench(&b);
  gbcast_platform_free(p);
}

static void expect(const uint32_t *parent, const uint32_t *wanted, uint32_t n, const char *what) {
  for (uint32_t v = 0; v < n; v++)
    cr_assert_eq(parent[v], wanted[v], "%s: site %u hangs under %u", what, v, parent[v]);
}

/* The drawing of site_moves.h: r, a, b, c, d are 0 to 4. */
Test(local_search, moves) {
  static const uint32_t start[] = {GB_NONE, 0, 0, 2, 0};
  static const struct {
    gb_site_move move;
    uint32_t wanted[5];
    const char *name;
  } cases[] = {{{GB_HANG, 2, 1, 0}, {GB_NONE, 0, 1, 2, 0}, "hang b under a"},
               {{GB_SWAP, 1, 3, 0}, {GB_NONE, 2, 0, 0, 0}, "swap a and c"},
               {{GB_SWAP, 3, 2, 0}, {GB_NONE, 0, 3, 0, 0}, "swap c and b above it"},
               {{GB_SWAP, 2, 3, 0}, {GB_NONE, 0, 3, 0, 0}, "swap b and c below it"},
               {{GB_TAKE, 1, 0, 0}, {GB_NONE, 0, 1, 2, 1}, "a takes its siblings"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t parent[5];
    memcpy(parent, start, sizeof parent);
    gb_site_move_apply(parent, 5, cases[i].move);
    expect(parent, cases[i].wanted, 5, cases[i].name);
  }
}
