/* Scatters without leaders: straight from the root, and over several ways to a site. */
#include "intra/intra.h"
#include "plan/core/core.h"
#include "tests/support/mesh.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"

static gbcast_plan *make_scatter(const gbcast_platform *p, gbcast_request request) {
  request.operation = GBCAST_SCATTER;
  return make(p, request);
}

static uint32_t cluster_of(const gbcast_plan *plan, uint32_t endpoint) {
  return plan->platform->host[plan->schedule.endpoint[endpoint].host].cluster;
}

/* Each host of a leaderless site hears from a leader of another site, in every tree; those of the root's
 * from the root's host. */
static void expect_no_leaders(const gbcast_plan *plan) {
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t s = 0; s < plan->site_count; s++) {
      const gb_site *site = &plan->site[s];
      for (uint32_t e = site->first_endpoint; e < site->first_endpoint + site->endpoint_count; e++) {
        uint32_t up = plan->schedule.tree[t].parent[e], leaders = 0;
        if (up == GB_NONE || plan->schedule.endpoint[up].host == plan->schedule.endpoint[e].host)
          continue;
        for (uint32_t i = 0; i < plan->site_count; i++)
          leaders += plan->site[i].leader == up && i != s;
        if (s == plan->root_site)
          cr_assert_eq(plan->schedule.endpoint[up].host, plan->schedule.endpoint[plan->schedule.root].host);
        else
          cr_assert_eq(leaders, 1);
      }
    }
}

static const gb_grid_kind grid = {
    .sites = 7, .hosts = 5, .slots = 2, .switches = true, .caps = true, .sparse = true};

/* Whatever the grid, forced or not, nothing is below the bound; and auto has looked at the straight way and
 * at several. */
Test(leaderless, plans_of_random_grids) {
  gb_random r = {61};
  int several = 0, chosen = 0, straight = 0;
  for (int round = 0; round < 200; round++) {
    gbcast_platform *p = random_platform(&r, grid);
    char root[16];
    snprintf(root, sizeof root, "%u", random_below(&r, gbcast_platform_slots(p)));
    gbcast_request request = {.root = root};
    request.bytes = gb_size_class((uint64_t)1 << random_below(&r, 22));
    gbcast_plan *best = make_scatter(p, request);
    for (int way = 0; way < 2; way++) {
      request.intra = "direct";
      request.inter = way == 0 ? "flat" : "packing";
      gbcast_plan *plan = make_scatter(p, request);
      if (plan->site_count > 1)
        expect_no_leaders(plan);
      cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-12), "round %d: %.17g below the bound %.17g",
                    round, plan->predicted, plan->bound);
      bool compared = plan->site_count > 1 && strcmp(best->site[0].intra, plan->site[0].intra) == 0;
      if (compared)
        cr_assert_leq(best->predicted, 1.01 * plan->predicted, "round %d, %s", round, request.inter);
      several += way == 1 && plan->schedule.tree_count > 1;
      for (uint32_t t = 1; t < plan->schedule.tree_count; t++)
        cr_assert_leq(plan->schedule.tree[t].weight, plan->schedule.tree[0].weight,
                      "the largest share comes first");
      chosen += way == 1 && compared && best->schedule.tree_count > 1;
      straight += way == 0 && compared && best->schedule.tree_count == 1;
      gbcast_plan_free(plan);
    }
    cr_assert_geq(best->predicted, best->bound * (1 - 1e-12));
    gbcast_plan_free(best);
    gbcast_platform_free(p);
  }
  cr_assert(several > 20 && chosen > 3 && straight > 20, "%d %d %d", several, chosen, straight);
}

/* A narrow link stands beside a wide way over another site: streams take the narrow one, as it is the
 * shorter, and leaders know better. */
Test(leaderless, leaders_where_theirs_is_the_wider_way) {
  gbcast_platform *p = parse("cluster hq\nh[0-7]:4\ncluster dc\nd[0-7]:4\ncluster lab\nl[0-15]:4\n"
                             "cluster edge\ne[0-3]:4\n"
                             "link hq dc latency=2ms bandwidth=10Gbit/s\n"
                             "link dc lab latency=8ms bandwidth=10Gbit/s\n"
                             "link hq lab latency=9ms bandwidth=20Mbit/s\n"
                             "link lab edge latency=1ms bandwidth=1Gbit/s\n");
  for (uint64_t block = 1 << 10; block <= 1 << 20; block *= 4) {
    gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = block});
    cr_assert_leq(plan->predicted, 1.25 * plan->bound, "%g of the bound", plan->predicted / plan->bound);
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}

/* What is left to a scatter that was told how, on grids of whatever links. */
Test(leaderless, no_tree_of_leaders_is_much_faster) {
  gb_random r = {62};
  int leaders = 0, gained = 0;
  for (int round = 0; round < 100; round++) {
    gbcast_platform *p = random_platform(&r, grid);
    const gbcast_request request = {.bytes = gb_size_class((uint64_t)1 << random_below(&r, 22))};
    gbcast_request exact = request, straight = request;
    exact.inter = "exact";
    straight.inter = "flat";
    straight.intra = "direct";
    gbcast_plan *best = make_scatter(p, request), *tree = make_scatter(p, exact),
                *flat = make_scatter(p, straight);
    cr_assert_leq(best->predicted, 1.25 * tree->predicted, "round %d: %g and %g s", round, best->predicted,
                  tree->predicted);
    leaders +=
        best->site_count > 1 && !gb_intra_table[gb_intra_find(best->site[0].intra, GB_SCATTER)].leaderless;
    gained += best->predicted < 0.5 * flat->predicted;
    gbcast_plan_free(best);
    gbcast_plan_free(tree);
    gbcast_plan_free(flat);
    gbcast_platform_free(p);
  }
  cr_assert(leaders > 10 && gained > 5, "%d %d", leaders, gained);
}

/* All sizes of a class have the same trees, so whether leaders are tried must not depend on which it is. */
Test(leaderless, sizes_of_a_class_have_one_plan) {
  gb_random r = {64};
  for (int round = 0; round < ROUNDS(400); round++) {
    gbcast_platform *p = random_platform(&r, grid);
    const uint64_t largest = (uint64_t)32 << random_below(&r, 17), smallest = largest - largest / 16 + 1;
    cr_assert_eq(gb_size_class(smallest), largest);
    gbcast_plan *first = make_scatter(p, (gbcast_request){.bytes = smallest}),
                *last = make_scatter(p, (gbcast_request){.bytes = largest});
    cr_assert_eq(first->decision, last->decision, "round %d", round);
    gbcast_plan_free(first);
    gbcast_plan_free(last);
    gbcast_platform_free(p);
  }
}

/* Each site can be reached over both hubs; all shortest ways begin with the link to the first. */
Test(leaderless, two_hubs_of_a_hundred_sites) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert_not_null(out);
  fputs("cluster r bandwidth=1Gbit/s\nr[0-1]\ncluster h bandwidth=1Gbit/s\nh0\ncluster i "
        "bandwidth=1Gbit/s\ni0\n"
        "link r h latency=5ms bandwidth=100Mbit/s\nlink r i latency=6ms bandwidth=100Mbit/s\n",
        out);
  for (int s = 0; s < 100; s++)
    fprintf(out,
            "cluster s%d bandwidth=1Gbit/s\nn%d-[0-1]\nlink h s%d latency=5ms bandwidth=100Mbit/s\n"
            "link i s%d latency=5ms bandwidth=100Mbit/s\n",
            s, s, s, s);
  fclose(out);
  gbcast_platform *p = parse(text);
  gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = 65536});
  cr_assert_leq(plan->predicted, 1.05 * plan->bound, "%g, bound %g", plan->predicted, plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
  free(text);
}

Test(leaderless, several_ways_among_many_sites) {
  gb_random r = {63};
  const gb_grid_kind many = {.sites = 64, .hosts = 2, .slots = 1, .caps = true, .sparse = true};
  for (int round = 0; round < 12; round++) {
    gbcast_platform *p = random_platform(&r, many);
    gbcast_plan *best = make_scatter(p, (gbcast_request){.bytes = 65536}),
                *several = make_scatter(p, (gbcast_request){.bytes = 65536, .inter = "packing"});
    cr_assert_leq(best->predicted, 1.01 * several->predicted, "%u sites", best->site_count);
    gbcast_plan_free(best);
    gbcast_plan_free(several);
    gbcast_platform_free(p);
  }
}

Test(leaderless, goes_several_ways_through_a_mesh) {
  gbcast_platform *p = parse(mesh);
  for (uint64_t block = 16 << 10; block <= 64 << 20; block *= 4) {
    gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = block});
    gbcast_plan *flat = make_scatter(p, (gbcast_request){.bytes = block, .inter = "flat"});
    cr_assert_gt(plan->schedule.tree_count, 1);
    cr_assert_leq(plan->predicted, 1.1 * plan->bound, "%g of the bound", plan->predicted / plan->bound);
    cr_assert_leq(plan->predicted, 0.85 * flat->predicted);
    gbcast_plan_free(plan);
    gbcast_plan_free(flat);
  }
  gbcast_platform_free(p);
}

/* The budget of the search does not end before it has tried several ways, however long the blocks are. */
Test(leaderless, long_blocks_go_several_ways_too) {
  gb_random r = {64};
  const gb_grid_kind large = {.sites = 10, .hosts = 40, .slots = 1, .caps = true, .sparse = true};
  for (int round = 0; round < ROUNDS(20); round++) {
    gbcast_platform *p = random_platform(&r, large);
    gbcast_plan *best = make_scatter(p, (gbcast_request){.bytes = 64 << 20});
    if (best->site_count > 2) {
      gbcast_plan *several = make_scatter(p, (gbcast_request){.bytes = 64 << 20, .inter = "packing"});
      cr_assert_leq(best->predicted, 1.01 * several->predicted, "round %d: %u sites, %g and %g", round,
                    best->site_count, best->predicted, several->predicted);
      gbcast_plan_free(several);
    }
    gbcast_plan_free(best);
    gbcast_platform_free(p);
  }
}

/* With one uplink a site no relay helps, and one tree is chosen. */
Test(leaderless, goes_one_way_through_a_star) {
  gbcast_platform *p = parse("cluster a wan-bandwidth=1Gbit/s overhead=3us\na[0-15]\n"
                             "cluster b wan-bandwidth=200Mbit/s overhead=3us\nb[0-15]\n"
                             "cluster c wan-bandwidth=100Mbit/s overhead=3us\nc[0-15]\n"
                             "link a b latency=7ms bandwidth=200Mbit/s overhead=3us\n"
                             "link a c latency=32ms bandwidth=100Mbit/s overhead=3us\n"
                             "link b c latency=35ms bandwidth=100Mbit/s overhead=3us\n");
  for (uint64_t block = 1 << 10; block <= 1 << 20; block *= 4) {
    gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = block});
    cr_assert_eq(plan->schedule.tree_count, 1);
    cr_assert_leq(plan->predicted, 1.005 * plan->bound, "%g of the bound", plan->predicted / plan->bound);
    const gb_tree *tree = &plan->schedule.tree[0];
    cr_assert_eq(tree->child_start[plan->schedule.root + 1] - tree->child_start[plan->schedule.root], 47);
    cr_assert_eq(cluster_of(plan, tree->child[0]), 2, "the slow uplink has to be busy from the start");
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}

/* Where the root's own link says when all ends, the nearest are served first, and one of them last. */
Test(leaderless, serves_near_hosts_early_where_nobody_waits_for_it) {
  gbcast_platform *p = parse("cluster a overhead=3us\na[0-15]\ncluster b overhead=3us\nb[0-15]\n"
                             "link a b latency=3ms bandwidth=10Gbit/s overhead=3us\n");
  gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = 1 << 16});
  const uint32_t *child =
      plan->schedule.tree[0].child + plan->schedule.tree[0].child_start[plan->schedule.root];
  cr_assert_eq(cluster_of(plan, child[0]), 0);
  cr_assert_eq(cluster_of(plan, child[30]), 0);
  uint32_t early = 0;
  while (cluster_of(plan, child[early]) == 0)
    early++;
  cr_assert(early > 5 && early < 15, "%u", early);
  cr_assert_leq(plan->predicted, 1.01 * plan->bound);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* No two hosts share a link beyond the root's own: longest tail first is optimal, and no order is worse. */
Test(leaderless, order_costs_nothing) {
  gb_random r = {67};
  gb_grid_kind single = {.sites = 9, .hosts = 1, .slots = 1};
  for (int round = 0; round < ROUNDS(100); round++) {
    gbcast_platform *p = random_platform(&r, single);
    gbcast_request request = {.inter = "flat", .intra = "direct", .segment = 1 << 30};
    request.bytes = gb_size_class((uint64_t)1 << random_below(&r, 22));
    gbcast_plan *plan = make_scatter(p, request);
    const double label = plan->site[plan->root_site].label;
    cr_assert_float_eq(plan->predicted, label, 1e-9 * label, "round %d: %.17g, label %.17g", round,
                       plan->predicted, label);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* MPI would ask before it sends a long message, a round trip more on a long way; but pieces cost overhead. */
Test(leaderless, cuts_blocks_where_that_costs_nothing) {
  static const char slow[] = "cluster a bandwidth=100Mbit/s\na[0-3]\ncluster b bandwidth=100Mbit/s\nb[0-3]\n"
                             "link a b latency=40ms bandwidth=20Mbit/s\n";
  static const char dear[] = "cluster a bandwidth=10Gbit/s overhead=50us\na[0-3]\n"
                             "cluster b bandwidth=10Gbit/s overhead=50us\nb[0-3]\n"
                             "link a b latency=1ms bandwidth=10Gbit/s overhead=50us\n";
  static const struct {
    const char *hosts;
    uint64_t bytes, most, least;
  } cases[] = {{slow, 1 << 16, 65536, 1},
               {slow, 1 << 20, 65536, 1},
               {slow, 1 << 24, 65536, 1},
               {dear, 1 << 16, 1 << 30, 65536}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gbcast_platform *p = NULL;
    cr_assert_eq(gbcast_platform_parse(cases[i].hosts, strlen(cases[i].hosts), "two", &p, NULL), GBCAST_OK);
    gbcast_plan *plan = make_scatter(p, (gbcast_request){.bytes = cases[i].bytes});
    const uint64_t segment = plan->schedule.tree[0].segment;
    cr_assert(segment >= cases[i].least && segment <= cases[i].most, "%zu: %llu", i,
              (unsigned long long)segment);
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}
