/* A broadcast that MPI_Bcast would do in the same way is left to it, and no other: by trees made here, over
 * every order of a few ranks, and by what four ranks run. */
#include "mpi/comm/comm.h"
#include "mpi/comm/plans.h"
#include "tests/support/mpi/check.h"

enum { MOST = 40, FEW = 4 };

#if defined MPICH_NAME && !defined MVAPICH2_VERSION && !defined I_MPI_VERSION
static const bool known = true;
#else
static const bool known = false;
#endif

static unsigned own_calls;
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*)
int __real_PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int __wrap_PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int __wrap_PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  own_calls++;
  return __real_PMPI_Bcast(buffer, count, type, root, comm);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl*)

/* A plan for one cluster with a rank on each host, and all that gb_same_as_mpi() reads of a communicator. */
typedef struct bed {
  uint32_t ranks, root;
  uint32_t host_of[MOST], first[MOST], rank_on[MOST];
  uint32_t start[MOST + 1], child[MOST];
  gb_endpoint endpoint[MOST];
  gb_tree tree;
  gb_site site;
  gb_comm c;
  gbcast_plan plan;
} bed;

/* The host of rank r is host_of[r]; the tree is still to be filled in. */
static void lay(bed *b, uint32_t ranks, uint32_t root, const uint32_t *host_of) {
  *b = (bed){.ranks = ranks, .root = root};
  for (uint32_t r = 0; r < ranks; r++) {
    b->host_of[r] = host_of[r];
    b->first[r] = r;
    b->rank_on[host_of[r]] = r;
    b->endpoint[r] = (gb_endpoint){r, 0};
  }
  b->tree = (gb_tree){.weight = 1, .segment = 1024, .child_start = b->start, .child = b->child};
  b->site = (gb_site){.hosts = ranks, .endpoint_count = ranks};
  b->c = (gb_comm){.wire = {.size = (int)ranks, .host_first = b->first, .host_rank = b->rank_on}};
  b->plan = (gbcast_plan){.operation = GBCAST_BCAST,
                          .class_bytes = 1024,
                          .schedule = {.endpoint_count = ranks, .endpoint = b->endpoint}};
  b->plan.site_count = b->plan.schedule.tree_count = 1;
  b->plan.site = &b->site;
  b->plan.schedule.tree = &b->tree;
}

/* Each sends half of its ranks to the first of them, then half of the rest. */
static void binomial(bed *b) {
  uint32_t used = 0;
  for (uint32_t e = 0; e < b->ranks; e++) { /* endpoints are hosts */
    const uint32_t me = (b->rank_on[e] + b->ranks - b->root) % b->ranks;
    uint32_t reach = 1;
    b->start[e] = used;
    while (reach < b->ranks && me % (2 * reach) == 0)
      reach *= 2;
    for (reach /= 2; reach > 0; reach /= 2)
      if (me + reach < b->ranks)
        b->child[used++] = b->host_of[(me + reach + b->root) % b->ranks];
  }
  b->start[b->ranks] = used;
  CHECK(used == b->ranks - 1, "%u edges of %u ranks", used, b->ranks);
}

static bool is_own(bed *b) {
  return gb_same_as_mpi(&b->c, &b->plan, (int)b->root);
}

/* Hosts in another order than ranks make no difference, where the tree is the ranks'. */
static void check_binomial(void) {
  bed b;
  uint32_t host_of[MOST];
  for (uint32_t ranks = 2; ranks <= MOST; ranks++)
    for (uint32_t root = 0; root < ranks; root++) {
      const uint32_t step = ranks % 7 == 0 ? 1 : 7;
      for (uint32_t r = 0; r < ranks; r++)
        host_of[r] = r * step % ranks;
      lay(&b, ranks, root, host_of);
      binomial(&b);
      CHECK(is_own(&b) == known, "%u ranks from %u: is not taken for MPI's own", ranks, root);
    }
}

/* Of all orders of four ranks on the hosts of a tree one is MPI's own. */
static void check_orders(void) {
  const uint32_t as_it_is[FEW] = {0, 1, 2, 3};
  unsigned found = 0;
  for (unsigned code = 0; code < 256; code++) {
    uint32_t host_of[FEW] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
    unsigned seen = 0;
    bed b;
    for (unsigned r = 0; r < FEW; r++)
      seen |= 1u << host_of[r];
    if (seen != 15)
      continue;
    lay(&b, FEW, 0, as_it_is);
    binomial(&b);
    for (uint32_t r = 0; r < FEW; r++)
      b.rank_on[host_of[r]] = r;
    found += is_own(&b);
    CHECK(!is_own(&b) || memcmp(host_of, as_it_is, sizeof host_of) == 0, "another order is taken for it");
  }
  CHECK(found == known, "%u orders are taken for it", found);
}

/* Each of these alone. */
static void check_others(void) {
  const uint32_t host_of[] = {0, 1, 2, 3, 4, 5, 6, 7};
  char name[] = "binomial";
  for (int what = 0; what < 9; what++) {
    bed b;
    lay(&b, 8, 0, host_of);
    binomial(&b);
    b.c.settings.intra = what == 0 ? name : NULL;
    b.c.settings.inter = what == 1 ? name : NULL;
    b.plan.file = what == 2 ? name : NULL;
    b.c.settings.segment = what == 3;
    b.c.settings.lanes = what == 4;
    b.plan.operation = what == 5 ? GBCAST_SCATTER : GBCAST_BCAST;
    b.plan.class_bytes = what == 6 ? 16384 : 1024;
    b.tree.segment = what == 6 ? 16384 : what == 7 ? 512 : 1024;
    b.site.hosts = what == 8 ? 7 : 8;
    CHECK(!is_own(&b), "case %d is taken for MPI's own", what);
  }
}

/* What is run: the second time, as the first makes the plan. From the second rank of a switch MPI's tree
 * would cross the cable three times. */
static void check_run(const char *intra, size_t bytes, bool own) {
  MUST(set_up(MPI_COMM_WORLD, "two-switches.txt", NULL, intra, NULL));
  for (int root = 0; root < FEW; root++) {
    check_broadcast(bytes, root, 1);
    own_calls = 0;
    check_broadcast(bytes, root, 2);
    CHECK(own_calls == (own && root % 2 == 0), "%zu bytes from %d: %u calls of MPI's own", bytes, root,
          own_calls);
  }
}

int main(int argc, char **argv) {
  MUST(MPI_Init(&argc, &argv));
  CHECK(size_of(MPI_COMM_WORLD) == FEW, "for four ranks");
  check_binomial();
  check_orders();
  check_others();
  check_run(NULL, 1024, known);
  check_run("binomial", 1024, false);
  check_run(NULL, 100000, false);
  MUST(MPI_Finalize());
  return 0;
}
