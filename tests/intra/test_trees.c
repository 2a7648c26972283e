/* Trees inside a cluster: they span, have the shape they are named for, and Algorithm 1 keeps its promise on
 * thousands of random switch trees, held against paths that are enumerated here, without route.c. */
#include "intra/intra.h"
#include "tests/support/random_cluster.h"
#include "tests/support/rounds.h"

static gb_intra_build *builder(const char *name) {
  return gb_intra_table[gb_intra_find(name, GB_BCAST)].build;
}

Test(intra_trees, algorithm_1_is_free_of_contention) {
  static cluster_fixture f;
  for (int round = 0; round < ROUNDS(20000); round++) {
    random_cluster(&f, rng(20), 1 + rng(40));
    uint32_t host[MOST] = {0}, parent[MOST] = {0}, used[4 * MOST] = {0}, children[MOST] = {0};
    uint32_t count = pick(f.p.host_count, host);
    gbcast_error err;
    gb_intra_job job = job_of(&f, host, count);
    cr_assert_eq(builder("linear-contention-free")(&job, parent, &err), GBCAST_OK);
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
  uint32_t host[MOST], parent[16 * MOST];
  gbcast_error err;
  for (uint32_t h = 0; h < MOST; h++) {
    host[h] = h;
  }
  for (size_t a = 0; a < gb_intra_count; a++) {
    for (uint32_t count = 0; count <= 60; count++) {
      gb_intra_job job = job_of(&f, host, count);
      cr_assert_eq(gb_intra_table[a].build(&job, parent, &err), GBCAST_OK);
      for (uint32_t tree = 0; tree < gb_intra_trees(a); tree++) {
        expect_spanning(parent + (size_t)tree * count, count, gb_intra_table[a].name);
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
    gb_intra_job job = job_of(&f, host, count);
    builder("flat")(&job, parent, &err);
    cr_assert_eq(parent[count - 1], 0);
    builder("chain")(&job, parent, &err);
    cr_assert_eq(parent[count - 1], count - 2);
    builder("binary")(&job, parent, &err);
    for (uint32_t i = 0; i < count; i++) {
      cr_assert(2 * i + 1 >= count || parent[2 * i + 1] == i);
      cr_assert(2 * i + 2 >= count || parent[2 * i + 2] == i);
    }
    builder("binomial")(&job, parent, &err);
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
  gb_intra_job job = job_of(&f, host, 3);
  cr_assert_eq(builder("linear-contention-free")(&job, parent, &err), GBCAST_EUSAGE);
}
