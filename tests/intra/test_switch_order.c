/* The order in which Algorithm 1 walks the switches, worked out by hand. */
#include "intra/intra.h"

#include <criterion/criterion.h>

/* Two hosts on each switch, 2 s and 2 s + 1; `root` comes first. The chain must visit the hosts as in `want`.
 */
static void expect_order(const uint32_t *uplink, const uint32_t *depth, uint32_t root, const uint32_t *want) {
  gb_switch sw[4];
  gb_host on[8] = {0};
  gb_cluster cluster = {.switch_count = 4};
  uint32_t host[8] = {root}, parent[8] = {0}, count = 1, at = 0;
  for (uint32_t h = 0; h < 8; h++) {
    on[h].sw = h / 2;
    sw[h / 2] = (gb_switch){.uplink = uplink[h / 2], .depth = depth[h / 2]};
    if (h != root) {
      host[count++] = h;
    }
  }
  struct gbcast_platform p = {
      .host_count = 8, .switch_count = 4, .cluster_count = 1, .host = on, .sw = sw, .cluster = &cluster};
  gb_intra_job job = {.p = &p, .host = host, .count = 8};
  size_t algorithm = gb_intra_find("linear-contention-free", GB_BCAST);
  cr_assert_eq(gb_intra_table[algorithm].build(&job, parent, NULL), GBCAST_OK);
  cr_assert_eq(parent[0], GB_NONE);
  for (uint32_t i = 0; i < 8; i++) {
    cr_assert_eq(host[at], want[i], "place %u: host %u, want %u", i, host[at], want[i]);
    for (uint32_t j = 1; j < 8; j++) {
      if (parent[j] == at) {
        at = j;
        break;
      }
    }
  }
}

/* s0 joins s1, s2; s1 joins s3. From s1: s0 comes first in the file, then s2 below it, s3 last. */
Test(intra_order, the_uplink_before_a_switch_below) {
  const uint32_t uplink[] = {GB_NONE, 0, 0, 1}, depth[] = {0, 1, 1, 2};
  expect_order(uplink, depth, 3, (uint32_t[]){3, 2, 0, 1, 4, 5, 6, 7});
}

/* s2 is the top and joins s1, s3; s1 joins s0. From s1: s0, then its uplink s2, then s3. */
Test(intra_order, a_switch_below_before_the_uplink) {
  const uint32_t uplink[] = {1, 2, GB_NONE, 2}, depth[] = {2, 1, 0, 1};
  expect_order(uplink, depth, 2, (uint32_t[]){2, 3, 0, 1, 4, 5, 6, 7});
}

/* s1 is the top and joins s0, s3; s0 joins s2. From s0: s1 and all behind it, then s2. */
Test(intra_order, the_uplink_between) {
  const uint32_t uplink[] = {1, GB_NONE, 0, 1}, depth[] = {1, 0, 2, 1};
  expect_order(uplink, depth, 0, (uint32_t[]){0, 1, 2, 3, 6, 7, 4, 5});
}

/* Four tops: the core joins them in file order. */
Test(intra_order, tops_meet_at_the_core) {
  const uint32_t uplink[] = {GB_NONE, GB_NONE, GB_NONE, GB_NONE}, depth[] = {0, 0, 0, 0};
  expect_order(uplink, depth, 5, (uint32_t[]){5, 4, 0, 1, 2, 3, 6, 7});
}
