/* No rank leaves a barrier before all have come to it, in every form. Each rank counts itself in a counter of
 * the barrier before it calls, one of them late; whoever is through finds all of them counted. */
#include "tests/support/mpi/check.h"
#include <stdatomic.h>
#include <time.h>

enum { MOST = 4096, AT_ONCE = 4, STARTS = 3 };

static atomic_int *came; /* by barrier: ranks that have come; all ranks share it */
static int barriers;     /* so far */

/* Before the call of a barrier, whose number it returns. */
static int come(int late) {
  CHECK(barriers < MOST, "more barriers than this test has counters for");
  if (rank_in(MPI_COMM_WORLD) == late)
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  (void)atomic_fetch_add(&came[barriers], 1);
  return barriers++;
}

static void check_all_came(int barrier, const char *form) {
  const int found = atomic_load(&came[barrier]), ranks = size_of(MPI_COMM_WORLD);
  CHECK(found == ranks, "barrier %d, %s: over when %d of %d ranks had come", barrier, form, found, ranks);
}

static void check_blocking(int late) {
  const int barrier = come(late);
  MUST(gbcast_barrier(MPI_COMM_WORLD));
  check_all_came(barrier, "blocking");
}

/* Several are under way at once, and end in another order. The late rank is late to each. */
static void check_at_once(int late) {
  static const int order[AT_ONCE] = {2, 0, 3, 1};
  gbcast_handle handle[AT_ONCE];
  int barrier[AT_ONCE];
  for (int i = 0; i < AT_ONCE; i++) {
    barrier[i] = come(late);
    MUST(gbcast_ibarrier(MPI_COMM_WORLD, &handle[i]));
  }
  for (int i = 0; i < AT_ONCE; i++) {
    MUST(gbcast_wait(&handle[order[i]]));
    check_all_came(barrier[order[i]], "non-blocking");
    CHECK(handle[order[i]] == GBCAST_HANDLE_NULL, "the handle is kept");
  }
}

/* A blocking one is called meanwhile. */
static void check_persistent(int late) {
  gbcast_handle handle;
  MUST(gbcast_barrier_init(MPI_COMM_WORLD, &handle));
  for (int i = 0; i < STARTS; i++) {
    const int barrier = come(late);
    MUST(gbcast_start(&handle));
    if (i == 1)
      check_blocking(-1);
    MUST(gbcast_wait(&handle));
    check_all_came(barrier, "persistent");
  }
  MUST(gbcast_handle_free(&handle));
}

/* A plan is run, not MPI's own barrier. */
static void check_planned(void) {
  char *text = NULL;
  MUST(gbcast_explain_barrier(MPI_COMM_WORLD, &text));
  CHECK(strncmp(text, "Barrier", 7) == 0 && strstr(text, "own collective") == NULL, "%s", text);
  free(text);
}

/* On a communicator of one rank, and with arguments that are wrong. */
static void check_alone(void) {
  gbcast_handle handle;
  MUST(gbcast_barrier(MPI_COMM_SELF));
  MUST(gbcast_ibarrier(MPI_COMM_SELF, &handle));
  MUST(gbcast_wait(&handle));
  MUST(gbcast_barrier_init(MPI_COMM_SELF, &handle));
  MUST(gbcast_start(&handle));
  MUST(gbcast_handle_free(&handle));
  MPI_Comm comm;
  MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  CHECK(gbcast_ibarrier(comm, NULL) == MPI_ERR_ARG, "without a place for the handle");
  CHECK(gbcast_explain_barrier(comm, NULL) == MPI_ERR_ARG, "without a place for the text");
  MUST(MPI_Comm_free(&comm));
}

/* All counters are 0 when it is over. */
static void share_counters(MPI_Win *window) {
  const bool first = rank_in(MPI_COMM_WORLD) == 0;
  MPI_Aint size;
  int unit;
  void *own;
  MUST(MPI_Win_allocate_shared(first ? MOST * sizeof *came : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own,
                               window));
  MUST(MPI_Win_shared_query(*window, 0, &size, &unit, (void *)&came));
  for (int i = 0; first && i < MOST; i++)
    atomic_init(&came[i], 0);
  MUST(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
  static const struct {
    const char *hosts;
    setting forced[3];
  } scene[] = {{"mesh.txt", {{"gbcast_check", "1"}}},
               {"mesh.txt", {{"gbcast_inter", "in-turn"}, {"gbcast_lanes", "2"}}},
               {"grid-flat.txt", {{"gbcast_inter", "chain"}, {"gbcast_intra", "binomial"}}},
               {"grid-node.txt", {{0}}},
               {"grid-node.txt", {{"gbcast_intra", "flat"}, {"gbcast_check", "1"}}}};
  MPI_Win window;
  MUST(MPI_Init(&argc, &argv));
  const int ranks = size_of(MPI_COMM_WORLD);
  share_counters(&window);
  for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
    MUST(set_up_with(MPI_COMM_WORLD, scene[s].hosts, scene[s].forced, 3));
    if (ranks > 1 && s < 2)
      check_planned();
    for (int late = 0; late < ranks; late++) {
      check_blocking(late);
      check_at_once(late);
      check_persistent(late);
    }
  }
  check_alone();
  MUST(MPI_Win_free(&window));
  MUST(MPI_Finalize());
  return 0;
}
