/* Random clusters for tests of the trees inside them: forests of switches, some of them without hosts, hosts
 * on switches or straight on the core, in random file order. */
#ifndef GB_TESTS_SUPPORT_RANDOM_CLUSTER_H
#define GB_TESTS_SUPPORT_RANDOM_CLUSTER_H

#include "intra/intra.h"
#include "tests/support/xorshift.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64u

static uint64_t rng_state = 88172645463325252u;
static inline uint32_t rng(uint32_t below) {
  return xorshift(&rng_state, below);
}

typedef struct cluster_fixture {
  gb_host host[MOST];
  gb_switch sw[MOST];
  gb_cluster cluster[2];
  struct gbcast_platform p;
} cluster_fixture;

/* Cluster 0: a random forest of switches in random file order, hosts on switches or loose. Cluster 1: some
 * switches in between, no hosts. */
static inline void random_cluster(cluster_fixture *f, uint32_t switches, uint32_t hosts) {
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

/* The first hosts of the list, and a megabyte. */
static inline gb_intra_job job_of(const cluster_fixture *f, const uint32_t *host, uint32_t count) {
  return (gb_intra_job){.p = &f->p, .host = host, .count = count, .bytes = 1u << 20};
}

/* Directed links from a to b, by brute force: 2 h, 2 h + 1 for hosts, then cables up and down. */
static inline void mark_path(const cluster_fixture *f, uint32_t a, uint32_t b, uint32_t *used) {
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

static inline void expect_spanning(const uint32_t *parent, uint32_t count, const char *name) {
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

/* A random subset in random order. */
static inline uint32_t pick(uint32_t hosts, uint32_t *chosen) {
  uint32_t count = 1 + rng(hosts);
  for (uint32_t i = 0; i < hosts; i++) {
    uint32_t j = rng(i + 1);
    chosen[i] = chosen[j];
    chosen[j] = i;
  }
  return count;
}

#endif
