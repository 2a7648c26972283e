/* Several lanes: every byte to every host once, no host's link busier than it should be, and worth it where
 * one stream or one host's link is narrower than the way between the sites. */
#include "plan/core/core.h"
#include "plan/search/search.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>

static const gb_grid_kind any_grid = {.sites = 5,
                                      .hosts = 9,
                                      .slots = 3,
                                      .switches = true,
                                      .caps = true,
                                      .sparse = true,
                                      .measured = true,
                                      .windows = true};

static double share(const gbcast_plan *plan, uint32_t tree) {
  return (double)plan->schedule.tree[tree].weight / plan->schedule.weight_total;
}

/* Messages that an endpoint sends to other hosts, over all trees; of those to its own site, if `near`. */
static double sent(const gbcast_plan *plan, uint32_t e, bool near) {
  double sum = 0;
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++)
    for (uint32_t i = plan->schedule.tree[t].child_start[e]; i < plan->schedule.tree[t].child_start[e + 1];
         i++) {
      enum gb_level level = gb_plan_level(plan, e, plan->schedule.tree[t].child[i]);
      sum += level == GB_LEVEL_LAN || (level == GB_LEVEL_WAN && !near) ? share(plan, t) : 0;
    }
  return sum;
}

/* Only leaders hear from other sites, and each site's in every tree once. */
static void check_leaders(const gbcast_plan *plan) {
  for (uint32_t t = 0; t < plan->schedule.tree_count; t++) {
    uint32_t entered = 0;
    for (uint32_t s = 0; s < plan->site_count; s++)
      for (uint32_t i = 0; i < plan->site[s].endpoint_count; i++) {
        const uint32_t e = plan->site[s].first_endpoint + i, up = plan->schedule.tree[t].parent[e];
        if (up == GB_NONE || gb_plan_level(plan, up, e) != GB_LEVEL_WAN)
          continue;
        entered++;
        cr_assert_eq(e, gb_plan_leader(plan, s, t), "tree %u comes to a rank that does not lead site %u", t,
                     s);
      }
    cr_assert_eq(entered, plan->site_count - 1);
  }
}

Test(lanes, forced_on_random_grids) {
  static const char *const intra[] = {NULL, "two-tree", "linear-contention-free", "binomial", "flat"};
  gb_random r = {11};
  for (int round = 0; round < ROUNDS(150); round++) {
    gbcast_platform *p = random_platform(&r, any_grid);
    char root[16];
    snprintf(root, sizeof root, "%u", random_below(&r, gbcast_platform_slots(p)));
    gbcast_request request = {.bytes = random_below(&r, 1 << 20), .root = root};
    request.lanes = 1 + random_below(&r, 12);
    request.intra = intra[random_below(&r, 5)];
    gbcast_plan *plan = make(p, request), *again = make(p, request);
    cr_assert_eq(plan->hash, again->hash);
    cr_assert_eq(plan->lanes, plan->site_count > 1 ? request.lanes : 1, "round %d", round);
    cr_assert_eq(plan->schedule.tree_count % plan->lanes, 0);
    cr_assert_geq(plan->predicted, plan->bound * (1 - 1e-12), "round %d: %.17g below the bound %.17g", round,
                  plan->predicted, plan->bound);
    check_leaders(plan);
    gbcast_plan_free(plan);
    gbcast_plan_free(again);
    gbcast_platform_free(p);
  }
}

/* Four sites like this one, the last one's uplink narrow; links of `host` Mbit/s, uplinks of `wide`. */
static gbcast_platform *wide_sites(uint32_t hosts, uint32_t host, uint32_t wide) {
  char text[1024];
  int at = 0;
  for (int s = 0; s < 4; s++)
    at += snprintf(
        text + at, sizeof text - (size_t)at,
        "cluster s%d latency=40us bandwidth=%uMbit/s wan-bandwidth=%uMbit/s overhead=3us\nn[0-%u].s%d\n", s,
        host, s < 3 ? wide : host, hosts - 1, s);
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "link s%d s%d latency=%dms bandwidth=%uMbit/s overhead=3us\n", a, b, 3 + a + b,
                     b < 3 ? wide : host);
  return parse(text);
}

/* The root hands its site the message once, and so does nobody more than a few parts above that. */
Test(lanes, no_host_sends_much_more_than_the_message) {
  for (uint32_t hosts = 12; hosts <= 36; hosts += 8) {
    gbcast_platform *p = wide_sites(hosts, 1000, 10000);
    for (int wide = 0; wide < 2; wide++) {
      gbcast_plan *plan = make(p, (gbcast_request){.bytes = 4 << 20, .root = wide ? "n3.s1" : NULL});
      cr_assert(plan->lanes > 1, "%u hosts: one lane, %g of the bound", hosts, plan->predicted / plan->bound);
      cr_assert_float_eq(sent(plan, plan->schedule.root, false), 1, 1e-9, "the root sends %g",
                         sent(plan, plan->schedule.root, false));
      for (uint32_t e = 0; e < plan->schedule.endpoint_count; e++)
        cr_assert_leq(sent(plan, e, false), 1.5, "%u hosts: endpoint %u sends %g", hosts, e,
                      sent(plan, e, false));
      cr_assert_leq(plan->predicted, 1.75 * plan->bound, "%u hosts: %g of the bound", hosts,
                    plan->predicted / plan->bound);
      gbcast_plan_free(plan);
    }
    gbcast_platform_free(p);
  }
}

/* A stream gets a quarter of the link: with one lane that is all, with several the link is filled, but for
 * the room that they leave each other. */
Test(lanes, several_streams_fill_a_long_fat_path) {
  gbcast_platform *p = parse("cluster a bandwidth=10Gbit/s\na[0-7]\ncluster b bandwidth=10Gbit/s\nb[0-7]\n"
                             "link a b latency=40ms bandwidth=1Gbit/s stream-bandwidth=250Mbit/s\n");
  const uint64_t bytes = 256 << 20;
  gbcast_plan *one = make(p, (gbcast_request){.bytes = bytes, .lanes = 1});
  gbcast_plan *four = make(p, (gbcast_request){.bytes = bytes, .lanes = 4});
  gbcast_plan *chosen = make(p, (gbcast_request){.bytes = bytes});
  cr_assert_float_eq(one->predicted / four->predicted, 4 * 0.9, 0.2, "%g", one->predicted / four->predicted);
  cr_assert_leq(chosen->predicted, four->predicted * 1.01);
  cr_assert_leq(four->predicted, four->bound * 1.05 / 0.9);
  gbcast_plan_free(one);
  gbcast_plan_free(four);
  gbcast_plan_free(chosen);
  gbcast_platform_free(p);
}

/* 64 KiB in sixteen streams are there before the first answers are. */
Test(lanes, more_than_hosts_where_streams_start_slowly) {
  const char *text = "cluster a bandwidth=100Mbit/s\na[0-3]\ncluster b bandwidth=100Mbit/s\nb[0-3]\n"
                     "link a b latency=40ms bandwidth=100Mbit/s%s\n";
  char line[400];
  gbcast_plan *plan[2];
  gbcast_platform *p[2];
  for (int slow = 0; slow < 2; slow++) {
    snprintf(line, sizeof line, text, slow ? " initial-window=14480" : "");
    p[slow] = parse(line);
    plan[slow] = make(p[slow], (gbcast_request){.bytes = 65536});
  }
  cr_assert_gt(plan[1]->lanes, 4);
  cr_assert_leq(plan[1]->predicted, 1.1 * plan[1]->bound);
  for (int slow = 0; slow < 2; slow++) {
    gbcast_plan_free(plan[slow]);
    gbcast_platform_free(p[slow]);
  }
}

/* Four streams of 5 Mbit/s do not fill 100 Mbit/s; each pair of leaders has one of its own. */
Test(lanes, more_than_hosts_where_streams_are_thin) {
  gbcast_platform *p = parse("cluster a\na[0-3]\ncluster b\nb[0-3]\n"
                             "link a b latency=20ms bandwidth=100Mbit/s stream-bandwidth=5Mbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 16 << 20}),
              *four = make(p, (gbcast_request){.bytes = 16 << 20, .lanes = 4});
  cr_assert_gt(plan->lanes, 4);
  cr_assert_lt(plan->predicted, 0.5 * four->predicted, "%g and %g s", plan->predicted, four->predicted);
  gbcast_plan_free(plan);
  gbcast_plan_free(four);
  gbcast_platform_free(p);
}

/* The root leads none, unless it is alone in its site. */
Test(lanes, as_many_as_are_fastest_where_streams_are_thin_or_start_slowly) {
  static const struct {
    const char *limit;
    unsigned here, there;
    uint64_t bytes;
  } cases[] = {{"stream-bandwidth=5Mbit/s", 4, 4, 1 << 20},
               {"initial-window=14480", 4, 4, 1 << 20},
               {"stream-bandwidth=5Mbit/s", 2, 6, 1 << 20},
               {"stream-bandwidth=5Mbit/s", 6, 1, 1 << 20},
               {"stream-bandwidth=5Mbit/s", 1, 6, 1 << 20},
               {"stream-bandwidth=8Mbit/s", 2, 12, 1 << 20},
               {"stream-bandwidth=26Mbit/s initial-window=14480 overhead=60us", 4, 4, 4 << 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "cluster a bandwidth=100Mbit/s\na[1-%u]\ncluster b bandwidth=100Mbit/s\nb[1-%u]\n"
             "link a b latency=40ms bandwidth=100Mbit/s %s\n",
             cases[i].here, cases[i].there, cases[i].limit);
    gbcast_platform *p = parse(text);
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = cases[i].bytes});
    for (uint32_t lanes = 2; lanes <= 16; lanes++) {
      gbcast_plan *other = make(p, (gbcast_request){.bytes = cases[i].bytes, .lanes = lanes});
      cr_assert_leq(plan->predicted, 1.05 * other->predicted,
                    "%u lanes for %u and %u hosts, %s: %g s in place of %g", lanes, cases[i].here,
                    cases[i].there, cases[i].limit, other->predicted, plan->predicted);
      gbcast_plan_free(other);
    }
    gbcast_plan_free(plan);
    gbcast_platform_free(p);
  }
}

/* With as many lanes as pairs of leaders, no two lanes have the same. */
Test(lanes, each_its_own_pair_of_leaders) {
  gbcast_platform *p =
      parse("cluster r\nr[0-4]\ncluster a\na[0-3]\ncluster b\nb[0-3]\n"
            "link r a latency=9ms bandwidth=1Gbit/s\nlink r b latency=9ms bandwidth=1Gbit/s\n"
            "link a b latency=9ms bandwidth=1Gbit/s\n");
  const uint32_t lanes = 16; /* four leaders in each site: the root leads none */
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .lanes = lanes});
  for (uint32_t s = 1; s < 3; s++)
    for (uint32_t k = 0; k < lanes; k++)
      for (uint32_t j = 0; j < k; j++)
        cr_assert(gb_plan_leader(plan, 0, k) != gb_plan_leader(plan, 0, j) ||
                      gb_plan_leader(plan, s, k) != gb_plan_leader(plan, s, j),
                  "site %u, lanes %u and %u", s, j, k);
  for (uint32_t k = 0; k < lanes; k++)
    for (uint32_t j = 0; j < k; j++)
      cr_assert(gb_plan_leader(plan, 1, k) != gb_plan_leader(plan, 1, j) ||
                    gb_plan_leader(plan, 2, k) != gb_plan_leader(plan, 2, j),
                "lanes %u and %u", j, k);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

/* One lane each way where several gain nothing: a star whose links are narrower than a host's. */
Test(lanes, not_where_one_does) {
  gbcast_platform *p =
      parse("cluster a\na[0-7]\ncluster b\nb[0-7]\ncluster c\nc[0-7]\n"
            "link a b latency=4ms bandwidth=100Mbit/s\nlink a c latency=9ms bandwidth=50Mbit/s\n");
  for (uint64_t bytes = 1; bytes < 64 << 20; bytes *= 8) {
    gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes});
    cr_assert_eq(plan->lanes, 1, "%llu bytes in %u lanes", (unsigned long long)bytes, plan->lanes);
    gbcast_plan_free(plan);
  }
  gbcast_platform_free(p);
}

/* More lanes than a site has hosts: its leaders lead several. On one site, and for a scatter, there are none.
 */
Test(lanes, where_there_are_too_many) {
  gbcast_platform *p =
      parse("cluster a\na[0-1]\ncluster b\nb[0-5]\nlink a b latency=4ms bandwidth=1Gbit/s\n");
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = 1 << 20, .lanes = 16}), *wrong = NULL;
  gbcast_error err;
  cr_assert_eq(plan->lanes, 16);
  cr_assert_eq(gb_plan_leader_count(plan, 0, 16), 1);
  cr_assert_eq(gb_plan_leader_count(plan, 1, 16), 6);
  gbcast_plan_free(plan);
  plan = make(p, (gbcast_request){.operation = GBCAST_SCATTER, .bytes = 1000, .lanes = 4});
  cr_assert(plan->lanes == 1 && plan->schedule.tree_count == 1);
  gbcast_plan_free(plan);
  gbcast_request many = {.bytes = 1, .lanes = GBCAST_LANES_MOST + 1};
  cr_assert_eq(gbcast_plan_make(p, &many, &wrong, &err), GBCAST_EUSAGE);
  cr_assert(strstr(err.message, "found 65 lanes"), "%s", err.message);
  many = (gbcast_request){.bytes = 1 << 20, .intra = "two-tree", .lanes = 64};
  cr_assert_eq(gbcast_plan_make(p, &many, &wrong, &err), GBCAST_EUSAGE);
  cr_assert(strstr(err.message, "make 128 trees"), "%s", err.message);
  gbcast_platform_free(p);
}
