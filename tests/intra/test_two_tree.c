/* The two-tree on thousands of random switch trees, and its depth on regular ones. */
#include "tests/intra/two_tree_checks.h"
#include "tests/support/rounds.h"

static uint32_t ceil_log2(uint32_t x) {
  uint32_t power = 0;
  while ((UINT64_C(1) << power) < x) {
    power++;
  }
  return power;
}

Test(intra_two_tree, one_switch) {
  for (uint32_t count = 1; count <= 2000; count += count < 300 ? 1 : 41) {
    start_platform(1, count);
    build();
    uint32_t depth = expect_two_trees();
    cr_assert(depth <= ceil_log2(count), "%u hosts: depth %u", count, depth);
  }
}

Test(intra_two_tree, random_switch_trees) {
  for (int round = 0; round < ROUNDS(6000); round++) {
    uint32_t reach = rng(3) == 0 ? 1 : 1 + rng(30);
    random_cluster(rng(rng(2) ? 8 : 60), 1 + rng(rng(4) ? 40 : 200), reach);
    build();
    expect_two_trees();
  }
}

Test(intra_two_tree, large) {
  for (int round = 0; round < 4; round++) {
    random_cluster(1 + rng(1000), 5000, round == 0 ? 1 : 1 + rng(30));
    build();
    expect_two_trees();
  }
}

/* What must be: S - 1 switches in turn when each has an even number of hosts. What is made: hardly more. */
Test(intra_two_tree, switches_on_a_core) {
  for (uint32_t switches = 2; switches <= 40; switches += 3) {
    for (uint32_t each = 1; each <= 40; each += 3) {
      regular_cluster(switches, each, false);
      build();
      uint32_t depth = expect_two_trees(), local = ceil_log2(each) + 3;
      if (each % 2 == 0) {
        cr_assert(depth >= switches - 1 && depth <= switches - 1 + local, "%u x %u: %u", switches, each,
                  depth);
      } else {
        cr_assert(depth <= 2 * ceil_log2(switches) + 1 + local, "%u x %u: %u", switches, each, depth);
      }
    }
  }
}

/* At least S / 4 with an odd number of hosts each; with an even one about the root of 2 S. */
Test(intra_two_tree, lines_of_switches) {
  for (uint32_t switches = 4; switches <= 512; switches *= 2) {
    for (uint32_t each = 1; each <= 16; each++) {
      regular_cluster(switches, each, true);
      build();
      uint32_t depth = expect_two_trees(), local = 2 * ceil_log2(each) + 4, root = 1;
      while (root * root < 2 * switches) {
        root++;
      }
      if (each % 2 == 1) {
        cr_assert(depth >= switches / 4 && depth <= switches / 4 + switches / 8 + local, "%u x %u: %u",
                  switches, each, depth);
      } else {
        cr_assert(depth <= root + root / 4 + local, "%u x %u: %u", switches, each, depth);
      }
    }
  }
}

/* So the checks above can fail: complete binary trees, the second in the opposite order. */
Test(intra_two_tree, plain_trees_break_the_rule) {
  int broken = 0;
  for (int round = 0; round < 100; round++) {
    random_cluster(10, 40, 30);
    bool more = false;
    memset(f.carried, 0, sizeof f.carried);
    for (uint32_t i = 1; i < 40; i++) {
      mark_path(f.chosen[(i - 1) / 2], f.chosen[i], f.carried);
      mark_path(f.chosen[i == 1 ? 0 : 40 - (i - 1) / 2], f.chosen[40 - i], f.carried);
    }
    for (uint32_t link = 0; link < 4 * MOST; link++) {
      more = more || f.carried[link] > 2;
    }
    broken += more;
  }
  cr_assert(broken > 90, "only %d of 100", broken);
}

Test(intra_two_tree, same_trees_again) {
  random_cluster(30, 150, 10);
  build();
  uint32_t first[2][150];
  for (uint32_t tree = 0; tree < 2; tree++) {
    memcpy(first[tree], f.parent[tree], sizeof first[tree]);
    memset(f.parent[tree], 0xAA, sizeof f.parent[tree]);
  }
  build();
  for (uint32_t tree = 0; tree < 2; tree++) {
    cr_assert_eq(memcmp(first[tree], f.parent[tree], f.count * sizeof(uint32_t)), 0);
  }
}

Test(intra_two_tree, refused) {
  gbcast_error err;
  uint32_t parent[6];
  start_platform(1, 3);
  f.host[2].cluster = 1;
  gb_intra_job job = {.p = &f.p, .host = f.chosen, .count = 3};
  cr_assert_eq(gb_intra_build_two_tree(&job, parent, &err), GBCAST_EUSAGE);
  job.count = 0;
  cr_assert_eq(gb_intra_build_two_tree(&job, parent, &err), GBCAST_OK);
}
