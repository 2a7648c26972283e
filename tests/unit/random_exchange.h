/* Random all-to-alls of one cluster, with one rank on each host. */
#ifndef GB_TESTS_RANDOM_EXCHANGE_H
#define GB_TESTS_RANDOM_EXCHANGE_H

#include "plan/alltoall.h"
#include "tests/unit/random_cluster.h"

#define LINKS (4 * MOST)
#define HOSTS 12u

/* Of the first hosts in a->host. */
static inline void make_exchange(const cluster_fixture *f, uint32_t hosts, gb_alltoall *a) {
  gbcast_error err = {""};
  cr_assert_eq(gb_machines_new(&f->p, a->host, hosts, &a->machines, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_phases_new(&a->machines, &a->phases, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_dependences_new(&a->machines, &a->phases, &a->order, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_alltoall_check(a, &err), GBCAST_OK, "%s", err.message);
}

/* Up to HOSTS hosts in random order on a random tree. */
static inline void random_exchange(cluster_fixture *f, uint32_t *chosen, gb_alltoall *a) {
  const uint32_t hosts = 2 + rng(HOSTS - 1);
  random_cluster(f, rng(8), hosts);
  (void)pick(hosts, chosen);
  *a = (gb_alltoall){.host = chosen};
  make_exchange(f, hosts, a);
}

static inline void drop(gb_alltoall *a) {
  gb_dependences_free(&a->order);
  gb_phases_free(&a->phases);
  gb_machines_free(&a->machines);
}

static inline gb_sync_choice choice_of(const char *text) {
  gb_sync_choice choice;
  gbcast_error err = {""};
  cr_assert_eq(gb_sync_read(text, &choice, &err), GBCAST_OK, "%s", err.message);
  return choice;
}

#endif
