/* The tree of the earliest arrivals: no tree on one switch is more than 5 % faster, its formula says when all
 * have it, and auto takes it there and only there. */
#include "intra/intra.h"
#include "plan/core/core.h"
#include "tests/support/plans.h"
#include "tests/support/random_platform.h"
#include <math.h>
#include <stdio.h>

enum { FEW = 7 };

static const gb_intra_algorithm *earliest(void) {
  return &gb_intra_table[gb_intra_find("earliest", GB_BCAST)];
}

static double time_of(const uint32_t *parent, uint32_t count, const gb_lan *lan, uint64_t bytes) {
  double seconds = 0;
  uint32_t degree = 0;
  gbcast_error err;
  cr_assert_eq(gb_tree_time(parent, count, gb_lan_latency(lan, bytes), gb_lan_gap(lan, bytes), &seconds,
                            &degree, &err),
               GBCAST_OK);
  return seconds;
}

/* The least of all trees: whoever hears later hangs below someone who heard sooner. */
static double least_of_all(uint32_t *parent, uint32_t known, uint32_t count, const gb_lan *lan,
                           uint64_t bytes) {
  double least = INFINITY;
  if (known == count)
    return time_of(parent, count, lan, bytes);
  for (uint32_t above = 0; above < known; above++) {
    parent[known] = above;
    least = fmin(least, least_of_all(parent, known + 1, count, lan, bytes));
  }
  return least;
}

static double time_of_flat(uint32_t hosts, const gb_lan *lan, uint64_t bytes) {
  uint32_t parent[FEW] = {GB_NONE};
  return time_of(parent, hosts, lan, bytes);
}

static double time_of_built(const gbcast_platform *p, uint32_t hosts, uint64_t bytes) {
  uint32_t host[512], parent[512];
  gbcast_error err;
  for (uint32_t h = 0; h < hosts; h++)
    host[h] = h;
  const gb_intra_job job = {.p = p, .host = host, .count = hosts, .bytes = bytes};
  cr_assert_eq(earliest()->build(&job, parent, &err), GBCAST_OK);
  const gb_lan lan = gb_lan_of(p, 0);
  return time_of(parent, hosts, &lan, bytes);
}

Test(intra_earliest, nothing_is_much_faster_on_one_switch_and_the_formula_says_so) {
  gb_random r = {21};
  for (int round = 0; round < 300; round++) {
    char text[128];
    uint32_t hosts = round % 2 == 0 ? 1 + random_below(&r, FEW) : 1 + random_below(&r, 500);
    uint32_t above[FEW] = {GB_NONE};
    uint64_t bytes = random_below(&r, 3) == 0 ? random_below(&r, 3) : random_below(&r, 1u << 16);
    snprintf(text, sizeof text, "cluster a latency=%uus bandwidth=%uMbit/s overhead=%uus\nn[1-%u]\n",
             1 + random_below(&r, 300), 10 + random_below(&r, 2000), 1 + random_below(&r, 9), hosts);
    gbcast_platform *p = parse(text);
    const gb_lan lan = gb_lan_of(p, 0);
    const double built = time_of_built(p, hosts, bytes),
                 formula = earliest()->bcast_model(&lan, hosts, bytes, 0);
    cr_assert_float_eq(built, formula, 1e-9 * formula, "%s: built %.12g, formula %.12g", text, built,
                       formula);
    if (hosts <= FEW) {
      const double least = least_of_all(above, 1, hosts, &lan, bytes),
                   flat = time_of_flat(hosts, &lan, bytes);
      const double want = least > 0.95 * flat ? flat : least;
      cr_assert_float_eq(built, want, 1e-9 * want, "%s: built %.12g, least %.12g", text, built, least);
    }
    gbcast_platform_free(p);
  }
}

static const char *inside(const gbcast_plan *plan) {
  return plan->site[0].intra;
}

static void expect_inside(const char *text, uint64_t bytes, const char *name) {
  gbcast_platform *p = parse(text);
  gbcast_plan *plan = make(p, (gbcast_request){.bytes = bytes});
  cr_assert_str_eq(inside(plan), name, "%s", text);
  gbcast_plan_free(plan);
  gbcast_platform_free(p);
}

Test(intra_earliest, auto_takes_it_for_short_messages_where_all_are_equally_far) {
  const char *cluster = "cluster a latency=100us bandwidth=100Mbit/s overhead=3us\n";
  char text[256];
  snprintf(text, sizeof text, "%sn[1-16]\n", cluster);
  expect_inside(text, 256, "earliest");
  snprintf(text, sizeof text, "%sswitch s\nn[1-16]\n", cluster);
  expect_inside(text, 256, "earliest");
  /* what cuts long messages is there for short ones, too */
  snprintf(text, sizeof text,
           "%sswitch s\nn[1-16]\nswitch t uplink=s bandwidth=100Mbit/s latency=50us\nm[1-16]\n", cluster);
  expect_inside(text, 256, "kary-contention-free");
  snprintf(text, sizeof text, "%sn[1-16]\nswitch t\nm[1-16]\n", cluster);
  expect_inside(text, 256, "kary-contention-free");
  /* and where sending on gains less than 5 % nobody does */
  expect_inside("cluster a latency=60us bandwidth=1000Mbit/s overhead=10us\nn[1-10]\n", 1, "flat");
}
