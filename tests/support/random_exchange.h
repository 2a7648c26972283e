/* Random all-to-alls of one cluster, with one rank on each host. */
#ifndef GB_TESTS_SUPPORT_RANDOM_EXCHANGE_H
#define GB_TESTS_SUPPORT_RANDOM_EXCHANGE_H

#include "plan/alltoall/alltoall.h"
#include "tests/support/random_cluster.h"

#define LINKS (4 * MOST)
#define HOSTS 12u

/* An all-to-all inside one site; it points into itself. */
typedef struct lone_exchange {
  gb_alltoall a;
  gb_alltoall_site site;
  cluster_fixture f;
  uint32_t host[MOST]; /* that take part */
} lone_exchange;

/* Of the first hosts of x->host, which are in x->f. */
static inline void make_exchange(uint32_t hosts, lone_exchange *x) {
  gbcast_error err = {""};
  gb_alltoall_site *site = &x->site;
  x->a = (gb_alltoall){.site_count = 1, .site = site};
  *site = (gb_alltoall_site){.host = x->host};
  cr_assert_eq(gb_machines_new(&x->f.p, x->host, hosts, &site->machines, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_phases_new(&site->machines, &site->phases, &err), GBCAST_OK, "%s", err.message);
  cr_assert_eq(gb_dependences_new(&site->machines, &site->phases, &site->order, &err), GBCAST_OK, "%s",
               err.message);
  cr_assert_eq(gb_alltoall_check(&x->a, &err), GBCAST_OK, "%s", err.message);
}

/* Up to HOSTS hosts in random order on a random tree. */
static inline void random_exchange(lone_exchange *x) {
  const uint32_t hosts = 2 + rng(HOSTS - 1);
  random_cluster(&x->f, rng(8), hosts);
  (void)pick(hosts, x->host);
  make_exchange(hosts, x);
}

static inline void drop(lone_exchange *x) {
  gb_dependences_free(&x->site.order);
  gb_phases_free(&x->site.phases);
  gb_machines_free(&x->site.machines);
}

static inline gb_sync_choice choice_of(const char *text) {
  gb_sync_choice choice;
  gbcast_error err = {""};
  cr_assert_eq(gb_sync_read(text, &choice, &err), GBCAST_OK, "%s", err.message);
  return choice;
}

#endif
