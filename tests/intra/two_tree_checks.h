/* Clusters for the tests of the two-tree, and what both trees promise: they span, no host is inner in both,
 * no directed link carries more than two halves. Paths are enumerated here, without route.c. */
#ifndef GB_TESTS_INTRA_TWO_TREE_CHECKS_H
#define GB_TESTS_INTRA_TWO_TREE_CHECKS_H

#include "intra/algorithms.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8192u

static uint64_t rng_state = 0x2545F4914F6CDD1Du;
static inline uint32_t rng(uint32_t below) {
  return xorshift(&rng_state, below);
}

typedef struct fixture {
  gb_host host[MOST];
  gb_switch sw[MOST];
  gb_cluster cluster[2];
  struct gbcast_platform p;
  uint32_t count;
  uint32_t chosen[MOST];      /* the hosts of the trees, the source first */
  uint32_t parent[2][MOST];   /* of the trees */
  uint32_t depth[MOST];       /* in one tree */
  uint32_t sends[2][MOST];    /* in either tree */
  uint32_t carried[4 * MOST]; /* halves by directed link: hosts out and in, then cables up and down */
} fixture;

static fixture f;

static inline void start_platform(uint32_t switches, uint32_t hosts) {
  static char name[] = "h";
  memset(f.host, 0, hosts * sizeof *f.host);
  memset(f.sw, 0, switches * sizeof *f.sw);
  memset(f.cluster, 0, sizeof f.cluster);
  f.p = (struct gbcast_platform){.host_count = hosts,
                                 .switch_count = switches,
                                 .cluster_count = 2,
                                 .host = f.host,
                                 .sw = f.sw,
                                 .cluster = f.cluster};
  f.count = hosts;
  for (uint32_t h = 0; h < hosts; h++) {
    f.host[h].name = name;
    f.chosen[h] = h;
  }
  for (uint32_t s = 0; s < switches; s++) {
    f.sw[s].uplink = GB_NONE;
  }
  f.cluster[0].switch_count = switches;
}

/* Cluster 0: a forest of switches in random file order, hosts on switches or loose, a random lot of them
 * chosen. Cluster 1: some switches in between, without hosts. `reach`: how far above a switch its uplink may
 * be in the order in which they are attached; 1 gives lines. */
static inline void random_cluster(uint32_t switches, uint32_t hosts, uint32_t reach) {
  static uint32_t order[MOST];
  start_platform(switches, hosts);
  for (uint32_t i = 0; i < switches; i++) {
    uint32_t j = rng(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  uint32_t tops = 1 + rng(3), loose = rng(2), crowded = rng(3), last = 0;
  f.cluster[0].switch_count = 0;
  for (uint32_t i = 0; i < switches; i++) {
    gb_switch *sw = &f.sw[order[i]];
    bool top = i < tops;
    sw->cluster = !top && rng(8) == 0 ? 1 : 0;
    f.cluster[sw->cluster].switch_count++;
    if (!top && sw->cluster == 0) {
      uint32_t back = rng(reach), up = last;
      while (back > 0 && up > 0) {
        up--;
        back -= f.sw[order[up]].cluster == 0;
      }
      while (f.sw[order[up]].cluster != 0) {
        up++;
      }
      sw->uplink = order[up];
      sw->depth = f.sw[sw->uplink].depth + 1;
    }
    last = sw->cluster == 0 ? i : last;
  }
  for (uint32_t h = 0; h < hosts; h++) {
    f.host[h].sw = GB_NONE;
    if (switches > 0 && !(loose && rng(5) == 0)) {
      do { /* crowded: most hosts on few switches, many switches empty */
        f.host[h].sw = order[crowded == 0 ? rng(1 + switches / 4) : rng(switches)];
      } while (f.sw[f.host[h].sw].cluster != 0);
    }
  }
  for (uint32_t i = 0; i < hosts; i++) {
    uint32_t j = rng(i + 1);
    f.chosen[i] = f.chosen[j];
    f.chosen[j] = i;
  }
  f.count = rng(3) == 0 ? hosts : 1 + rng(hosts);
}

/* Switches s0, s1, ... with `each` hosts, each below the last (`line`) or all on the core. */
static inline void regular_cluster(uint32_t switches, uint32_t each, bool line) {
  start_platform(switches, switches * each);
  for (uint32_t s = 0; line && s < switches; s++) {
    f.sw[s].uplink = s == 0 ? GB_NONE : s - 1;
    f.sw[s].depth = s;
  }
  for (uint32_t h = 0; h < switches * each; h++) {
    f.host[h].sw = h / each;
  }
}

static inline void mark_path(uint32_t a, uint32_t b, uint32_t *used) {
  uint32_t up = f.host[a].sw, down = f.host[b].sw;
  used[2 * (size_t)a]++;
  used[2 * (size_t)b + 1]++;
  while (up != down) { /* the deeper end climbs; the core is above all */
    uint32_t height_up = up == GB_NONE ? 0 : f.sw[up].depth + 1;
    uint32_t height_down = down == GB_NONE ? 0 : f.sw[down].depth + 1;
    if (height_up >= height_down) {
      used[2 * ((size_t)MOST + up)]++;
      up = f.sw[up].uplink;
    } else {
      used[2 * ((size_t)MOST + down) + 1]++;
      down = f.sw[down].uplink;
    }
  }
}

static inline void build(void) {
  static uint32_t trees[2 * MOST];
  gbcast_error err;
  gb_intra_job job = {.p = &f.p, .host = f.chosen, .count = f.count};
  cr_assert_eq(gb_intra_build_two_tree(&job, trees, &err), GBCAST_OK);
  for (uint32_t tree = 0; tree < 2; tree++) {
    memcpy(f.parent[tree], trees + tree * f.count, f.count * sizeof *trees);
  }
}

/* Depth of the deepest host; all hosts must hang off the source. */
static inline uint32_t depth_of(const uint32_t *parent) {
  static uint32_t way[MOST];
  uint32_t most = 0;
  cr_assert_eq(parent[0], GB_NONE);
  f.depth[0] = 0;
  for (uint32_t i = 1; i < f.count; i++) {
    f.depth[i] = GB_NONE;
  }
  for (uint32_t i = 1; i < f.count; i++) {
    uint32_t steps = 0, at = i;
    while (f.depth[at] == GB_NONE) {
      cr_assert(steps < f.count && parent[at] < f.count, "%u of %u does not lead to the source", i, f.count);
      way[steps++] = at;
      at = parent[at];
    }
    uint32_t depth = f.depth[at];
    while (steps > 0) {
      f.depth[way[--steps]] = ++depth;
    }
    most = depth > most ? depth : most;
  }
  return most;
}

/* All promises about links and hosts; returns the greater depth. */
static inline uint32_t expect_two_trees(void) {
  uint32_t most = 0;
  memset(f.carried, 0, sizeof f.carried);
  for (uint32_t tree = 0; tree < 2; tree++) {
    uint32_t depth = depth_of(f.parent[tree]);
    most = depth > most ? depth : most;
    memset(f.sends[tree], 0, f.count * sizeof *f.sends[tree]);
    for (uint32_t i = 1; i < f.count; i++) {
      f.sends[tree][f.parent[tree][i]]++;
      mark_path(f.chosen[f.parent[tree][i]], f.chosen[i], f.carried);
    }
    cr_assert(f.count == 1 || f.sends[tree][0] == 1, "the source sends %u halves", f.sends[tree][0]);
  }
  for (uint32_t i = 1; i < f.count; i++) {
    cr_assert(f.sends[0][i] == 0 || f.sends[1][i] == 0, "%u of %u is inner in both trees", i, f.count);
    cr_assert(f.sends[0][i] <= 2 && f.sends[1][i] <= 2, "%u of %u has three children", i, f.count);
  }
  for (uint32_t link = 0; link < 4 * MOST; link++) {
    cr_assert(f.carried[link] <= 2, "link %u carries %u halves of %u hosts", link, f.carried[link], f.count);
  }
  return most;
}

#endif
