/* Trees inside a cluster: they span, have the shape they are named for, and Algorithm 1 keeps its promise on
 * thousands of random switch trees, held against paths that are enumerated here, without route.c. */
#include "intra/intra.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64u

static uint64_t rng_state = 88172645463325252u;
static uint32_t rng(uint32_t below) { /* 0 when there is no choice */
  rng_state ^= rng_state << 13;
  rng_state ^= rng_state >> 7;
  rng_state ^= rng_state << 17;
  return below > 1 ? (uint32_t)(rng_state >> 20) % below : 0;
}

typedef struct cluster_fixture {
  gb_host host[MOST];
  gb_switch sw[MOST];
  gb_cluster cluster[2];
  struct gbcast_platform p;
} cluster_fixture;

/* Cluster 0: a random forest of switches in random file order, hosts on switches or loose. Cluster 1: some
 * switches in between, no hosts. */
static void random_cluster(cluster_fixture *f, uint32_t switches, uint32_t hosts) {
  memset(f, 0, sizeof *f);
  uint32_t order[MOST] = {0};
  for (uint32_t i = 0; i < switches; i++) { /* order[i] is the place in the file of the i-th to be attached */
    uint32_t j = rng(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  uint32_t tops = 1 + rng(3), loose = rng(2);
  for (uint32_t i = 0; i < switches; i++) {
    gb_switch *sw = &f->sw[order[i]];
    bool top = i < tops;
    sw->cluster = !top && rng(8) == 0 ? 1 : 0;
    sw->uplink = GB_NONE;
    if (!top && sw->cluster == 0) {
      do {
        sw->uplink = order[rng(i)];
      } while (f->sw[sw->uplink].cluster != 0);
      sw->depth = f->sw[sw->uplink].depth + 1;
    }
    f->cluster[sw->cluster].switch_count++;
  }
  for (uint32_t h = 0; h < hosts; h++) {
    f->host[h].sw = GB_NONE;
    if (switches > 0 && !(loose && rng(5) == 0)) {
      do {
        f->host[h].sw = rng(switches);
      } while (f->sw[f->host[h].sw].cluster != 0);
    }
  }
  f->p = (struct gbcast_platform){.host_count = hosts,
                                  .switch_count = switches,
                                  .cluster_count = 2,
                                  .host = f->host,
                                  .sw = f->sw,
                                  .cluster = f->cluster};
}

/* Directed links from a to b, by brute force: 2 h, 2 h + 1 for hosts, then cables up and down. */
static void mark_path(const cluster_fixture *f, uint32_t a, uint32_t b, uint32_t *used) {
  bool above_a[MOST + 1] = {false};
  uint32_t meet = f->host[b].sw;
  for (uint32_t s = f->host[a].sw; s != GB_NONE; s = f->sw[s].uplink) {
    above_a[s] = true;
  }
  while (meet != GB_NONE && !above_a[meet]) {
    meet = f->sw[meet].uplink;
  }
  used[2 * (size_t)a]++;
  used[2 * (size_t)b + 1]++;
  for (uint32_t s = f->host[a].sw; s != meet; s = f->sw[s].uplink) {
    used[2 * ((size_t)MOST + s)]++;
  }
  for (uint32_t s = f->host[b].sw; s != meet; s = f->sw[s].uplink) {
    used[2 * ((size_t)MOST + s) + 1]++;
  }
}

static void expect_spanning(const uint32_t *parent, uint32_t count, const char *name) {
  cr_assert(count == 0 || parent[0] == GB_NONE, "%s", name);
  for (uint32_t i = 1; i < count; i++) {
    uint32_t at = i, steps = 0;
    while (at != 0) {
      cr_assert(parent[at] < count && steps++ < count, "%s: %u of %u does not lead to the root", name, i,
                count);
      at = parent[at];
    }
  }
}

static gb_intra_build *builder(const char *name) {
  return gb_intra_table[gb_intra_find(name, GB_BCAST)].build;
}

/* A random subset in random order. */
static uint32_t pick(uint32_t hosts, uint32_t *chosen) {
  uint32_t count = 1 + rng(hosts);
  for (uint32_t i = 0; i < hosts; i++) {
    uint32_t j = rng(i + 1);
    chosen[i] = chosen[j];
    chosen[j] = i;
  }
  return count;
}

Test(intra_trees, algorithm_1_is_free_of_contention) {
  static cluster_fixture f;
  for (int round = 0; round < 20000; round++) {
    random_cluster(&f, rng(20), 1 + rng(40));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, used[4 * MOST] = {0}, children[MOST] = {0};
    uint32_t count = pick(f.p.host_count, host);
    gbcast_error err;
    cr_assert_eq(builder("linear-contention-free")(&f.p, host, count, 0, parent, &err), GBCAST_OK);
    expect_spanning(parent, count, "linear-contention-free");
    for (uint32_t i = 1; i < count; i++) {
      cr_assert_eq(children[parent[i]]++, 0, "round %d: not a chain", round);
      mark_path(&f, host[parent[i]], host[i], used);
    }
    for (uint32_t link = 0; link < 4 * MOST; link++) {
      cr_assert(used[link] <= 1, "round %d: link %u carries %u messages", round, link, used[link]);
    }
  }
}

Test(intra_trees, a_plain_chain_is_not) {
  static cluster_fixture f; /* so the check above can fail */
  int contended = 0;
  for (int round = 0; round < 200; round++) {
    random_cluster(&f, 10, 30);
    uint32_t used[4 * MOST] = {0};
    bool twice = false;
    for (uint32_t i = 1; i < 30; i++) {
      mark_path(&f, i - 1, i, used);
    }
    for (uint32_t link = 0; link < 4 * MOST; link++) {
      twice = twice || used[link] > 1;
    }
    contended += twice;
  }
  cr_assert(contended > 190);
}

Test(intra_trees, all_span_whatever_the_count) {
  static cluster_fixture f;
  random_cluster(&f, 6, 60);
  uint32_t host[MOST], parent[MOST];
  gbcast_error err;
  for (uint32_t h = 0; h < MOST; h++) {
    host[h] = h;
  }
  for (size_t a = 0; a < gb_intra_count; a++) {
    for (uint32_t count = 0; count <= 60; count++) {
      for (uint32_t tree = 0; tree < gb_intra_trees(a); tree++) {
        cr_assert_eq(gb_intra_table[a].build(&f.p, host, count, tree, parent, &err), GBCAST_OK);
        expect_spanning(parent, count, gb_intra_table[a].name);
      }
    }
  }
}

Test(intra_trees, shapes) {
  static cluster_fixture f;
  random_cluster(&f, 6, 60);
  uint32_t host[MOST], parent[MOST], below[MOST];
  gbcast_error err;
  for (uint32_t h = 0; h < MOST; h++) {
    host[h] = h;
  }
  for (uint32_t count = 2; count <= 60; count++) {
    builder("flat")(&f.p, host, count, 0, parent, &err);
    cr_assert_eq(parent[count - 1], 0);
    builder("chain")(&f.p, host, count, 0, parent, &err);
    cr_assert_eq(parent[count - 1], count - 2);
    builder("binary")(&f.p, host, count, 0, parent, &err);
    for (uint32_t i = 0; i < count; i++) {
      cr_assert(2 * i + 1 >= count || parent[2 * i + 1] == i);
      cr_assert(2 * i + 2 >= count || parent[2 * i + 2] == i);
    }
    builder("binomial")(&f.p, host, count, 0, parent, &err);
    for (uint32_t i = 0; i < count; i++) {
      below[i] = 1;
    }
    for (uint32_t i = count - 1; i > 0; i--) { /* a subtree is a run of neighbours */
      cr_assert(parent[i] < i);
      below[parent[i]] += below[i];
    }
    cr_assert_eq(below[0], count);
    for (uint32_t j = 1; j < count; j *= 2) {
      cr_assert_eq(parent[j], 0);
      cr_assert_eq(below[j], (2 * j < count ? 2 * j : count) - j);
    }
  }
}

Test(intra_trees, hosts_of_two_clusters_are_refused) {
  static cluster_fixture f;
  random_cluster(&f, 2, 3);
  f.host[2].cluster = 1;
  f.host[0].name = f.host[1].name = f.host[2].name = (char[]){"h"};
  const uint32_t host[] = {0, 1, 2};
  uint32_t parent[3];
  gbcast_error err;
  cr_assert_eq(builder("linear-contention-free")(&f.p, host, 3, 0, parent, &err), GBCAST_EUSAGE);
}
